-- Expands: warehouses on several PostgreSQL servers, and their moves from one to another.

CREATE TABLE warehouse_server (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (name <> ''),
  region text CHECK (region <> ''),
  -- The server of the settings. The columns of the address are null: the settings have it.
  is_default boolean NOT NULL DEFAULT false,
  host text,
  port integer CHECK (port BETWEEN 1 AND 65535),
  database_name text,
  user_name text,
  -- Encrypted.
  password text,
  tls text NOT NULL DEFAULT 'off' CHECK (tls IN ('off', 'on', 'verified')),
  ca_certificate text,
  -- Where reporting tools connect, if it is not the address above, such as that of a proxy.
  reader_host text CHECK (reader_host <> ''),
  reader_port integer CHECK (reader_port BETWEEN 1 AND 65535),
  accepts_new boolean NOT NULL DEFAULT true,
  -- Null: not limited.
  databases_max integer CHECK (databases_max >= 0),
  size_max_bytes bigint CHECK (size_max_bytes >= 0),
  -- What the last check found.
  checked_at timestamptz,
  size_bytes bigint,
  unreachable_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (is_default = (host IS NULL)),
  CHECK (is_default OR (port IS NOT NULL AND database_name IS NOT NULL AND user_name IS NOT NULL AND password IS NOT NULL))
);
CREATE UNIQUE INDEX warehouse_server_name ON warehouse_server (lower(name));
CREATE UNIQUE INDEX warehouse_server_default ON warehouse_server (is_default) WHERE is_default;
INSERT INTO warehouse_server (id, name, is_default) VALUES ('00000000-0000-4000-8000-000000000001', 'Default', true);

ALTER TABLE warehouse
  ADD COLUMN server_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000001' REFERENCES warehouse_server,
  -- Since when nothing may write to it, because it is about to continue on another server.
  ADD COLUMN writers_held_at timestamptz;
CREATE INDEX warehouse_server_id ON warehouse (server_id);

-- The region that the organisation's warehouse must be in. Null: any.
ALTER TABLE organisation ADD COLUMN data_region text CHECK (data_region <> '');

CREATE TABLE warehouse_move (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  from_server uuid NOT NULL REFERENCES warehouse_server,
  to_server uuid NOT NULL REFERENCES warehouse_server CHECK (to_server <> from_server),
  -- COPYING: tables are copied while runs continue. HOLDING: writers are held, and the last changes are copied. VERIFYING: both
  -- copies are compared. SWITCHED: the organisation is on the new server, and the old one is being closed. KEPT: the old copy
  -- waits to be dropped.
  state text NOT NULL DEFAULT 'COPYING'
    CHECK (state IN ('COPYING', 'HOLDING', 'VERIFYING', 'SWITCHED', 'KEPT', 'DONE', 'FAILED', 'CANCELLED')),
  -- Whether logins may read the old copy, which says since when it is stale, until it is dropped.
  keeps_readable boolean NOT NULL DEFAULT false,
  -- Only the worker with the highest number changes the row.
  fence integer NOT NULL DEFAULT 0,
  heartbeat_at timestamptz,
  retry_at timestamptz,
  cancel_requested_at timestamptz,
  notice text,
  tables_total integer NOT NULL DEFAULT 0,
  tables_done integer NOT NULL DEFAULT 0,
  rows_copied bigint NOT NULL DEFAULT 0,
  requested_at timestamptz NOT NULL,
  held_at timestamptz,
  switched_at timestamptz,
  drop_at timestamptz,
  ended_at timestamptz
);
CREATE UNIQUE INDEX warehouse_move_active ON warehouse_move (organisation_id)
  WHERE state IN ('COPYING', 'HOLDING', 'VERIFYING', 'SWITCHED');
CREATE INDEX warehouse_move_organisation ON warehouse_move (organisation_id, requested_at);
CREATE INDEX warehouse_move_open ON warehouse_move (state) WHERE ended_at IS NULL;
CREATE INDEX warehouse_move_from ON warehouse_move (from_server);
CREATE INDEX warehouse_move_to ON warehouse_move (to_server);
ALTER TABLE warehouse_move ENABLE ROW LEVEL SECURITY;
ALTER TABLE warehouse_move FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON warehouse_move USING (tributary_sees(organisation_id));
