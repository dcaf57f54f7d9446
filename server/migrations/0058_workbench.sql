-- Descriptions of sources that the provider's people work on. They belong to no organisation, and have no values of settings.

CREATE TABLE workbench_description (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  text text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by uuid REFERENCES portal_user
);
CREATE UNIQUE INDEX workbench_description_name ON workbench_description (lower(name));
CREATE INDEX workbench_description_changed_by ON workbench_description (changed_by);
ALTER TABLE workbench_description ENABLE ROW LEVEL SECURITY;
ALTER TABLE workbench_description FORCE ROW LEVEL SECURITY;
-- Only in transactions of the provider: those of an organisation see no row.
CREATE POLICY provider ON workbench_description USING (current_setting('tributary.organisation', true) = '*');
