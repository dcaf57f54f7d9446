-- Contracts: ids of companies become texts. Until it is replaced, a former version fails to disconnect a company, and nothing else.
-- Sources identify their companies as they like: Xero by GUIDs, Exact Online by numbers.
ALTER TABLE oauth_tenant ALTER COLUMN tenant_id TYPE text;
ALTER TABLE connector_tenant ALTER COLUMN tenant_id TYPE text;
ALTER TABLE authorisation ALTER COLUMN tenant_ids TYPE text[];
