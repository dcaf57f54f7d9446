-- Since when a run only verifies. Its rows are committed, so another run of its connector may be queued behind it.
ALTER TABLE run ADD COLUMN verifying_since timestamptz;

DROP INDEX run_open;
CREATE UNIQUE INDEX run_open ON run (connector_id)
  WHERE status IN ('QUEUED', 'RUNNING', 'WAITING') AND verifying_since IS NULL;
CREATE INDEX run_unfinished_of_connector ON run (connector_id) WHERE status IN ('QUEUED', 'RUNNING', 'WAITING');
