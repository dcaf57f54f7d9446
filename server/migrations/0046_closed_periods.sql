-- Closed periods: up to which day a connector's documents are closed, up to which cut-off its runs were examined, and what changed.

CREATE TABLE closed_period (
  connector_id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  is_on boolean NOT NULL,
  administrator_date date,
  -- Of a source without a ledger: a table with dated rows. Names are those of the source.
  stream text,
  date_column text,
  number_column text,
  account_column text,
  amount_column text,
  changed_by uuid NOT NULL REFERENCES portal_user,
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- Cut-offs of runs, as the engine writes them, with microseconds: examined up to, from where that run began, and the first one.
  examined_up_to text,
  examined_from text,
  examined_since text,
  examined_by uuid,
  -- The lock dates of the source at examined_up_to.
  period_lock_date date,
  year_end_lock_date date,
  -- The last closed day by lock dates and administrator at examined_up_to, and at examined_from.
  closed_through date,
  closed_through_before date,
  -- Why the examination began again, and why the last run could not be examined.
  notice text,
  fault text,
  CHECK ((stream IS NULL) = (date_column IS NULL)),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX closed_period_changed_by ON closed_period (changed_by);

-- How the last closed day moved, as runs saw it.
CREATE TABLE closed_period_date (
  run_id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  date_before date,
  date_after date,
  seen_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX closed_period_date_of_connector ON closed_period_date (connector_id, seen_at DESC);

CREATE TABLE closed_period_change (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  run_id uuid NOT NULL,
  change text NOT NULL CHECK (change IN ('added', 'changed', 'voided', 'deleted')),
  kind text NOT NULL,
  document_id text NOT NULL,
  document_number text,
  -- The first days of the closed months in which it is dated, before or after.
  periods text[] NOT NULL,
  -- What it posted and posts; null: nothing.
  before jsonb,
  after jsonb,
  moved jsonb NOT NULL,
  closed_through date NOT NULL,
  changed_at timestamptz,
  seen_at timestamptz NOT NULL DEFAULT now(),
  address text,
  acknowledged_at timestamptz,
  acknowledged_by uuid REFERENCES portal_user,
  reason text,
  CHECK ((acknowledged_at IS NULL) = (reason IS NULL)),
  UNIQUE (run_id, kind, document_id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX closed_period_change_of_connector ON closed_period_change (connector_id, seen_at DESC);
CREATE INDEX closed_period_change_open ON closed_period_change (connector_id, run_id) WHERE acknowledged_at IS NULL;
CREATE INDEX closed_period_change_acknowledged_by ON closed_period_change (acknowledged_by) WHERE acknowledged_by IS NOT NULL;

-- Each run with changes in closed periods is an incident, next to those of the other kinds.
DROP INDEX incident_open;
CREATE UNIQUE INDEX incident_open ON incident (connector_id, (CASE WHEN kind IN ('tieOut', 'verification') THEN kind ELSE '' END))
  WHERE closed_at IS NULL AND kind <> 'closedPeriod';
CREATE UNIQUE INDEX incident_closed_period ON incident (connector_id, run_id) WHERE kind = 'closedPeriod';

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['closed_period', 'closed_period_date', 'closed_period_change'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
