-- OAuth for assistants. What a person allows an assistant is an access token whose secrets rotate; the clients register themselves.

CREATE TABLE oauth_client (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- What the program calls itself. It is not verified.
  name text NOT NULL,
  redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX oauth_client_age ON oauth_client (created_at);

-- A token of an assistant has no secret of its own: its secrets are rows of oauth_secret.
ALTER TABLE api_token ALTER COLUMN secret_hash DROP NOT NULL,
  ADD COLUMN oauth_client_id uuid REFERENCES oauth_client,
  ADD CHECK ((secret_hash IS NULL) = (oauth_client_id IS NOT NULL));
CREATE INDEX api_token_of_client ON api_token (oauth_client_id) WHERE oauth_client_id IS NOT NULL;

-- Authorisation codes. A used one stays, so that its reuse ends what it issued.
CREATE TABLE oauth_code (
  code_hash bytea PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  user_id uuid NOT NULL REFERENCES portal_user,
  client_id uuid NOT NULL REFERENCES oauth_client ON DELETE CASCADE,
  redirect_uri text NOT NULL,
  -- The PKCE challenge, S256.
  challenge text NOT NULL,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- What it issued.
  token_id uuid,
  FOREIGN KEY (organisation_id, token_id) REFERENCES api_token (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_code_user ON oauth_code (user_id);
CREATE INDEX oauth_code_client ON oauth_code (client_id);
CREATE INDEX oauth_code_token ON oauth_code (token_id) WHERE token_id IS NOT NULL;
CREATE INDEX oauth_code_age ON oauth_code (expires_at);

-- The secrets of an assistant's token: access tokens, and refresh tokens, of which one is unused.
CREATE TABLE oauth_secret (
  secret_hash bytea PRIMARY KEY,
  organisation_id uuid NOT NULL,
  token_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at timestamptz NOT NULL,
  -- Of a refresh token. Its reuse ends the token.
  used_at timestamptz,
  FOREIGN KEY (organisation_id, token_id) REFERENCES api_token (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_secret_token ON oauth_secret (token_id);
CREATE INDEX oauth_secret_age ON oauth_secret (expires_at);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['oauth_code', 'oauth_secret'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
