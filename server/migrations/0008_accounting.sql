-- Sources that people authorise: apps, grants, the companies they reach; accounting products; tie-outs.

-- Apps of an organisation's own at a source. `machine`: a custom connection, which reaches one company by itself.
CREATE TABLE oauth_app (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  type text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('app', 'machine')),
  client_id text NOT NULL,
  -- Sealed.
  client_secret text NOT NULL,
  created_by uuid REFERENCES portal_user,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id),
  UNIQUE (organisation_id, type, client_id)
);
-- Of apps that people authorise each organisation has one a type.
CREATE UNIQUE INDEX oauth_app_own ON oauth_app (organisation_id, type) WHERE kind = 'app';

-- What one person has given to one app. It belongs to no organisation: a person may open companies of several to the provider's app.
CREATE TABLE oauth_grant (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  type text NOT NULL,
  -- Null: the provider's app, which the configuration names.
  app_id uuid REFERENCES oauth_app ON DELETE CASCADE,
  client_id text NOT NULL,
  -- The person's id at the source; empty for a custom connection.
  person text NOT NULL,
  email_address text,
  name text,
  scopes text[] NOT NULL DEFAULT '{}',
  -- Sealed, both. The access token with the version that it came with.
  refresh_token text,
  access_token text,
  access_expires_at timestamptz,
  -- Grows with every token that is stored.
  version bigint NOT NULL DEFAULT 1,
  -- Set before the source is asked for a new token and cleared with the answer; left over, the answer was lost.
  intent_version bigint,
  intent_at timestamptz,
  -- When the source last gave a refresh token: it dies sixty days later.
  refreshed_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  dead_at timestamptz,
  -- When its death, or that it is near, was told.
  warned_at timestamptz,
  told_at timestamptz,
  -- Two organisations may bring the same app; each then has a grant of its own.
  UNIQUE NULLS NOT DISTINCT (type, app_id, client_id, person)
);
CREATE INDEX oauth_grant_alive ON oauth_grant (refreshed_at) WHERE dead_at IS NULL;

-- The companies that a grant reaches, as the source last told.
CREATE TABLE oauth_tenant (
  grant_id uuid NOT NULL REFERENCES oauth_grant ON DELETE CASCADE,
  tenant_id uuid NOT NULL,
  -- The source's id of the link between person, app and company.
  connection_id text,
  name text NOT NULL,
  country text,
  currency text,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (grant_id, tenant_id)
);
CREATE INDEX oauth_tenant_of ON oauth_tenant (tenant_id);

-- Which company a connector moves, and by which grant. It outlives the connection, so that another company is noticed.
CREATE TABLE connector_tenant (
  connector_id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  type text NOT NULL,
  tenant_id uuid NOT NULL,
  name text NOT NULL,
  country text,
  currency text,
  -- Null once the connector is disconnected.
  grant_id uuid REFERENCES oauth_grant ON DELETE SET NULL,
  connected_at timestamptz NOT NULL DEFAULT now(),
  released_at timestamptz,
  -- Another company took the place of the former one, whose checkpoints say nothing of it; until a whole run has brought all of it.
  reads_anew boolean NOT NULL DEFAULT false,
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
-- A company is moved by one connector, whosever.
CREATE UNIQUE INDEX connector_tenant_one ON connector_tenant (type, tenant_id) WHERE released_at IS NULL;
CREATE INDEX connector_tenant_by_grant ON connector_tenant (grant_id);

-- A trip to a source to authorise, and what is left to choose after it. The state is 256 random bits, bound to browser and session.
CREATE TABLE authorisation (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  user_id uuid NOT NULL REFERENCES portal_user,
  session_id uuid NOT NULL,
  type text NOT NULL,
  app_id uuid,
  -- The connector that is to be connected again.
  connector_id uuid,
  state_hash bytea NOT NULL UNIQUE,
  browser_hash bytea NOT NULL,
  -- Sealed.
  pkce_verifier text NOT NULL,
  nonce text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- What came of it, and which companies were opened in this very trip.
  grant_id uuid REFERENCES oauth_grant ON DELETE CASCADE,
  tenant_ids uuid[],
  chosen_at timestamptz,
  FOREIGN KEY (organisation_id, app_id) REFERENCES oauth_app (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);

-- Where a product's tables are written, where that is not where the organisation's own are.
CREATE TABLE product_credential (
  connector_id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('mssql', 'postgres', 'mysql')),
  host text NOT NULL,
  database_name text NOT NULL,
  schema_name text NOT NULL,
  user_name text NOT NULL,
  encryption text NOT NULL CHECK (encryption IN ('verify', 'encrypt', 'off')),
  -- Sealed.
  password text NOT NULL,
  saved_by uuid REFERENCES portal_user,
  saved_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);

-- What comparing the target with the source's own report came to, run by run.
CREATE TABLE tie_out (
  run_id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('green', 'amber', 'red')),
  notice text,
  company text NOT NULL,
  currency text,
  basis text NOT NULL CHECK (basis IN ('documents', 'journals')),
  -- First days of months.
  mended text[] NOT NULL DEFAULT '{}',
  accounts integer NOT NULL,
  differing integer NOT NULL,
  checked_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX tie_out_of_connector ON tie_out (connector_id, checked_at DESC);

-- The lines of a connector's latest one.
CREATE TABLE tie_out_line (
  connector_id uuid NOT NULL,
  organisation_id uuid NOT NULL,
  period date NOT NULL,
  account_id text NOT NULL,
  code text,
  name text NOT NULL,
  computed numeric NOT NULL,
  reported numeric NOT NULL,
  state text NOT NULL CHECK (state IN ('green', 'amber', 'red')),
  notice text,
  -- Of accounts that differ: the documents behind the computed figure.
  documents jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (connector_id, period, account_id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);

-- A tie-out that differs is an incident beside whatever else its connector may need.
DROP INDEX incident_open;
CREATE UNIQUE INDEX incident_open ON incident (connector_id, (kind = 'tieOut')) WHERE closed_at IS NULL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['oauth_app', 'connector_tenant', 'authorisation', 'product_credential', 'tie_out', 'tie_out_line'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
