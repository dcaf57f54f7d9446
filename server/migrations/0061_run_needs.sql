-- Runs by weight: what each run needs, the share of each organisation, and the order in which organisations are served.
-- A worker of the previous version claims single runs without this order; its limit of two runs of an organisation stays.

-- What the finished runs of a connector needed. Memory and seconds decay slowly, so that one exceptional run is forgotten.
CREATE TABLE run_need (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  mode text NOT NULL,
  rows bigint NOT NULL,
  memory_mb double precision NOT NULL CHECK (memory_mb >= 0),
  seconds double precision NOT NULL CHECK (seconds >= 0),
  measured_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, mode),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);

-- The share that the provider has chosen for an organisation. Without a row: two concurrent runs, weight 1.
CREATE TABLE run_share (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  runs_max integer NOT NULL CHECK (runs_max BETWEEN 1 AND 100),
  weight integer NOT NULL CHECK (weight BETWEEN 1 AND 100),
  changed_at timestamptz NOT NULL DEFAULT now()
);

-- Start-time fair queueing: the place of each organisation in the order. Derived from the runs, so backups omit it.
CREATE TABLE run_queue (
  organisation_id uuid PRIMARY KEY REFERENCES organisation,
  -- Some run may be claimable. A worker that finds none sets it to false; a change of a run that may make one claimable sets it to true.
  is_waiting boolean NOT NULL,
  waiting_since timestamptz NOT NULL DEFAULT now(),
  -- The virtual time at which the next run may start: what the organisation has used so far, in megabyte seconds by weight.
  virtual_start double precision NOT NULL,
  -- The virtual start of the last run that was claimed. The highest one of all organisations is the virtual time.
  served double precision NOT NULL DEFAULT 0,
  -- The worker that frees memory for the organisation's next run, which did not fit.
  reserved_by text,
  reserved_until timestamptz
) WITH (fillfactor = 60);
CREATE INDEX run_queue_order ON run_queue (virtual_start, waiting_since) WHERE is_waiting;
CREATE INDEX run_queue_served ON run_queue (served);
CREATE INDEX run_queue_reserved ON run_queue (reserved_by) WHERE reserved_by IS NOT NULL;

