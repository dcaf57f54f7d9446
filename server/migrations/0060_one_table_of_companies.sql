-- Contracts: connector_tenant becomes a view. Until it is replaced, a former version fails to connect a company, and nothing else.
-- Every company of every connector that signs in has a row in connector_company.

LOCK TABLE connector_tenant, connector_company IN ACCESS EXCLUSIVE MODE;
-- The rows of every organisation.
SET LOCAL tributary.organisation = '*';

-- `only`: the connector moves this company alone, into tables without a column of the company.
ALTER TABLE connector_company
  DROP CONSTRAINT connector_company_state_check,
  ADD CONSTRAINT connector_company_state CHECK (state IN ('only', 'current', 'kept')),
  ADD CONSTRAINT connector_company_kept CHECK (state <> 'kept' OR released_at IS NOT NULL),
  ALTER COLUMN state SET DEFAULT 'only',
  -- The company took the place of another one, whose checkpoints say nothing of it; until a whole run has brought all of it.
  ADD COLUMN reads_anew boolean NOT NULL DEFAULT false;

-- Where a connector has several, connector_tenant repeats one of them.
INSERT INTO connector_company
  (connector_id, organisation_id, type, tenant_id, name, country, currency, grant_id, connected_at, released_at, state, reads_anew)
SELECT connector_id, organisation_id, type, tenant_id, name, country, currency, grant_id, connected_at, released_at, 'only', reads_anew
FROM connector_tenant AS single
WHERE NOT EXISTS (SELECT FROM connector_company AS company WHERE company.connector_id = single.connector_id);

-- A company is moved by one connector, whosever.
DROP INDEX connector_company_one;
CREATE UNIQUE INDEX connector_company_one ON connector_company (type, tenant_id) WHERE released_at IS NULL;
CREATE UNIQUE INDEX connector_company_only ON connector_company (connector_id) WHERE state = 'only';

-- A former version reads and writes its name until it is replaced.
DROP TABLE connector_tenant;
CREATE VIEW connector_tenant WITH (security_invoker = true) AS
  SELECT connector_id, organisation_id, type, tenant_id, name, country, currency, grant_id, connected_at, released_at, reads_anew
  FROM connector_company WHERE state = 'only';

SET LOCAL tributary.organisation = '';
