-- The store's first shape: people, organisations, sessions, the audit log, connectors and their runs.
-- Every table of an organisation carries organisation_id and is shut by row level security: a transaction sees the one
-- organisation that `tributary.organisation` names, all of them where it is '*', and none where nobody has set it.

CREATE FUNCTION tributary_sees(organisation uuid) RETURNS boolean
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN current_setting('tributary.organisation', true) = '*'
      OR organisation = CASE WHEN current_setting('tributary.organisation', true) IN ('', '*') THEN NULL
                             ELSE current_setting('tributary.organisation', true)::uuid END;

CREATE TABLE role (
  id uuid PRIMARY KEY,
  name text NOT NULL UNIQUE,
  display_name text NOT NULL,
  role_level smallint NOT NULL UNIQUE
);
INSERT INTO role (id, name, display_name, role_level) VALUES
  ('00000000-0000-4000-8000-000000000010', 'superadmin', 'Superadmin', 0),
  ('00000000-0000-4000-8000-000000000011', 'provideradmin', 'Provider admin', 1),
  ('00000000-0000-4000-8000-000000000012', 'admin', 'Admin', 2),
  ('00000000-0000-4000-8000-000000000013', 'user', 'User', 3),
  ('00000000-0000-4000-8000-000000000014', 'guest', 'Guest', 4);

CREATE TABLE status (id uuid PRIMARY KEY, name text NOT NULL UNIQUE);
INSERT INTO status (id, name) VALUES
  ('00000000-0000-4000-8000-000000000020', 'active'),
  ('00000000-0000-4000-8000-000000000021', 'locked'),
  ('00000000-0000-4000-8000-000000000022', 'archived');

CREATE TABLE organisation (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  company_name text NOT NULL CHECK (company_name <> ''),
  -- A short stable slug of the name; part of addresses, so it never changes.
  key text NOT NULL UNIQUE,
  time_zone text NOT NULL DEFAULT 'UTC',
  created_at timestamptz NOT NULL DEFAULT now()
);

-- People belong to no single organisation: memberships tie them to theirs.
CREATE TABLE portal_user (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  first_name text NOT NULL,
  last_name text NOT NULL,
  email_address text NOT NULL,
  password_hash text,
  -- Levels 0 and 1 belong to the user; 2 to 4 to a membership.
  provider_role_id uuid REFERENCES role,
  status_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000020' REFERENCES status,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX portal_user_email ON portal_user (lower(email_address));

CREATE TABLE membership (
  organisation_id uuid NOT NULL REFERENCES organisation,
  user_id uuid NOT NULL REFERENCES portal_user,
  role_id uuid NOT NULL REFERENCES role,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organisation_id, user_id)
);
CREATE INDEX membership_user ON membership (user_id);

CREATE TABLE session (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES portal_user,
  -- The organisation that the access tokens of this session speak for.
  organisation_id uuid REFERENCES organisation,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_active_at timestamptz NOT NULL DEFAULT now(),
  -- SHA-256 of the refresh token in force and of the one before it, which answers the same successor for a short while.
  refresh_hash bytea NOT NULL UNIQUE,
  former_hash bytea UNIQUE,
  rotated_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  ended_because text
);
CREATE INDEX session_of_user ON session (user_id) WHERE ended_at IS NULL;

-- Written once, never changed. Each organisation's events form a chain of hashes; those of none form the provider's.
CREATE TABLE audit_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  organisation_id uuid REFERENCES organisation,
  actor_id uuid,
  actor_role text,
  action text NOT NULL,
  object_type text,
  object_id text,
  outcome text NOT NULL CHECK (outcome IN ('success', 'refused', 'failure')),
  detail jsonb NOT NULL DEFAULT '{}',
  address text,
  session_id uuid,
  reference text,
  former_hash bytea,
  hash bytea NOT NULL
);
CREATE INDEX audit_event_organisation ON audit_event (organisation_id, id DESC);
CREATE FUNCTION audit_event_is_final() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'the audit log is only ever added to'; END $$;
CREATE TRIGGER audit_event_is_final BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_event
  FOR EACH STATEMENT EXECUTE FUNCTION audit_event_is_final();

-- One data key an organisation (null: the platform's own), wrapped by the master key of the version named.
CREATE TABLE data_key (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid REFERENCES organisation,
  master_version integer NOT NULL,
  wrapped text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz
);
CREATE UNIQUE INDEX data_key_current ON data_key (coalesce(organisation_id, '00000000-0000-0000-0000-000000000000'))
  WHERE retired_at IS NULL;

CREATE TABLE connector (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  key text NOT NULL,
  type text NOT NULL,
  name text NOT NULL CHECK (name <> ''),
  original_name text NOT NULL,
  status text NOT NULL DEFAULT 'CONNECTED' CHECK (status IN ('CONNECTED', 'DISCONNECTED', 'DELETED')),
  schedule text,
  -- Due time of the next scheduled run; null without a schedule, and while a person must act first.
  next_run_at timestamptz,
  -- Grows with every claim of a run; the target refuses a worker whose fence is older.
  fence bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id),
  UNIQUE (organisation_id, key)
);
CREATE UNIQUE INDEX connector_name ON connector (organisation_id, lower(name)) WHERE status <> 'DELETED';
CREATE INDEX connector_due ON connector (next_run_at) WHERE next_run_at IS NOT NULL;

