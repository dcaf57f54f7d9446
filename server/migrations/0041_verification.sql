-- Verification: whether the rows in the target are those of the source, table by table.

-- `repair`: a verification that also corrects what differs.
ALTER TABLE run DROP CONSTRAINT run_mode_check;
ALTER TABLE run ADD CONSTRAINT run_mode_check CHECK (mode IN ('incremental', 'full', 'verify', 'repair'));

-- When all tables are verified, as a schedule on the clock of the organisation. Null: only after runs, and when a person asks.
-- A null next time is computed by the worker.
ALTER TABLE connector
  ADD COLUMN verify_schedule text DEFAULT '0 2 * * 0',
  ADD COLUMN verify_next_at timestamptz,
  -- For how long each run verifies after its rows are committed. 0: not at all.
  ADD COLUMN verify_seconds integer NOT NULL DEFAULT 20 CHECK (verify_seconds BETWEEN 0 AND 3600),
  -- A table that was never verified is overdue seven days after this.
  ADD COLUMN verify_since timestamptz NOT NULL DEFAULT now();
CREATE INDEX connector_verify_due ON connector (verify_next_at) WHERE status = 'CONNECTED';

-- The latest verification of each stream.
CREATE TABLE stream_verification (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  stream text NOT NULL,
  -- Of the latest pass that ended; null before the first.
  outcome text CHECK (outcome IN ('identical', 'different', 'pending', 'notProvable', 'failed')),
  method text NOT NULL CHECK (method IN ('checksums', 'sample')),
  -- The source was compared as it was at this time; of a pass in slices, at its first one.
  checked_at timestamptz,
  rows bigint NOT NULL DEFAULT 0,
  newer_rows bigint NOT NULL DEFAULT 0,
  -- Names of columns that were compared row by row, as `table.column`.
  streamed_columns text[] NOT NULL DEFAULT '{}',
  -- Rows that differ and are not repaired.
  open_differences bigint NOT NULL DEFAULT 0,
  repaired bigint NOT NULL DEFAULT 0,
  notice text,
  run_id uuid NOT NULL,
  -- When the table was last found identical.
  proven_at timestamptz,
  -- A pass that the budget of a run has cut: where the next slice continues, and what the former ones came to.
  cursor text,
  pass_began_at timestamptz,
  pass_rows bigint NOT NULL DEFAULT 0,
  pass_newer_rows bigint NOT NULL DEFAULT 0,
  pass_differences bigint NOT NULL DEFAULT 0,
  pass_repaired bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, stream),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);

-- What each verification of a stream came to, run by run.
CREATE TABLE verification_verdict (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  run_id uuid NOT NULL,
  stream text NOT NULL,
  table_name text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('identical', 'different', 'pending', 'unfinished', 'notProvable', 'failed')),
  method text NOT NULL CHECK (method IN ('checksums', 'sample')),
  checked_at timestamptz NOT NULL,
  rows bigint NOT NULL,
  differences bigint NOT NULL,
  repaired bigint NOT NULL,
  notice text,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, stream),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX verification_verdict_of_connector ON verification_verdict (connector_id, at DESC);
CREATE INDEX verification_verdict_age ON verification_verdict (at);

-- The rows that differ by the latest verification of each stream, with both values. At most a thousand a stream.
CREATE TABLE row_difference (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  run_id uuid NOT NULL,
  stream text NOT NULL,
  table_name text NOT NULL,
  key jsonb NOT NULL,
  kind text NOT NULL CHECK (kind IN ('missing', 'additional', 'different', 'doubled')),
  columns jsonb NOT NULL,
  cause text NOT NULL CHECK (cause IN ('stampNotMoved', 'writtenAtTarget', 'rejected', 'changedSince', 'unknown')),
  is_repaired boolean NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX row_difference_of_stream ON row_difference (connector_id, stream, id);
CREATE INDEX row_difference_age ON row_difference (found_at);

-- A table that differs is an incident, next to those of runs and of the tie-out.
DROP INDEX incident_open;
CREATE UNIQUE INDEX incident_open ON incident (connector_id, (CASE WHEN kind IN ('tieOut', 'verification') THEN kind ELSE '' END))
  WHERE closed_at IS NULL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['stream_verification', 'verification_verdict', 'row_difference'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
