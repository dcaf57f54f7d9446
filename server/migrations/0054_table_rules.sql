-- Rules of a connector for its tables: which rows are moved, and which columns are hashed or masked.

CREATE TABLE table_rule (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  -- As the source names it. The next run may be the first that moves it.
  stream text NOT NULL,
  -- `RowCondition`s and `ColumnMask`s of the engine.
  conditions jsonb NOT NULL,
  masks jsonb NOT NULL,
  changed_by uuid NOT NULL REFERENCES portal_user,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, stream),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX table_rule_changed_by ON table_rule (changed_by);
ALTER TABLE table_rule ENABLE ROW LEVEL SECURITY;
ALTER TABLE table_rule FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON table_rule USING (tributary_sees(organisation_id));

-- The key of an organisation's hashes. One for all of its connectors, so that hashed columns can be joined.
CREATE TABLE masking_secret (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  secret text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE masking_secret ENABLE ROW LEVEL SECURITY;
ALTER TABLE masking_secret FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON masking_secret USING (tributary_sees(organisation_id));
