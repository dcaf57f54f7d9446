-- Loads: sheets moved into the tables of versions and helper tables, their receipts and their change log.

CREATE TABLE load (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  version_id uuid,
  helper_table_id uuid,
  -- As they were called then: records can be deleted, receipts stay.
  record_name text NOT NULL,
  table_name text NOT NULL,
  user_id uuid NOT NULL REFERENCES portal_user,
  source text NOT NULL CHECK (source IN ('portal', 'addin')),
  workbook text NOT NULL,
  sheet text NOT NULL,
  first_row integer NOT NULL,
  first_column integer NOT NULL,
  columns text[] NOT NULL,
  -- For what the sheet has no column: entity, area, subarea, milestone.
  defaults jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL DEFAULT 'RECEIVING' CHECK (status IN ('RECEIVING', 'COMMITTING', 'LOADED', 'UNDONE', 'CANCELLED', 'FAILED')),
  -- Of what the sheet's rows are: chunks of its own, or a file's.
  file_id uuid,
  undoes uuid REFERENCES load,
  rows integer NOT NULL DEFAULT 0,
  rows_before integer NOT NULL DEFAULT 0,
  totals jsonb NOT NULL DEFAULT '[]',
  -- The own columns of the table with their types, as they are after this load.
  types jsonb NOT NULL DEFAULT '[]',
  changes integer NOT NULL DEFAULT 0,
  began_at timestamptz NOT NULL DEFAULT now(),
  committing_at timestamptz,
  committed_at timestamptz,
  UNIQUE (organisation_id, id),
  FOREIGN KEY (organisation_id, version_id) REFERENCES version (organisation_id, id) ON DELETE SET NULL (version_id),
  FOREIGN KEY (organisation_id, helper_table_id) REFERENCES helper_table (organisation_id, id) ON DELETE SET NULL (helper_table_id)
);
CREATE INDEX load_of_organisation ON load (organisation_id, began_at DESC);
CREATE INDEX load_of_user ON load (organisation_id, user_id, began_at DESC);
CREATE UNIQUE INDEX load_undoes ON load (undoes) WHERE status IN ('COMMITTING', 'LOADED');

CREATE TABLE load_chunk (
  organisation_id uuid NOT NULL,
  load_id uuid NOT NULL,
  number integer NOT NULL,
  rows jsonb NOT NULL,
  PRIMARY KEY (load_id, number),
  FOREIGN KEY (organisation_id, load_id) REFERENCES load (organisation_id, id) ON DELETE CASCADE
);

-- What a load replaced: `former` holds the rows as they were, packed, so that they can be brought back.
CREATE TABLE load_slice (
  organisation_id uuid NOT NULL,
  load_id uuid NOT NULL,
  slice_id uuid NOT NULL,
  entity text NOT NULL,
  area text NOT NULL,
  subarea text NOT NULL,
  milestone text NOT NULL,
  rows integer NOT NULL,
  former_rows integer NOT NULL,
  former_load_id uuid,
  former_by text,
  former_at timestamptz,
  former bytea NOT NULL,
  PRIMARY KEY (load_id, slice_id),
  FOREIGN KEY (organisation_id, load_id) REFERENCES load (organisation_id, id)
);

CREATE TABLE load_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id uuid NOT NULL,
  load_id uuid NOT NULL,
  slice_id uuid NOT NULL,
  cell text,
  kind text NOT NULL CHECK (kind IN ('changed', 'added', 'removed')),
  column_name text,
  old text,
  new text,
  FOREIGN KEY (organisation_id, load_id) REFERENCES load (organisation_id, id)
);
CREATE INDEX load_change_of_load ON load_change (load_id, id);

CREATE FUNCTION load_change_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The change log is append-only.';
END $$;
CREATE TRIGGER load_change_is_final BEFORE UPDATE OR DELETE OR TRUNCATE ON load_change
  FOR EACH STATEMENT EXECUTE FUNCTION load_change_is_final();

-- A file that somebody dropped, read into rows, for an hour.
CREATE TABLE load_file (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  user_id uuid NOT NULL REFERENCES portal_user,
  name text NOT NULL,
  sheets jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id)
);
CREATE INDEX load_file_age ON load_file (created_at);
CREATE TABLE load_file_chunk (
  organisation_id uuid NOT NULL,
  file_id uuid NOT NULL,
  sheet text NOT NULL,
  number integer NOT NULL,
  rows jsonb NOT NULL,
  PRIMARY KEY (file_id, sheet, number),
  FOREIGN KEY (organisation_id, file_id) REFERENCES load_file (organisation_id, id) ON DELETE CASCADE
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['load', 'load_chunk', 'load_slice', 'load_change', 'load_file', 'load_file_chunk'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
