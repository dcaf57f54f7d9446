-- Runs that maintain the tables of targets whose files no database keeps in order. They give way to runs that move rows.
ALTER TABLE run DROP CONSTRAINT run_mode_check;
ALTER TABLE run ADD CONSTRAINT run_mode_check CHECK (mode IN ('incremental', 'full', 'verify', 'repair', 'erase', 'maintain'));

-- When the next one is due; null until rows have been moved since the last one.
ALTER TABLE connector ADD COLUMN maintain_next_at timestamptz;
CREATE INDEX connector_maintain_due ON connector (maintain_next_at) WHERE maintain_next_at IS NOT NULL;

DROP INDEX run_verification;
CREATE INDEX run_giving_way ON run (connector_id)
  WHERE mode IN ('verify', 'repair', 'maintain') AND status IN ('QUEUED', 'RUNNING', 'WAITING');
