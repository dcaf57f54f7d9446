-- Erasing a person in history: which rows, what was cleared, and which marks showed it. The value that identifies the person is kept only
-- until the run that erases has ended.
ALTER TABLE run DROP CONSTRAINT run_mode_check;
ALTER TABLE run ADD CONSTRAINT run_mode_check CHECK (mode IN ('incremental', 'full', 'verify', 'repair', 'erase'));

CREATE TABLE history_erasure (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  run_id uuid NOT NULL UNIQUE,
  -- Where the person is found, as in the target.
  table_name text NOT NULL,
  column_name text NOT NULL,
  -- By stream: the column, and the tables with the columns to clear, the main table first.
  searches jsonb NOT NULL,
  requested_by uuid NOT NULL REFERENCES portal_user,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- Row versions by table and by mark, counted before they are cleared. Null until then.
  found jsonb,
  completed_at timestamptz,
  CHECK (completed_at IS NULL OR found IS NOT NULL),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX history_erasure_of_connector ON history_erasure (connector_id, requested_at DESC);
CREATE INDEX history_erasure_requested_by ON history_erasure (requested_by);

CREATE TABLE history_erasure_search (
  erasure_id uuid PRIMARY KEY REFERENCES history_erasure,
  organisation_id uuid NOT NULL,
  -- Encrypted.
  value text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['history_erasure', 'history_erasure_search'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
