-- Calls by stream and by the key of the rate limit that they count for, with the bytes of their replies.
-- Calls that belong to no stream have the stream ''. Former rows know neither stream nor key.
ALTER TABLE daily_calls
  ADD COLUMN limit_key text NOT NULL DEFAULT '',
  ADD COLUMN stream text NOT NULL DEFAULT '',
  ADD COLUMN bytes bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT daily_calls_pkey,
  ADD PRIMARY KEY (day, connector_id, limit_key, stream);
-- The days of one connector, and the connectors that share a key.
CREATE INDEX daily_calls_of_connector ON daily_calls (connector_id, day);
CREATE INDEX daily_calls_of_key ON daily_calls (limit_key, day) WHERE limit_key <> '';
