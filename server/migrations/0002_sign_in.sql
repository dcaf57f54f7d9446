-- What sign-in keeps beside the sessions: attempts counted per account and per address, and the code for the first superadmin.

-- `key` is an HMAC of what is counted, so that the table tells no address and no name.
CREATE TABLE throttle (
  key bytea PRIMARY KEY,
  attempts integer NOT NULL,
  since timestamptz NOT NULL,
  blocked_until timestamptz
);
CREATE INDEX throttle_since ON throttle (since);

-- At most one row: the SHA-256 of the code last shown on the console. Using it deletes it.
CREATE TABLE setup_code (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
