-- Alert channels: where incidents are reported to an organisation and its people, which ones, and how often.

CREATE TABLE alert_channel (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- Null: the organisation's. Otherwise the channel of a person.
  user_id uuid REFERENCES portal_user,
  -- Null: mail, which needs no address.
  service text CHECK (service IN ('slack', 'teams', 'webhook')),
  name text NOT NULL DEFAULT '',
  -- The address up to its path, in clear, so that people recognise it.
  origin text NOT NULL DEFAULT '',
  address text,
  -- Of a webhook: the secret that signs its messages.
  signing_secret text,
  -- Null: all kinds, and all connectors that the owner may see.
  kinds text[],
  connector_ids uuid[],
  frequency text NOT NULL CHECK (frequency IN ('immediately', 'daily', 'never')),
  hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  -- Of the browser that saved a person's channel. The zone in the person's preferences takes precedence.
  time_zone text,
  -- Since when every message to it has failed, and when its owner was mailed.
  failing_since timestamptz,
  failure_mailed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id),
  CHECK ((service IS NULL) = (address IS NULL)),
  CHECK ((service IS NOT DISTINCT FROM 'webhook') = (signing_secret IS NOT NULL))
);
CREATE UNIQUE INDEX alert_channel_mail ON alert_channel (organisation_id, user_id) NULLS NOT DISTINCT WHERE service IS NULL;
CREATE INDEX alert_channel_user ON alert_channel (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX alert_channel_failing ON alert_channel (failing_since) WHERE failing_since IS NOT NULL;

-- False: opened by a version that recorded no alerts. To whom it was reported is not known.
ALTER TABLE incident ADD COLUMN records_alerts boolean NOT NULL DEFAULT false;

-- The opening or the end of an incident for one channel, or for one recipient of mails: at most one of each.
CREATE TABLE alert (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  event text NOT NULL CHECK (event IN ('opened', 'recovered')),
  channel_id uuid,
  user_id uuid REFERENCES portal_user,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When its message was written. Null: it waits for the next digest.
  sent_at timestamptz,
  CHECK (num_nonnulls(channel_id, user_id) = 1),
  UNIQUE NULLS NOT DISTINCT (incident_id, event, channel_id, user_id),
  FOREIGN KEY (organisation_id, incident_id) REFERENCES incident (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, channel_id) REFERENCES alert_channel (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX alert_waiting ON alert (organisation_id, channel_id, user_id) WHERE sent_at IS NULL;
CREATE INDEX alert_of_channel ON alert (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX alert_of_user ON alert (user_id) WHERE user_id IS NOT NULL;

-- Messages to channels, each until it is accepted or given up. A digest has no incident.
CREATE TABLE alert_delivery (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  channel_id uuid NOT NULL,
  incident_id uuid,
  event text NOT NULL CHECK (event IN ('opened', 'recovered', 'digest')),
  body text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  notice text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((event = 'digest') = (incident_id IS NULL)),
  UNIQUE (channel_id, incident_id, event),
  FOREIGN KEY (organisation_id, incident_id) REFERENCES incident (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, channel_id) REFERENCES alert_channel (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX alert_delivery_due ON alert_delivery (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX alert_delivery_of_channel ON alert_delivery (channel_id, created_at DESC);
CREATE INDEX alert_delivery_of_incident ON alert_delivery (incident_id) WHERE incident_id IS NOT NULL;
CREATE INDEX alert_delivery_age ON alert_delivery (created_at);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['alert_channel', 'alert', 'alert_delivery'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
