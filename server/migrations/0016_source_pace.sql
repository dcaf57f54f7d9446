-- The budget of one source key, shared by all processes: calls sent within the window, permits held, pauses. The key is a hash.
CREATE TABLE source_pace (
  key text PRIMARY KEY,
  ledger jsonb NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);
