/** Adds what years leave behind in a store with many organisations: decided requests, approved hosts, and the provider's audit log. */
import type pg from 'pg'

const statements: readonly string[] = [
  // Each organisation has signed up once. One request in two hundred waits.
  `WITH signed AS (
     INSERT INTO registration (first_name, last_name, email_address, company_name, created_at)
     SELECT 'Robin', 'Person', 'person@' || key || '.example', company_name, created_at FROM organisation WHERE key LIKE 'generated-%'
     RETURNING id, company_name, created_at)
   INSERT INTO approval (registration_id, type, status, context, created_at, decided_at)
   SELECT id, 'NEW_ORGANISATION', CASE WHEN is_open THEN 'PENDING' ELSE 'APPROVED' END,
     jsonb_build_object('Description', 'Robin Person asks for ' || company_name || '.'), created_at, CASE WHEN NOT is_open THEN created_at END
   FROM signed, LATERAL (SELECT hashtext(id::text) % 200 = 0 AS is_open) AS chosen`,
  // One connector in a hundred has a source that the customer has described.
  `INSERT INTO host_approval (connector_id, organisation_id, hosts, description, status, approved_hosts, requested_at, decided_at, is_mailed)
   SELECT id, organisation_id, ARRAY['api.example.com'], repeat('streams: orders ', 60), CASE WHEN hashtext(id::text) % 10000 = 0 THEN 'WAITING' ELSE 'APPROVED' END,
     ARRAY['api.example.com'], created_at, created_at, true FROM connector WHERE key LIKE 'c-%' AND hashtext(id::text) % 100 = 0`,
  `INSERT INTO audit_event (at, organisation_id, actor_id, actor_role, action, object_type, object_id, outcome, detail, hash)
   SELECT organisation.created_at + n * interval '20 days', NULL, portal_user.id, 'superadmin',
     (ARRAY['organisation.created', 'organisation.updated', 'organisation.run_share_changed'])[n], 'organisation', organisation.id::text, 'success',
     jsonb_build_object('after', jsonb_build_object('name', company_name, 'key', organisation.key)), ''
   FROM organisation, generate_series(1, 3) n, portal_user
   WHERE organisation.key LIKE 'generated-%' AND email_address = 'superadmin@demo.example' ORDER BY n, organisation.id`,
  // Those of organisations are newer than the provider's.
  `INSERT INTO audit_event (organisation_id, action, object_type, object_id, outcome, hash)
   SELECT organisation_id, 'sync.completed', 'connector', id::text, 'success', '' FROM connector WHERE key LIKE 'c-%' AND hashtext(id::text) % 3 = 0`,
  'VACUUM (ANALYZE) registration, approval, host_approval, audit_event',
]

/** The connection is a superuser's. */
export async function generateHistory(superuser: pg.Client): Promise<void> {
  for (const statement of statements) await superuser.query(statement)
}
