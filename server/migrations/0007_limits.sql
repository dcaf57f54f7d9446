-- What the limits of signing in need beside the attempts, and what an account keeps until its owner has it in hand.

-- Failed sign-ins of everybody, by ten minutes, so that an unusual number is noticed. It tells of nobody.
CREATE TABLE sign_in_failure (
  since timestamptz PRIMARY KEY,
  failures integer NOT NULL
);

-- An administrator typed the password: it opens nothing but the change of it.
ALTER TABLE portal_user ADD COLUMN password_is_temporary boolean NOT NULL DEFAULT false;

-- Of somebody who signs up with a Microsoft account: its object id, which the account gets.
ALTER TABLE registration ADD COLUMN ms_oid text;
