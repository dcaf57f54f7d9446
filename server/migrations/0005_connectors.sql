-- Connectors run by anyone: licences, sharing, what each stream is like, changes of the source's tables, incidents and alerts.

ALTER TABLE connector
  ADD COLUMN schema_policy text NOT NULL DEFAULT 'take' CHECK (schema_policy IN ('take', 'ask', 'stop')),
  -- Since when the target has not answered; scheduled runs wait, and one catches up once it answers again.
  ADD COLUMN target_down_since timestamptz,
  ADD COLUMN target_probe_at timestamptz,
  -- Who is told of incidents; null: the organisation's administrators.
  ADD COLUMN alert_users uuid[],
  ADD COLUMN webhook_url text,
  ADD COLUMN webhook_secret text;
CREATE INDEX connector_probe ON connector (target_probe_at) WHERE target_probe_at IS NOT NULL;

ALTER TABLE run
  -- The only streams that it moves; null: all.
  ADD COLUMN only_streams text[],
  -- Read again from this moment on, whatever the checkpoints say.
  ADD COLUMN read_from timestamptz,
  -- A statement by which the database's owner mends what failed: the missing GRANT.
  ADD COLUMN remedy text;

-- Bundles of streams beside the Base ones, which every connector has.
CREATE TABLE connector_licence (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  licence text NOT NULL,
  PRIMARY KEY (connector_id, licence),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);

-- Another organisation that sees and runs the connector, never its settings.
CREATE TABLE connector_share (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  guest_id uuid NOT NULL REFERENCES organisation,
  PRIMARY KEY (connector_id, guest_id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id),
  CHECK (guest_id <> organisation_id)
);
CREATE INDEX connector_share_guest ON connector_share (guest_id);

-- What is known of each stream since it was last read.
CREATE TABLE connector_stream (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  name text NOT NULL,
  table_name text NOT NULL,
  licence text NOT NULL,
  reads text NOT NULL CHECK (reads IN ('since', 'whole')),
  why text,
  rows bigint,
  -- The rows are those of the source at this moment or later.
  fresh_at timestamptz,
  run_id uuid,
  fault text,
  PRIMARY KEY (connector_id, name),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);

CREATE TABLE schema_change (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  run_id uuid,
  stream text NOT NULL,
  table_name text NOT NULL,
  column_name text,
  before text,
  after text NOT NULL,
  status text NOT NULL CHECK (status IN ('APPLIED', 'PENDING', 'ACCEPTED', 'REJECTED')),
  found_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz,
  decided_by uuid REFERENCES portal_user,
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX schema_change_of_connector ON schema_change (connector_id, found_at DESC);
-- The same change is asked about once.
CREATE UNIQUE INDEX schema_change_asked ON schema_change (connector_id, table_name, coalesce(column_name, ''), after)
  WHERE status <> 'APPLIED';

-- A time in which a connector needs somebody. One message opens it, one closes it.
CREATE TABLE incident (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  run_id uuid,
  kind text NOT NULL,
  notice text NOT NULL,
  opened_at timestamptz NOT NULL DEFAULT now(),
  closed_at timestamptz,
  UNIQUE (organisation_id, id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE UNIQUE INDEX incident_open ON incident (connector_id) WHERE closed_at IS NULL;
CREATE INDEX incident_of_connector ON incident (connector_id, opened_at DESC);

-- Signed messages to webhooks, each until it is taken or given up; the same id each time.
CREATE TABLE webhook_delivery (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  event text NOT NULL CHECK (event IN ('opened', 'recovered')),
  body text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  notice text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (incident_id, event),
  FOREIGN KEY (organisation_id, incident_id) REFERENCES incident (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (due_at) WHERE due_at IS NOT NULL;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['connector_licence', 'connector_stream', 'schema_change', 'incident', 'webhook_delivery'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
-- Both sides may know of a share; only the owner may write it.
ALTER TABLE connector_share ENABLE ROW LEVEL SECURITY;
ALTER TABLE connector_share FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON connector_share USING (tributary_sees(organisation_id));
CREATE POLICY guest ON connector_share FOR SELECT USING (tributary_sees(guest_id));
