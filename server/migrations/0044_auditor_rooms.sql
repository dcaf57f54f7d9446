-- Auditor rooms: what a named outsider may read, until when, and what they looked at.

-- Null: without an end. Otherwise the membership of an auditor room, which gives no rights from then on.
ALTER TABLE membership ADD COLUMN expires_at timestamptz;

CREATE TABLE auditor_room (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email_address text NOT NULL,
  -- Null: the invitation has not been accepted yet.
  user_id uuid REFERENCES portal_user,
  connector_ids uuid[] NOT NULL CHECK (cardinality(connector_ids) > 0),
  -- First days of months. Null: without a limit.
  period_from date,
  period_to date,
  ends_at timestamptz NOT NULL,
  -- When it ended, by its date or by a person.
  ended_at timestamptz,
  created_by uuid NOT NULL REFERENCES portal_user,
  created_at timestamptz NOT NULL,
  UNIQUE (organisation_id, id),
  CHECK (period_from <= period_to)
);
CREATE UNIQUE INDEX auditor_room_open ON auditor_room (organisation_id, lower(email_address)) WHERE ended_at IS NULL;
CREATE INDEX auditor_room_user ON auditor_room (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX auditor_room_created_by ON auditor_room (created_by);
CREATE INDEX auditor_room_ends ON auditor_room (ends_at) WHERE ended_at IS NULL;

-- What was looked at, by day in UTC. Downloads are in the audit log.
CREATE TABLE auditor_look (
  organisation_id uuid NOT NULL,
  room_id uuid NOT NULL,
  what text NOT NULL,
  -- The id of a connector or a certificate, or the name of a table. Empty: neither.
  object text NOT NULL,
  day date NOT NULL,
  looks integer NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (room_id, what, object, day),
  FOREIGN KEY (organisation_id, room_id) REFERENCES auditor_room (organisation_id, id) ON DELETE CASCADE
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['auditor_room', 'auditor_look'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
