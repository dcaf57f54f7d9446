-- When, from where and by which program the read-only login of a warehouse was last seen; null while it never was.
ALTER TABLE warehouse
  ADD COLUMN reader_seen_at timestamptz,
  ADD COLUMN reader_seen_address text,
  ADD COLUMN reader_seen_program text;

-- Of the browser that signed up; null where it was not sent.
ALTER TABLE registration ADD COLUMN time_zone text;
