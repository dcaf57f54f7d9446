-- Identity and administration: sign-up and approval, verification and devices, external providers, settings, mail.

ALTER TABLE organisation
  ADD COLUMN archived_at timestamptz,
  -- Members may work in it only with a second factor.
  ADD COLUMN requires_mfa boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX organisation_name ON organisation (lower(company_name));

ALTER TABLE portal_user
  ADD COLUMN requires_mfa boolean NOT NULL DEFAULT false,
  -- The object id of a Microsoft account: the claim `oid`.
  ADD COLUMN ms_oid text UNIQUE,
  ADD COLUMN last_sign_in_at timestamptz,
  -- False while an administrator knows the password or has chosen the address: until the owner sets a password with a link of
  -- a mail, somebody else may have been in the account and left a way in.
  ADD COLUMN is_proven boolean NOT NULL DEFAULT true,
  -- Wrong passwords in a row from browsers that are not known; a hundred shut that way in until the owner uses a link.
  ADD COLUMN failed_sign_ins integer NOT NULL DEFAULT 0;

ALTER TABLE session
  ADD COLUMN address text,
  -- What the browser calls itself, in words: 'Firefox on Windows'.
  ADD COLUMN device_name text,
  -- A second factor was proven, or none was asked for by a browser that is trusted.
  ADD COLUMN has_mfa boolean NOT NULL DEFAULT false;

-- A browser that somebody has signed in with. Its cookie holds 256 random bits, of which only the SHA-256 is kept.
CREATE TABLE device (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES portal_user,
  token_hash bytea NOT NULL UNIQUE,
  description text NOT NULL,
  trusted_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  address text
);
CREATE INDEX device_of_user ON device (user_id);

-- One question for a second factor. `reference_hash` is the SHA-256 of what the caller holds.
CREATE TABLE verification (
  reference_hash bytea PRIMARY KEY,
  context text NOT NULL CHECK (context IN ('signin', 'mfa', 'registration')),
  user_id uuid REFERENCES portal_user,
  -- HMAC of the code that went out by e-mail; null until one has.
  code_hash bytea,
  passkey_challenge text,
  tries integer NOT NULL DEFAULT 0,
  -- What follows when it is answered: whether MFA is to be on or off, which registration.
  payload jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  proven_at timestamptz,
  used_at timestamptz
);
CREATE INDEX verification_of_user ON verification (user_id);
CREATE INDEX verification_expiry ON verification (expires_at);

-- An authenticator app. `pending_secret` waits for its first code; both are sealed. `last_step` is the latest time step that
-- was used, so that none is used twice.
CREATE TABLE totp (
  user_id uuid PRIMARY KEY REFERENCES portal_user,
  secret text,
  pending_secret text,
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz
);

CREATE TABLE passkey (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES portal_user,
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkey_of_user ON passkey (user_id);

CREATE TABLE recovery_code (
  user_id uuid NOT NULL REFERENCES portal_user,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, code_hash)
);

-- What a link in a mail opens, once. `code_hash` is the SHA-256 of the code in the link.
CREATE TABLE link_code (
  code_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('registration', 'signin', 'invitation', 'reset', 'approval')),
  -- What it is about: a registration, a user, an invitation, an approval.
  subject_id uuid NOT NULL,
  payload jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX link_code_subject ON link_code (subject_id, purpose);
CREATE INDEX link_code_expiry ON link_code (expires_at);

-- Somebody who signs up, from the form to the decision.
CREATE TABLE registration (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  first_name text NOT NULL,
  last_name text NOT NULL,
  email_address text NOT NULL,
  password_hash text,
  company_name text NOT NULL,
  -- The external identity it began with.
  issuer text,
  subject text,
  provider text,
  -- Of the browser that brought the identity, where nobody vouches that the address is the same person's.
  browser_hash bytea,
  -- The account that was there already, once the applicant has proven with its password that it is theirs.
  linked_user_id uuid REFERENCES portal_user,
  verified_at timestamptz,
  finalised_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX registration_email ON registration (lower(email_address));

-- Null organisation: the request for a new one, which the provider decides.
CREATE TABLE approval (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The name the applicant knows it by; worth nothing on the deciding side.
  applicant_handle uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  organisation_id uuid REFERENCES organisation,
  registration_id uuid NOT NULL UNIQUE REFERENCES registration,
  type text NOT NULL CHECK (type IN ('NEW_ORGANISATION', 'JOIN_ORGANISATION')),
  status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED')),
  context jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  decided_by uuid REFERENCES portal_user
);
CREATE INDEX approval_of_organisation ON approval (organisation_id, status);

-- Somebody who was asked to join and has not answered yet.
CREATE TABLE invitation (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  email_address text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role_id uuid NOT NULL REFERENCES role,
  invited_by uuid NOT NULL REFERENCES portal_user,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz NOT NULL DEFAULT now(),
  accepted_at timestamptz,
  UNIQUE (organisation_id, id)
);
CREATE UNIQUE INDEX invitation_open ON invitation (organisation_id, lower(email_address)) WHERE accepted_at IS NULL;

-- An account at another provider that opens this one: known by issuer and subject, never by its address.
CREATE TABLE external_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  provider text NOT NULL,
  user_id uuid NOT NULL REFERENCES portal_user,
  email_address text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX external_identity_of_user ON external_identity (user_id);

-- A trip to a provider, from our redirect to its answer; the state is 256 random bits, bound to the browser by a cookie.
CREATE TABLE external_login (
  state_hash bytea PRIMARY KEY,
  browser_hash bytea NOT NULL,
  provider text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('signin', 'signup', 'link')),
  user_id uuid REFERENCES portal_user,
  nonce text NOT NULL,
  pkce_verifier text NOT NULL,
  return_path text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

-- A verified external identity that waits for a sign-up: `atid` is what the browser holds, its SHA-256 what is kept.
CREATE TABLE pending_identity (
  atid_hash bytea PRIMARY KEY,
  issuer text NOT NULL,
  subject text NOT NULL,
  provider text NOT NULL,
  email_address text,
  is_email_verified boolean NOT NULL,
  first_name text,
  last_name text,
  ms_oid text,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

-- A proof of work that was handed in: each counts once, until it would have expired anyway.
CREATE TABLE captcha_used (
  challenge_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- What the provider has changed from the defaults.
CREATE TABLE setting (
  key text PRIMARY KEY,
  value boolean NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by uuid REFERENCES portal_user
);

-- Mail that is to go out, written by the transaction that causes it. `body` is sealed, for it holds links and codes.
CREATE TABLE mail (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- The same at each attempt, so that a mail that went out twice is shown once.
  message_id text NOT NULL UNIQUE,
  recipient text NOT NULL,
  template text NOT NULL,
  -- Taken away once the mail is out; a trial keeps it for its mailbox.
  body text,
  created_at timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  sent_at timestamptz,
  gave_up_at timestamptz,
  last_error text
);
CREATE INDEX mail_due ON mail (next_attempt_at) WHERE sent_at IS NULL AND gave_up_at IS NULL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['approval', 'invitation'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
