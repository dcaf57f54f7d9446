-- Where an organisation keeps its own tables, and what was last done to them.

CREATE TABLE database_credential (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  kind text NOT NULL CHECK (kind IN ('mssql', 'postgres', 'mysql')),
  host text NOT NULL,
  database_name text NOT NULL,
  schema_name text NOT NULL,
  user_name text NOT NULL,
  encryption text NOT NULL CHECK (encryption IN ('verify', 'encrypt', 'off')),
  -- Sealed.
  password text NOT NULL,
  saved_by uuid REFERENCES portal_user,
  saved_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE table_sync (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  -- As whom the tables are written, and a number that grows with every synchronisation: the database refuses an older one.
  writer_id uuid NOT NULL DEFAULT gen_random_uuid(),
  fence bigint NOT NULL DEFAULT 0,
  -- Whoever comes before this is told to wait; later, whoever was at it is taken for dead.
  busy_until timestamptz,
  done_at timestamptz,
  done_by uuid REFERENCES portal_user,
  place text,
  tables jsonb
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['database_credential', 'table_sync'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
