-- What is swept by its age is found by its age, and the audit log is cut only where a cut says so.

CREATE INDEX run_line_age ON run_line (at);
CREATE INDEX run_age ON run (completed_at) WHERE completed_at IS NOT NULL;
CREATE INDEX session_age ON session (last_active_at);
CREATE INDEX incident_age ON incident (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);
CREATE INDEX audit_event_age ON audit_event (organisation_id, at);

-- Up to which event a chain was cleared away, and that event's hash, on which the first one left builds.
CREATE TABLE audit_cut (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id uuid REFERENCES organisation,
  through_id bigint NOT NULL,
  hash bytea NOT NULL,
  cut_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (organisation_id)
);
ALTER TABLE audit_cut ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_cut FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON audit_cut USING (tributary_sees(organisation_id));

-- What is deleted is looked at row by row; all else stays refused.
CREATE OR REPLACE FUNCTION audit_event_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the audit log is only ever added to';
END $$;
CREATE FUNCTION audit_event_is_cut() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM audit_cut WHERE organisation_id IS NOT DISTINCT FROM OLD.organisation_id AND through_id >= OLD.id) THEN
    RAISE EXCEPTION 'the audit log is only ever added to';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER audit_event_is_cut BEFORE DELETE ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_event_is_cut();
