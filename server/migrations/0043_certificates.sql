-- Certificates: what was proven, when and with which verdict. Only added to: a certificate never changes, and its hash can always be checked.

CREATE TABLE certificate (
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- Null: about the organisation as a whole.
  connector_id uuid,
  -- What is certified: `certificateSubjects` of the contract.
  subject text NOT NULL,
  -- Which one of them, for example the run and the month of a tie-out. It is certified once.
  subject_key text NOT NULL,
  title text NOT NULL,
  -- The first day of the month that it is about. Null: about no month.
  period date,
  verdict text NOT NULL,
  -- Canonical JSON, of which the hash is taken.
  document text NOT NULL,
  hash bytea NOT NULL UNIQUE CHECK (hash = sha256(convert_to(document, 'UTF8'))),
  issued_at timestamptz NOT NULL,
  issued_by uuid NOT NULL REFERENCES portal_user,
  UNIQUE (organisation_id, subject, subject_key),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX certificate_organisation ON certificate (organisation_id, issued_at DESC);
CREATE INDEX certificate_connector ON certificate (connector_id) WHERE connector_id IS NOT NULL;
CREATE INDEX certificate_issued_by ON certificate (issued_by);
ALTER TABLE certificate ENABLE ROW LEVEL SECURITY;
ALTER TABLE certificate FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON certificate USING (tributary_sees(organisation_id));

CREATE FUNCTION refuse_certificate_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a certificate cannot be changed';
END $$;
CREATE TRIGGER certificate_is_final BEFORE UPDATE ON certificate FOR EACH ROW EXECUTE FUNCTION refuse_certificate_change();
