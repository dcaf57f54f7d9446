-- Checklists of a new organisation that its administrators have dismissed. Organisations that work already are not new.
ALTER TABLE organisation ADD COLUMN dismissed_checklists text[] NOT NULL DEFAULT '{}';
UPDATE organisation SET dismissed_checklists = ARRAY['connect']
  WHERE EXISTS (SELECT FROM connector WHERE connector.organisation_id = organisation.id);
UPDATE organisation SET dismissed_checklists = dismissed_checklists || ARRAY['excel']
  WHERE EXISTS (SELECT FROM area WHERE area.organisation_id = organisation.id);

-- The latest complete run of a connector, however many have failed since.
CREATE INDEX run_completed ON run (connector_id, queued_at DESC) WHERE status = 'COMPLETED' AND only_streams IS NULL;
-- The runs of an organisation's last days. Only of ended runs, whose counts no longer change.
CREATE INDEX run_ended ON run (organisation_id, queued_at) INCLUDE (connector_id, status, rows_written)
  WHERE completed_at IS NOT NULL;

-- Calls that runs have made to the API of a source, against its daily limit. Days are in UTC.
CREATE TABLE daily_calls (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  day date NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (day, connector_id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
ALTER TABLE daily_calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE daily_calls FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON daily_calls USING (tributary_sees(organisation_id));
