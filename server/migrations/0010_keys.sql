-- Keys of the server itself, each wrapped by the master key of the version named: what it signs, and the pepper of passwords.
-- The newest of a root makes new things; the others check what was made with them, until they are retired and their rows go.
CREATE TABLE server_key (
  id uuid PRIMARY KEY,
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  root text NOT NULL CHECK (root IN ('signing', 'pepper')),
  master_version integer NOT NULL,
  wrapped text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The signing key that a session's cookies, and a browser's latest one, were made with. No foreign key: with every sign-in it
-- would lock the one row that all of them name.
ALTER TABLE session ADD COLUMN signing_key_id uuid;
ALTER TABLE device ADD COLUMN signing_key_id uuid;
