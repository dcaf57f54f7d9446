-- Connectors that move several companies into one set of tables.

-- The companies of such a connector. It has a row in connector_tenant, too: the first of those that it reads.
CREATE TABLE connector_company (
  connector_id uuid NOT NULL,
  organisation_id uuid NOT NULL,
  type text NOT NULL,
  tenant_id text NOT NULL,
  name text NOT NULL,
  country text,
  currency text,
  -- Null once the connector is disconnected, or the company is taken off.
  grant_id uuid REFERENCES oauth_grant ON DELETE SET NULL,
  connected_at timestamptz NOT NULL DEFAULT now(),
  released_at timestamptz,
  -- `kept`: it was taken off, and its rows stay.
  state text NOT NULL DEFAULT 'current' CHECK (state IN ('current', 'kept')),
  PRIMARY KEY (connector_id, tenant_id),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
-- A company is moved by one connector, whosever.
CREATE UNIQUE INDEX connector_company_one ON connector_company (type, tenant_id) WHERE released_at IS NULL AND state = 'current';
CREATE INDEX connector_company_by_grant ON connector_company (grant_id);
ALTER TABLE connector_company ENABLE ROW LEVEL SECURITY;
ALTER TABLE connector_company FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON connector_company USING (tributary_sees(organisation_id));

-- Each company compared with its own report; empty if the tables belong to one company.
ALTER TABLE tie_out ADD COLUMN companies jsonb NOT NULL DEFAULT '[]';
-- The company of a line; empty if the tables belong to one company.
ALTER TABLE tie_out_line ADD COLUMN company text NOT NULL DEFAULT '';
ALTER TABLE tie_out_line DROP CONSTRAINT tie_out_line_pkey, ADD PRIMARY KEY (connector_id, company, period, account_id);
