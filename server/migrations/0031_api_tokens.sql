-- Access tokens for programs, and the service accounts of organisations, which hold tokens that do not depend on a person.

-- A service account is a member of one organisation that cannot sign in.
ALTER TABLE portal_user ADD COLUMN is_service boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT is_service OR (password_hash IS NULL AND provider_role_id IS NULL AND ms_oid IS NULL));
ALTER TABLE organisation ADD COLUMN allows_tokens boolean NOT NULL DEFAULT true;

CREATE TABLE api_token (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- The person or the service account that the token acts for.
  user_id uuid NOT NULL REFERENCES portal_user,
  name text NOT NULL,
  -- SHA-256 of the whole token.
  secret_hash bytea NOT NULL UNIQUE,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid REFERENCES portal_user,
  expires_at timestamptz NOT NULL,
  last_used_at timestamptz,
  last_used_address text,
  last_used_program text,
  revoked_at timestamptz,
  revoked_by uuid REFERENCES portal_user,
  -- When the owner was told that it expires soon.
  expiry_mailed_at timestamptz,
  UNIQUE (organisation_id, id)
);
CREATE INDEX api_token_of_user ON api_token (user_id);
CREATE INDEX api_token_expiry ON api_token (expires_at) WHERE revoked_at IS NULL AND expiry_mailed_at IS NULL;

-- Calls made with a token. Days are in UTC.
CREATE TABLE api_token_use (
  organisation_id uuid NOT NULL,
  token_id uuid NOT NULL,
  day date NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (token_id, day),
  FOREIGN KEY (organisation_id, token_id) REFERENCES api_token (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX api_token_use_age ON api_token_use (day);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['api_token', 'api_token_use'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
