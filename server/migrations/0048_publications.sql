-- Publications: views of a target database that show one completed run of each connector of a set, and move forward together.

CREATE TABLE publication_set (
  -- Computed from the organisation and the target database.
  id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- For people: the target database.
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('warehouse', 'postgres', 'mysql', 'sqlserver')),
  is_on boolean NOT NULL,
  tie_out text NOT NULL CHECK (tie_out IN ('green', 'amber', 'any')),
  -- Null: not demanded.
  verified_within_days integer CHECK (verified_within_days > 0),
  -- Null: no incident.
  incident_after_hours integer CHECK (incident_after_hours > 0),
  -- The highest that a publication got.
  last_number bigint NOT NULL DEFAULT 0,
  -- Since when the latest runs do not satisfy the rule.
  stays_since timestamptz,
  -- Why the decided publication could not be made.
  notice text,
  -- When the latest decision was made. Null: it is due.
  decided_at timestamptz,
  changed_by uuid NOT NULL REFERENCES portal_user,
  changed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id)
);
CREATE INDEX publication_set_changed_by ON publication_set (changed_by);

-- A connector loads one database, so it is in one set at most.
CREATE TABLE publication_member (
  organisation_id uuid NOT NULL,
  set_id uuid NOT NULL,
  connector_id uuid PRIMARY KEY,
  -- Why its latest run cannot be published.
  held_because text,
  held_since timestamptz,
  CHECK ((held_because IS NULL) = (held_since IS NULL)),
  FOREIGN KEY (organisation_id, set_id) REFERENCES publication_set (organisation_id, id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX publication_member_of_set ON publication_member (set_id);

-- Runs that their target has prepared for publishing. The latest five of a connector.
CREATE TABLE publication_offer (
  run_id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  set_id uuid NOT NULL,
  -- The cut-off of the run, as the engine writes it, with microseconds. Null: it could not be offered, and why.
  moment text,
  notice text,
  offered_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((moment IS NULL) = (notice IS NOT NULL)),
  FOREIGN KEY (organisation_id, set_id) REFERENCES publication_set (organisation_id, id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX publication_offer_of_connector ON publication_offer (connector_id, offered_at DESC);

-- One without runs removes the views.
CREATE TABLE publication (
  organisation_id uuid NOT NULL,
  set_id uuid NOT NULL,
  number bigint NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT now(),
  -- Null until the target shows it. A set has one such publication at most.
  published_at timestamptz,
  notice text,
  PRIMARY KEY (set_id, number),
  FOREIGN KEY (organisation_id, set_id) REFERENCES publication_set (organisation_id, id)
);
CREATE UNIQUE INDEX publication_pending ON publication (set_id) WHERE published_at IS NULL;
CREATE INDEX publication_age ON publication (published_at);

-- The run of each connector that a publication shows, and what was known of it.
CREATE TABLE publication_run (
  organisation_id uuid NOT NULL,
  set_id uuid NOT NULL,
  number bigint NOT NULL,
  connector_id uuid NOT NULL,
  run_id uuid NOT NULL,
  moment text NOT NULL,
  tie_out text CHECK (tie_out IN ('green', 'amber', 'red')),
  tables integer NOT NULL,
  verified_tables integer NOT NULL,
  verified_since timestamptz,
  PRIMARY KEY (set_id, number, connector_id),
  FOREIGN KEY (set_id, number) REFERENCES publication ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX publication_run_of_connector ON publication_run (connector_id, number DESC);

-- New views are granted to those who may read them.
CREATE TRIGGER access_update AFTER UPDATE ON publication
  FOR EACH ROW WHEN (OLD.published_at IS NULL AND NEW.published_at IS NOT NULL) EXECUTE FUNCTION mark_access_change();

-- A connector that holds a publication back is an incident, next to those of runs.
DROP INDEX incident_open;
CREATE UNIQUE INDEX incident_open ON incident (connector_id, (CASE WHEN kind IN ('tieOut', 'verification', 'publication') THEN kind ELSE '' END))
  WHERE closed_at IS NULL AND kind <> 'closedPeriod';

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['publication_set', 'publication_member', 'publication_offer', 'publication', 'publication_run'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
