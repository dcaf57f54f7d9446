-- What happens after a publication: signed webhooks, refreshes of Power BI datasets and dbt jobs, each with its log.

CREATE TABLE publication_action (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  kind text NOT NULL CHECK (kind IN ('webhook', 'powerBi', 'dbt')),
  name text NOT NULL,
  is_on boolean NOT NULL,
  -- The target database whose publications it follows, by an id that is computed from it. Null: all of the organisation.
  set_id uuid,
  -- What is no secret: the origin of a webhook, the ids of a dataset, the host and the ids of a job.
  settings jsonb NOT NULL,
  -- The address of a webhook, the client secret of a service principal, or the token of dbt.
  secret text NOT NULL,
  -- Of a webhook: the secret that signs its messages.
  signing_secret text,
  -- Since when no run of it has completed.
  failing_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id),
  CHECK ((kind = 'webhook') = (signing_secret IS NOT NULL))
);

-- Each run of an action, until it is over.
CREATE TABLE publication_action_run (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  action_id uuid NOT NULL,
  trigger text NOT NULL CHECK (trigger IN ('publication', 'person')),
  -- What is reported to the webhook. Null: a person started it.
  publication jsonb,
  status text NOT NULL DEFAULT 'WAITING' CHECK (status IN ('WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'DROPPED')),
  attempts integer NOT NULL DEFAULT 0,
  -- When a worker turns to it next. Null: it is over.
  due_at timestamptz,
  -- When the service accepted it, and the service's id of it.
  started_at timestamptz,
  remote_id text,
  ended_at timestamptz,
  notice text,
  -- Attempts and answers, oldest first.
  log jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organisation_id, action_id) REFERENCES publication_action (organisation_id, id) ON DELETE CASCADE,
  CHECK ((trigger = 'publication') = (publication IS NOT NULL)),
  CHECK ((status IN ('WAITING', 'RUNNING')) = (due_at IS NOT NULL))
);
CREATE INDEX publication_action_run_due ON publication_action_run (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX publication_action_run_of_action ON publication_action_run (action_id, created_at DESC);
CREATE INDEX publication_action_run_age ON publication_action_run (created_at);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['publication_action', 'publication_action_run'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;

-- An action that fails is an incident, too.
ALTER TABLE incident ALTER COLUMN connector_id DROP NOT NULL;
ALTER TABLE incident ADD COLUMN action_id uuid;
ALTER TABLE incident ADD CHECK (num_nonnulls(connector_id, action_id) = 1);
ALTER TABLE incident
  ADD FOREIGN KEY (organisation_id, action_id) REFERENCES publication_action (organisation_id, id) ON DELETE CASCADE;
CREATE UNIQUE INDEX incident_of_action ON incident (action_id) WHERE action_id IS NOT NULL AND closed_at IS NULL;