-- What the worker set aside for the run when it claimed it. Null: claimed by the previous version.
ALTER TABLE run ADD COLUMN memory_mb integer, ADD COLUMN charge double precision;
CREATE INDEX run_unclaimed ON run (organisation_id, queued_at) WHERE status IN ('QUEUED', 'WAITING');
-- IS TRUE keeps the planner from indexes that have the running runs of all organisations.
CREATE INDEX run_active ON run (organisation_id) WHERE (status = 'RUNNING') IS TRUE AND verifying_since IS NULL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['run_need', 'run_share', 'run_queue'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;

-- Runs that no worker holds, with what they need and what each of them waits for. A run is claimable if `waits_for` is null. This is
-- the only place that decides it. Runs that only verify after their rows are committed do not count towards the share.
CREATE VIEW unclaimed_run WITH (security_invoker = true) AS
  SELECT run.id, run.organisation_id, run.connector_id, run.mode, run.queued_at,
    -- A quarter more than measured, because no two runs are equal.
    CASE
      WHEN need.memory_mb IS NOT NULL THEN greatest(32, ceil(need.memory_mb * 1.25))
      WHEN connector.type IN ('postgres', 'mysql', 'mariadb', 'sqlserver', 'mssql') THEN 128
      ELSE 256
    END::integer AS memory_mb,
    greatest(1, coalesce(need.seconds, 60)) AS seconds,
    coalesce(share.runs_max, 2) AS runs_max,
    coalesce(share.weight, 1) AS weight,
    active.runs AS runs_active,
    CASE
      WHEN run.status = 'WAITING' AND coalesce(run.retry_at > now(), true) THEN 'retry'
      WHEN EXISTS (SELECT FROM run AS former WHERE former.connector_id = run.connector_id AND former.id <> run.id
        AND former.verifying_since IS NOT NULL AND former.status IN ('QUEUED', 'RUNNING', 'WAITING')) THEN 'verification'
      WHEN connector.status <> 'CONNECTED' THEN 'connection'
      WHEN connector.awaits_approval AND run.mode <> 'erase' THEN 'approval'
      WHEN active.runs >= coalesce(share.runs_max, 2) THEN 'share'
    END AS waits_for
  FROM run
  JOIN connector ON connector.id = run.connector_id
  LEFT JOIN run_need AS need ON need.connector_id = run.connector_id AND need.mode = run.mode
  LEFT JOIN run_share AS share ON share.organisation_id = run.organisation_id
  CROSS JOIN LATERAL (SELECT count(*)::integer AS runs FROM run AS other
    WHERE other.organisation_id = run.organisation_id AND (other.status = 'RUNNING') IS TRUE AND other.verifying_since IS NULL) AS active
  WHERE run.status IN ('QUEUED', 'WAITING');

-- Puts an organisation in the order. One that has not waited begins at the virtual time: time without runs earns no credit. Locks
-- nothing of an organisation that waits already, so that schedulers do not wait for each other. A claim that overlooks a run which
-- commits at the same moment is corrected by the wake-up of that run, or by the next sweep.
CREATE FUNCTION tributary_queue_organisations(organisations uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  seen text := coalesce(current_setting('tributary.organisation', true), '');
  virtual_time double precision;
BEGIN
  IF coalesce(cardinality(organisations), 0) = 0 THEN RETURN; END IF;
  -- The virtual time is that of all organisations.
  PERFORM set_config('tributary.organisation', '*', true);
  SELECT coalesce(max(served), 0) INTO virtual_time FROM run_queue;
  INSERT INTO run_queue (organisation_id, is_waiting, virtual_start)
  SELECT id, true, virtual_time FROM (SELECT DISTINCT unnest(organisations) AS id) AS one ORDER BY id
  ON CONFLICT (organisation_id) DO NOTHING;
  UPDATE run_queue SET is_waiting = true, waiting_since = now(), virtual_start = greatest(virtual_start, virtual_time)
  WHERE organisation_id IN (SELECT organisation_id FROM run_queue
    WHERE organisation_id = ANY (organisations) AND NOT is_waiting ORDER BY organisation_id FOR UPDATE);
  PERFORM set_config('tributary.organisation', seen, true);
END $$;

CREATE FUNCTION queue_inserted_runs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tributary_queue_organisations((SELECT array_agg(DISTINCT organisation_id) FROM inserted WHERE status IN ('QUEUED', 'WAITING')));
  RETURN NULL;
END $$;
CREATE TRIGGER queue_insert AFTER INSERT ON run REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION queue_inserted_runs();

-- A run that ended, began to verify or returned to the queue may make another one claimable.
CREATE FUNCTION queue_after_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM run WHERE organisation_id = NEW.organisation_id AND status IN ('QUEUED', 'WAITING')) THEN
    PERFORM tributary_queue_organisations(ARRAY[NEW.organisation_id]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER queue_update AFTER UPDATE ON run FOR EACH ROW
  WHEN ((OLD.status = 'RUNNING' AND NEW.status <> 'RUNNING') OR (OLD.status <> 'QUEUED' AND NEW.status = 'QUEUED')
    OR OLD.verifying_since IS DISTINCT FROM NEW.verifying_since OR (OLD.verifying_since IS NOT NULL AND OLD.status <> NEW.status))
  EXECUTE FUNCTION queue_after_run();
CREATE FUNCTION queue_after_share() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tributary_queue_organisations(ARRAY[NEW.organisation_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER queue_share AFTER INSERT OR UPDATE ON run_share FOR EACH ROW EXECUTE FUNCTION queue_after_share();

-- Claims one run if it is claimable. Exactly once: the run, the organisation's place and the connector are locked before the decision.
-- Waits for no lock: what another transaction holds is claimed later. Returns the run's id, or null. Needs all organisations.
CREATE FUNCTION tributary_claim_run(run_id uuid, worker_name text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  organisation uuid;
  connector uuid;
  place run_queue;
  wanted unclaimed_run;
  next_fence bigint;
  cost double precision;
BEGIN
  SELECT organisation_id, connector_id INTO organisation, connector FROM run
  WHERE id = run_id AND status IN ('QUEUED', 'WAITING') FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO place FROM run_queue WHERE organisation_id = organisation FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- The previous version counts the running runs of an organisation under this lock (transactionLocks.runClaims).
  IF NOT pg_try_advisory_xact_lock(hashtextextended(organisation::text, 1)) THEN RETURN NULL; END IF;
  SELECT fence + 1 INTO next_fence FROM connector AS its WHERE its.id = connector FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO wanted FROM unclaimed_run WHERE id = run_id AND waits_for IS NULL;
  IF NOT FOUND THEN RETURN NULL; END IF;
  cost := wanted.memory_mb * wanted.seconds;
  UPDATE run SET status = 'RUNNING', worker = worker_name, fence = next_fence, attempt = attempt + 1, heartbeat_at = now(),
    started_at = coalesce(started_at, now()), fault_kind = NULL, fault_code = NULL, notice = NULL, remedy = NULL,
    memory_mb = wanted.memory_mb, charge = cost
  WHERE id = run_id;
  UPDATE connector AS its SET fence = next_fence WHERE its.id = connector;
  UPDATE run_queue SET served = place.virtual_start, virtual_start = place.virtual_start + cost / wanted.weight, waiting_since = now(),
    is_waiting = EXISTS (SELECT FROM run WHERE organisation_id = organisation AND status IN ('QUEUED', 'WAITING')),
    reserved_by = NULL, reserved_until = NULL
  WHERE organisation_id = organisation;
  RETURN run_id;
END $$;

-- Claims the next run in the fair order that fits into the free memory; a run larger than all of a worker's memory fits if the worker
-- holds no other (`is_idle`). The first organisation whose run does not fit is reserved: the worker claims nothing else until it fits
-- here or another worker has claimed it, so that small runs cannot delay a large one for ever. Needs all organisations.
-- `is_full`: some run is claimable, and did not fit.
CREATE FUNCTION tributary_claim_next_run(worker_name text, free_mb integer, is_idle boolean, OUT claimed uuid, OUT is_full boolean)
  LANGUAGE plpgsql AS $$
DECLARE
  place run_queue;
  candidate unclaimed_run;
  next_id uuid;
  passed uuid[] := '{}';
BEGIN
  is_full := false;
  SELECT * INTO place FROM run_queue WHERE reserved_by = worker_name AND is_waiting ORDER BY virtual_start LIMIT 1 FOR UPDATE SKIP LOCKED;
  FOR turn IN 1..50 LOOP
    IF place.organisation_id IS NULL THEN
      SELECT * INTO place FROM run_queue WHERE is_waiting AND organisation_id <> ALL (passed)
      ORDER BY virtual_start, waiting_since LIMIT 1 FOR UPDATE SKIP LOCKED;
      EXIT WHEN NOT FOUND;
    END IF;
    candidate := NULL;
    FOR next_id IN SELECT id FROM run WHERE organisation_id = place.organisation_id AND status IN ('QUEUED', 'WAITING') ORDER BY queued_at LOOP
      SELECT * INTO candidate FROM unclaimed_run WHERE id = next_id;
      EXIT WHEN candidate.waits_for IS NULL OR candidate.waits_for = 'share';
    END LOOP;
    IF candidate.id IS NULL OR candidate.waits_for IS NOT NULL THEN
      UPDATE run_queue SET is_waiting = false, reserved_by = NULL, reserved_until = NULL WHERE organisation_id = place.organisation_id;
    ELSIF candidate.memory_mb <= free_mb OR is_idle THEN
      claimed := tributary_claim_run(candidate.id, worker_name);
      EXIT WHEN claimed IS NOT NULL;
    ELSE
      is_full := true;
      IF place.reserved_by IS NULL OR place.reserved_by = worker_name OR place.reserved_until < now() THEN
        UPDATE run_queue SET reserved_by = worker_name, reserved_until = now() + interval '15 seconds'
        WHERE organisation_id = place.organisation_id;
        EXIT;
      END IF;
    END IF;
    passed := passed || place.organisation_id;
    place := NULL;
  END LOOP;
END $$;

-- The memory in MB that running runs hold and claimable runs need, of each organisation as many as its share allows. An autoscaler reads
-- it with a role that may do nothing else: GRANT EXECUTE to that role.
CREATE FUNCTION tributary_needed_memory_mb() RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  seen text := coalesce(current_setting('tributary.organisation', true), '');
  needed bigint;
BEGIN
  PERFORM set_config('tributary.organisation', '*', true);
  SELECT coalesce(sum(memory_mb), 0) INTO needed FROM (
    SELECT coalesce(memory_mb, 256) AS memory_mb FROM run WHERE status = 'RUNNING'
    UNION ALL
    SELECT memory_mb FROM (
      SELECT memory_mb, runs_max - runs_active AS free, row_number() OVER (PARTITION BY organisation_id ORDER BY queued_at, id) AS place
      FROM unclaimed_run WHERE waits_for IS NULL) AS claimable
    WHERE place <= free) AS one;
  PERFORM set_config('tributary.organisation', seen, true);
  RETURN needed;
END $$;
REVOKE EXECUTE ON FUNCTION tributary_needed_memory_mb() FROM PUBLIC;

-- The runs that are waiting now.
SET LOCAL tributary.organisation = '*';
SELECT tributary_queue_organisations(ARRAY(SELECT DISTINCT organisation_id FROM run WHERE status IN ('QUEUED', 'WAITING')));
SET LOCAL tributary.organisation = '';