-- Values as section 7 names them; a secret is stored as its ciphertext, in the place of the clear text.
CREATE TABLE connector_property (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  name text NOT NULL,
  value jsonb NOT NULL,
  PRIMARY KEY (connector_id, name),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);

CREATE TABLE connector_user (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (connector_id, user_id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id),
  FOREIGN KEY (organisation_id, user_id) REFERENCES membership (organisation_id, user_id) ON DELETE CASCADE
);

CREATE TABLE run (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'QUEUED'
    CHECK (status IN ('QUEUED', 'RUNNING', 'WAITING', 'COMPLETED', 'FAILED', 'CANCELLED')),
  mode text NOT NULL CHECK (mode IN ('incremental', 'full')),
  trigger text NOT NULL CHECK (trigger IN ('person', 'schedule')),
  triggered_by uuid REFERENCES portal_user,
  queued_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  completed_at timestamptz,
  retry_at timestamptz,
  attempt integer NOT NULL DEFAULT 0,
  fence bigint,
  worker text,
  heartbeat_at timestamptz,
  cancel_requested_at timestamptz,
  fault_kind text CHECK (fault_kind IN ('settings', 'signIn', 'busy', 'passing', 'data', 'bug')),
  fault_code text,
  notice text,
  rows_read bigint NOT NULL DEFAULT 0,
  rows_written bigint NOT NULL DEFAULT 0,
  rows_updated bigint NOT NULL DEFAULT 0,
  rows_deleted bigint NOT NULL DEFAULT 0,
  rows_rejected bigint NOT NULL DEFAULT 0,
  UNIQUE (organisation_id, id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
-- One unfinished run a connector, whoever asks for another.
CREATE UNIQUE INDEX run_open ON run (connector_id) WHERE status IN ('QUEUED', 'RUNNING', 'WAITING');
CREATE INDEX run_of_connector ON run (connector_id, queued_at DESC);
CREATE INDEX run_unfinished ON run (status, heartbeat_at) WHERE status IN ('QUEUED', 'RUNNING', 'WAITING');

CREATE TABLE run_stream (
  organisation_id uuid NOT NULL,
  run_id uuid NOT NULL,
  name text NOT NULL,
  ordinal integer NOT NULL,
  table_name text NOT NULL,
  phase text NOT NULL,
  rows_read bigint NOT NULL DEFAULT 0,
  rows_written bigint NOT NULL DEFAULT 0,
  rows_updated bigint NOT NULL DEFAULT 0,
  rows_deleted bigint NOT NULL DEFAULT 0,
  rows_rejected bigint NOT NULL DEFAULT 0,
  rows_estimate bigint,
  notice text,
  PRIMARY KEY (run_id, name),
  FOREIGN KEY (organisation_id, run_id) REFERENCES run (organisation_id, id) ON DELETE CASCADE
);

CREATE TABLE run_line (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id uuid NOT NULL,
  run_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  level text NOT NULL CHECK (level IN ('info', 'warn', 'error')),
  text text NOT NULL,
  FOREIGN KEY (organisation_id, run_id) REFERENCES run (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX run_line_of_run ON run_line (run_id, id);

-- A copy, for the screen, of what the target's own tributary_reject keeps; at most a thousand a run.
CREATE TABLE run_rejected (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id uuid NOT NULL,
  run_id uuid NOT NULL,
  table_name text NOT NULL,
  column_name text,
  reason text NOT NULL,
  row jsonb NOT NULL,
  FOREIGN KEY (organisation_id, run_id) REFERENCES run (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX run_rejected_of_run ON run_rejected (run_id, id);

-- An organisation's own database in the product's warehouse, with a login that may only read.
CREATE TABLE warehouse (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  database_name text NOT NULL UNIQUE,
  writer_name text NOT NULL UNIQUE,
  reader_name text NOT NULL UNIQUE,
  -- The writer's password, sealed; the reader's is told once and kept nowhere but in the warehouse itself.
  writer_secret text NOT NULL,
  reader_password_set_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['membership', 'audit_event', 'data_key', 'connector', 'connector_property', 'connector_user',
                              'run', 'run_stream', 'run_line', 'run_rejected', 'warehouse'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
ALTER TABLE organisation ENABLE ROW LEVEL SECURITY;
ALTER TABLE organisation FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON organisation USING (tributary_sees(id));
