-- How many runs were executed at once that no promise of Ready by has started, by quarter of an hour of the week. Starts are planned next to them.
CREATE TABLE run_load (
  -- Since Thursday, 00:00 UTC: 1970 began on a Thursday.
  quarter smallint PRIMARY KEY CHECK (quarter BETWEEN 0 AND 671),
  -- The average of former weeks, in which later weeks count more.
  runs double precision NOT NULL,
  weeks integer NOT NULL,
  -- The quarter that is being sampled, or was last.
  began_at timestamptz NOT NULL,
  sampled double precision NOT NULL,
  samples integer NOT NULL CHECK (samples > 0),
  sampled_at timestamptz NOT NULL
);

-- The provider's list of requests, pending ones first, is a page of many.
CREATE INDEX approval_list ON approval (organisation_id, (status <> 'PENDING'), created_at DESC, id);
