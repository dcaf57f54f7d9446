-- Backups that were made of this store, and what this store itself was restored from.

CREATE TABLE backup (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- All that was committed before this moment is in it.
  made_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT now(),
  bytes bigint NOT NULL,
  rows bigint NOT NULL
);

CREATE TABLE restore (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- When the backup was made; null where it was none of ours, and nobody said.
  made_at timestamptz,
  restored_at timestamptz NOT NULL DEFAULT now(),
  -- Null until what must not live on after a restore has been ended. Nothing starts before that.
  settled_at timestamptz
);
