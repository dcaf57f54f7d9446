-- Indexes and settings for stores with many connectors, so that each poll of a worker reads only what it acts on.

-- The connectors whose schedule can fire. Those that wait for a target or an approval are not read again at every poll.
DROP INDEX connector_due;
CREATE INDEX connector_due ON connector (next_run_at)
  WHERE next_run_at IS NOT NULL AND status = 'CONNECTED' AND target_down_since IS NULL AND NOT awaits_approval;
-- The unfinished runs that a fire looks for. Each index has hardly any entry, so the planner prefers it to those of all unfinished runs.
CREATE INDEX run_of_streams ON run (connector_id)
  WHERE only_streams IS NOT NULL AND verifying_since IS NULL AND status IN ('QUEUED', 'RUNNING', 'WAITING');
CREATE INDEX run_verification ON run (connector_id)
  WHERE mode IN ('verify', 'repair') AND status IN ('QUEUED', 'RUNNING', 'WAITING');
-- Led from a connector to the unfinished runs of all connectors. Those of one connector have run_unfinished_of_connector.
DROP INDEX run_unfinished;
CREATE INDEX run_heartbeat ON run (heartbeat_at) WHERE status = 'RUNNING';
CREATE INDEX connector_target_down ON connector (id) WHERE target_down_since IS NOT NULL;

-- What opens an incident.
-- IS TRUE keeps the planner from it where it looks for the unfinished run of one connector.
CREATE INDEX run_unfinished_age ON run (queued_at) WHERE (status IN ('QUEUED', 'RUNNING', 'WAITING')) IS TRUE;
CREATE INDEX run_failed ON run (completed_at) WHERE status = 'FAILED';
CREATE INDEX tie_out_differing ON tie_out (connector_id, checked_at DESC) WHERE state = 'red';
CREATE INDEX stream_verification_differing ON stream_verification (connector_id) WHERE open_differences > 0;

-- Lists of the provider begin at any name.
CREATE INDEX organisation_company_name ON organisation (company_name, id);

-- What the provider's list of organisations is ordered by in a store with many: a worker computes it again and again.
CREATE TABLE organisation_summary (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  failing integer NOT NULL,
  late integer NOT NULL,
  -- Sources that have used most of their calls of the day.
  near_limit integer NOT NULL,
  never_connected boolean NOT NULL,
  rows bigint NOT NULL,
  -- Of the source nearest to its limit: the part of the day's calls that is used.
  call_share double precision NOT NULL,
  summarised_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX organisation_summary_age ON organisation_summary (summarised_at);
ALTER TABLE organisation_summary ENABLE ROW LEVEL SECURITY;
ALTER TABLE organisation_summary FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON organisation_summary USING (tributary_sees(organisation_id));

-- Every fire changes a connector, and every run its own row several times. By default a table is cleaned when a fifth of it is
-- dead; of millions of rows that is late, and scans of the due times read dead entries.
ALTER TABLE connector SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE run SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
