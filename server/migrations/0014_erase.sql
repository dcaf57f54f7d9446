-- What of an audit event says who somebody is lies beside it, so that it can be taken away and the chain of hashes still holds.

-- The event keeps an HMAC of what lies beside it, and its hash is over that; without the salt nobody can guess what was there.
CREATE TABLE audit_personal (
  event_id bigint PRIMARY KEY REFERENCES audit_event ON DELETE CASCADE,
  organisation_id uuid REFERENCES organisation,
  salt bytea NOT NULL,
  fields jsonb NOT NULL
);
-- Those that may name somebody else than who did it: what was looked for, and who was linked to what.
CREATE INDEX audit_personal_naming ON audit_personal (event_id) WHERE fields ?| '{search,added,removed}';

ALTER TABLE audit_event
  -- 1: its hash is over all that it says. 2: over the HMAC in the place of what lies beside it. A worker turns 1 into 2; `address`
  -- can go once no store has an event of form 1 left.
  ADD COLUMN form smallint NOT NULL DEFAULT 1 CHECK (form IN (1, 2)),
  ADD COLUMN personal_hash bytea;
-- What somebody did, and what was done to them.
CREATE INDEX audit_event_actor ON audit_event (actor_id);
CREATE INDEX audit_event_object ON audit_event (object_id);
CREATE INDEX audit_event_to_seal ON audit_event (organisation_id, id) WHERE form = 1;

-- Of an event that got a new hash while the one after it still builds on the former: that former hash.
CREATE TABLE audit_bridge (
  event_id bigint PRIMARY KEY,
  organisation_id uuid REFERENCES organisation,
  hash bytea NOT NULL
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['audit_personal', 'audit_bridge'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;

-- What is changed is looked at row by row, as what is deleted is.
CREATE OR REPLACE FUNCTION audit_event_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP IN ('DELETE', 'UPDATE') THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the audit log is only ever added to';
END $$;
-- Once in its life an event hands what is personal to the table beside it. What it says of who did what stays to the letter.
CREATE FUNCTION audit_event_is_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.form = 1 AND NEW.form = 2 AND NEW.address IS NULL AND NEW.detail <@ OLD.detail
    AND (NEW.id, NEW.at, NEW.action, NEW.outcome) = (OLD.id, OLD.at, OLD.action, OLD.outcome)
    AND (NEW.organisation_id, NEW.actor_id, NEW.actor_role, NEW.object_type, NEW.object_id, NEW.session_id, NEW.reference)
      IS NOT DISTINCT FROM (OLD.organisation_id, OLD.actor_id, OLD.actor_role, OLD.object_type, OLD.object_id, OLD.session_id, OLD.reference)
  THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'the audit log is only ever added to';
END $$;
CREATE TRIGGER audit_event_is_sealed BEFORE UPDATE ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_event_is_sealed();

ALTER TABLE portal_user
  -- Of somebody who was erased: who did what stays readable by this number, which is nobody else's.
  ADD COLUMN erased_number integer UNIQUE,
  ADD COLUMN erased_at timestamptz;

-- Who gave it, in this portal: at the source the person may have another address.
ALTER TABLE oauth_grant ADD COLUMN given_by uuid REFERENCES portal_user;
CREATE INDEX oauth_grant_given_by ON oauth_grant (given_by);

-- Those who were erased before; of every organisation.
SET LOCAL tributary.organisation = '*';
WITH gone AS (
  SELECT id, row_number() OVER (ORDER BY created_at, id) AS number FROM portal_user WHERE email_address LIKE 'deleted-%@deleted.invalid'
)
UPDATE portal_user SET last_name = 'user #' || gone.number, erased_number = gone.number, erased_at = now() FROM gone WHERE gone.id = portal_user.id;
UPDATE oauth_grant SET given_by = (
  SELECT user_id FROM authorisation WHERE authorisation.grant_id = oauth_grant.id ORDER BY authorisation.created_at DESC LIMIT 1
);
UPDATE load_slice SET former_by = person.first_name || ' ' || person.last_name
FROM load, portal_user AS person
WHERE load.id = load_slice.former_load_id AND person.id = load.user_id AND person.erased_number IS NOT NULL;
UPDATE oauth_grant SET email_address = NULL, name = person.first_name || ' ' || person.last_name, person = 'deleted-' || oauth_grant.id
FROM portal_user AS person WHERE person.id = given_by AND person.erased_number IS NOT NULL;
SET LOCAL tributary.organisation = '';
