-- The virtual time moves with each claim by the run's cost, divided by the weight of all organisations that are served or wait. Before, it
-- was the virtual start of the latest claim, so the second run of an organisation waited behind the first one of every organisation that
-- had used nothing (decision 0097).
--
-- The weight of the organisations with a running or a claimable run. At most a thousand that wait are counted: what a claim costs must not
-- grow with the queue, and the order between so many is close to that of arrival anyway. Needs all organisations.
CREATE FUNCTION tributary_served_weight() RETURNS double precision LANGUAGE sql STABLE AS $$
  SELECT greatest(1, sum(coalesce(share.weight, 1)))
  FROM (
    SELECT organisation_id FROM run WHERE (status = 'RUNNING') IS TRUE AND verifying_since IS NULL
    UNION
    (SELECT organisation_id FROM run_queue WHERE is_waiting LIMIT 1000)
  ) AS served
  LEFT JOIN run_share AS share USING (organisation_id)
$$;

-- Claims one run if it is claimable. Exactly once: the run, the organisation's place and the connector are locked before the decision.
-- Waits for no lock: what another transaction holds is claimed later. Returns the run's id, or null. Needs all organisations.
CREATE OR REPLACE FUNCTION tributary_claim_run(run_id uuid, worker_name text) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  organisation uuid;
  connector uuid;
  place run_queue;
  wanted unclaimed_run;
  next_fence bigint;
  cost double precision;
  virtual_time double precision;
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
  SELECT greatest(place.virtual_start, coalesce(max(served), 0) + cost / tributary_served_weight()) INTO virtual_time FROM run_queue;
  UPDATE run_queue SET served = virtual_time, virtual_start = place.virtual_start + cost / wanted.weight, waiting_since = now(),
    is_waiting = EXISTS (SELECT FROM run WHERE organisation_id = organisation AND status IN ('QUEUED', 'WAITING')),
    reserved_by = NULL, reserved_until = NULL
  WHERE organisation_id = organisation;
  RETURN run_id;
END $$;
