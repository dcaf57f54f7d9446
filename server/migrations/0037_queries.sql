-- Queries that people write, and the logins for reading under which administrators query an organisation's own targets.

-- Sharing shows the text to the organisation. Everyone runs it under their own login.
CREATE TABLE saved_query (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  user_id uuid NOT NULL REFERENCES portal_user,
  -- Null: the warehouse. Otherwise the target of this connector.
  connector_id uuid,
  name text NOT NULL,
  statement text NOT NULL,
  -- Which columns a chart shows, and how.
  chart jsonb,
  is_shared boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX saved_query_organisation ON saved_query (organisation_id, user_id);
CREATE INDEX saved_query_user ON saved_query (user_id);
CREATE INDEX saved_query_connector ON saved_query (connector_id) WHERE connector_id IS NOT NULL;

-- The history of a person. Holds no rows and no error messages, because these can contain values.
CREATE TABLE query_run (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  user_id uuid NOT NULL REFERENCES portal_user,
  connector_id uuid,
  statement text NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  rows integer NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('completed', 'limited', 'refused', 'cancelled')),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX query_run_person ON query_run (organisation_id, user_id, started_at DESC);
CREATE INDEX query_run_user ON query_run (user_id);
CREATE INDEX query_run_connector ON query_run (connector_id) WHERE connector_id IS NOT NULL;
CREATE INDEX query_run_age ON query_run (started_at);

-- A second login of a connector's target, which was proven to be unable to write.
CREATE TABLE reading_login (
  organisation_id uuid NOT NULL,
  connector_id uuid PRIMARY KEY,
  user_name text NOT NULL,
  password text NOT NULL,
  -- The server and the database for which it was entered. It is sent nowhere else.
  address text NOT NULL,
  saved_by uuid NOT NULL REFERENCES portal_user,
  saved_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX reading_login_saved_by ON reading_login (saved_by);

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['saved_query', 'query_run', 'reading_login'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;
