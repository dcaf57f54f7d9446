-- Ready by: times by which the rows of connectors must be ready, the starts that are planned for them, and what came of them.

CREATE TABLE ready_by_wish (
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- Null: the wish of the organisation, for all connectors without a row here.
  connector_id uuid,
  -- False: the connector does not follow the wish of its organisation.
  is_on boolean NOT NULL,
  -- On the clock of the organisation, in minutes since midnight.
  minute smallint NOT NULL CHECK (minute BETWEEN 0 AND 1439),
  -- 1 is Monday, 7 is Sunday.
  days smallint[] NOT NULL CHECK (cardinality(days) BETWEEN 1 AND 7 AND days <@ ARRAY[1, 2, 3, 4, 5, 6, 7]::smallint[]),
  -- How long before the promised time the run may begin at most.
  max_age_hours smallint NOT NULL CHECK (max_age_hours BETWEEN 1 AND 24),
  changed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ready_by_wish_one UNIQUE NULLS NOT DISTINCT (organisation_id, connector_id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);

-- The next promise of each connector that has one.
CREATE TABLE ready_by_plan (
  connector_id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  -- When it is planned next. Null: not before the promised time is over.
  plan_at timestamptz,
  -- The promised time. Null: not planned yet.
  due_at timestamptz,
  -- The rows of a run that begins earlier are too old.
  earliest_at timestamptz,
  start_at timestamptz,
  -- The end that is reserved for the run.
  end_at timestamptz,
  -- When the run of the promise began, or another one was found that keeps it.
  started_at timestamptz,
  run_id uuid,
  -- Why the promise cannot be kept, for programs and for people.
  obstacle text,
  notice text,
  -- The calls of the run, and the key of the source for which they count.
  limit_key text,
  calls integer,
  -- The latest promise whose outcome is known. Later ones are not skipped while no worker runs.
  last_due_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX ready_by_plan_due ON ready_by_plan (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ready_by_plan_at ON ready_by_plan (plan_at) WHERE plan_at IS NOT NULL;
CREATE INDEX ready_by_plan_start ON ready_by_plan (start_at) WHERE start_at IS NOT NULL AND started_at IS NULL;
CREATE INDEX ready_by_plan_end ON ready_by_plan (end_at) WHERE end_at IS NOT NULL;
CREATE INDEX ready_by_plan_key ON ready_by_plan (limit_key) WHERE limit_key IS NOT NULL;
CREATE INDEX ready_by_plan_of_organisation ON ready_by_plan (organisation_id);

CREATE TABLE ready_by_outcome (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  earliest_at timestamptz NOT NULL,
  is_kept boolean NOT NULL,
  -- When the run that kept the promise was over.
  ready_at timestamptz,
  -- Why it was missed, for programs and for people.
  reason text,
  notice text,
  run_id uuid,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, due_at),
  CHECK (is_kept = (reason IS NULL)),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX ready_by_outcome_of_organisation ON ready_by_outcome (organisation_id, due_at DESC);
CREATE INDEX ready_by_outcome_age ON ready_by_outcome (due_at);

-- The memory that each worker has for runs. A worker that stops reporting no longer counts.
CREATE TABLE worker_capacity (
  worker text PRIMARY KEY,
  memory_mb integer NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- Plans the next promise of one connector of the organisation, or of all, at once.
CREATE FUNCTION plan_ready_by(organisation uuid, one_connector uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ready_by_plan (organisation_id, connector_id)
    SELECT connector.organisation_id, connector.id FROM connector
    WHERE connector.organisation_id = organisation AND (one_connector IS NULL OR connector.id = one_connector)
      AND connector.status = 'CONNECTED'
      AND EXISTS (SELECT FROM ready_by_wish AS wish WHERE wish.organisation_id = organisation
        AND (wish.connector_id IS NULL OR wish.connector_id = connector.id))
    ON CONFLICT DO NOTHING;
  UPDATE ready_by_plan SET plan_at = now()
    WHERE organisation_id = organisation AND (one_connector IS NULL OR connector_id = one_connector);
END $$;

CREATE FUNCTION plan_ready_by_of_wish() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM plan_ready_by(coalesce(NEW.organisation_id, OLD.organisation_id), coalesce(NEW.connector_id, OLD.connector_id));
  RETURN NULL;
END $$;
CREATE TRIGGER plan_ready_by AFTER INSERT OR UPDATE OR DELETE ON ready_by_wish
  FOR EACH ROW EXECUTE FUNCTION plan_ready_by_of_wish();

CREATE FUNCTION plan_ready_by_of_connector() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM plan_ready_by(NEW.organisation_id, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER plan_ready_by_insert AFTER INSERT ON connector FOR EACH ROW EXECUTE FUNCTION plan_ready_by_of_connector();
CREATE TRIGGER plan_ready_by_update AFTER UPDATE OF status, awaits_approval, target_down_since ON connector FOR EACH ROW
  WHEN ((OLD.status, OLD.awaits_approval, OLD.target_down_since) IS DISTINCT FROM (NEW.status, NEW.awaits_approval, NEW.target_down_since))
  EXECUTE FUNCTION plan_ready_by_of_connector();

CREATE FUNCTION plan_ready_by_of_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM plan_ready_by(NEW.id, NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER plan_ready_by AFTER UPDATE OF time_zone, archived_at ON organisation FOR EACH ROW
  WHEN ((OLD.time_zone, OLD.archived_at) IS DISTINCT FROM (NEW.time_zone, NEW.archived_at))
  EXECUTE FUNCTION plan_ready_by_of_organisation();

-- A promise that is missed, or will be, is an incident, next to those of runs.
DROP INDEX incident_open;
CREATE UNIQUE INDEX incident_open ON incident
  (connector_id, (CASE WHEN kind IN ('tieOut', 'verification', 'publication', 'readyBy') THEN kind ELSE '' END))
  WHERE closed_at IS NULL AND kind <> 'closedPeriod';

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['ready_by_wish', 'ready_by_plan', 'ready_by_outcome'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
