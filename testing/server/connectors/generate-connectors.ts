/** Fills a store with generated organisations and connectors, by the real schema. */
import type pg from 'pg'

export interface GeneratedSize {
  readonly connectors: number
  readonly organisations: number
}

/** Each part of a statement list is one statement, so that a failure names its table. */
const statements: readonly string[] = [
  `INSERT INTO organisation (company_name, key, time_zone, created_at)
   SELECT (ARRAY['North', 'South', 'East', 'West'])[n % 4 + 1] || ' ' || (ARRAY['Quay', 'Dock', 'Hall', 'Mill', 'Bridge'])[n % 5 + 1] || ' ' || n,
     'generated-' || n, (ARRAY['UTC', 'Europe/London', 'Pacific/Auckland'])[n % 3 + 1], now() - interval '90 days'
   FROM generate_series(1, $organisations) n`,
  // One organisation in a hundred is archived, with all of its connectors.
  `UPDATE organisation SET archived_at = now() WHERE key LIKE 'generated-%00'`,
  `WITH person AS (
     INSERT INTO portal_user (first_name, last_name, email_address)
     SELECT 'Robin', 'Person ' || n, 'person' || n || '@generated.example' FROM generate_series(1, 2 * $organisations) n RETURNING id, email_address)
   INSERT INTO membership (organisation_id, user_id, role_id)
   SELECT organisation.id, person.id, role.id FROM person
   JOIN organisation ON organisation.key = 'generated-' || (substring(person.email_address FROM '[0-9]+')::int + 1) / 2
   JOIN role ON role.name = 'admin'`,
  `INSERT INTO connector (organisation_id, key, type, name, original_name, schedule, status, created_at, verify_next_at)
   SELECT organisation.id, 'c-' || n, (ARRAY['xero', 'postgres', 'businesscentral', 'quickbooks'])[n % 4 + 1], 'Company ' || n, 'Company ' || n,
     '*/15 * * * *', 'CONNECTED', now() - interval '90 days', now() + interval '1 day' + random() * interval '6 days'
   FROM organisation, generate_series(1, $connectors / $organisations) n WHERE organisation.key LIKE 'generated-%'`,
  `INSERT INTO connector_stream (organisation_id, connector_id, name, table_name, licence, reads, rows, fresh_at)
   SELECT organisation_id, id, 'table_' || n, 'table_' || n, 'base', 'since', 1000 * n, now() - random() * interval '15 minutes'
   FROM connector, generate_series(1, 2) n WHERE key LIKE 'c-%'`,
  `INSERT INTO daily_calls (organisation_id, connector_id, day, calls)
   SELECT organisation_id, id, (now() AT TIME ZONE 'UTC')::date, 40 + random() * 100 FROM connector WHERE key LIKE 'c-%' AND type = 'xero'`,
  // The latest quarter of an hour. One run in a hundred has failed, and its incident is open.
  `INSERT INTO run (organisation_id, connector_id, mode, trigger, status, fault_kind, fault_code, queued_at, started_at, completed_at, rows_written)
   SELECT organisation_id, id, 'incremental', 'schedule', CASE WHEN fails THEN 'FAILED' ELSE 'COMPLETED' END,
     CASE WHEN fails THEN 'passing' END, CASE WHEN fails THEN 'network.unreachable' END, at, at + interval '1 second', at + interval '8 seconds', 20
   FROM connector, LATERAL (SELECT now() - interval '1 minute' - random() * interval '15 minutes' AS at, hashtext(id::text) % 100 = 0 AS fails) AS generated
   WHERE key LIKE 'c-%'`,
  `INSERT INTO incident (organisation_id, connector_id, run_id, kind, notice)
   SELECT organisation_id, connector_id, id, 'passing', 'The source does not answer.' FROM run WHERE status = 'FAILED' ON CONFLICT DO NOTHING`,
  `INSERT INTO stream_verification (organisation_id, connector_id, stream, outcome, method, checked_at, rows, run_id, proven_at)
   SELECT organisation_id, connector_id, 'table_1', 'identical', 'checksums', completed_at, 1000, id, completed_at FROM run WHERE status = 'COMPLETED'`,
  `INSERT INTO tie_out (run_id, organisation_id, connector_id, state, company, basis, accounts, differing)
   SELECT run.id, run.organisation_id, run.connector_id, 'green', 'Company', 'journals', 40, 0 FROM run
   JOIN connector ON connector.id = run.connector_id WHERE run.status = 'COMPLETED' AND connector.type = 'xero'`,
  // Each organisation has had runs, so it has a place in the order of the queue.
  `INSERT INTO run_queue (organisation_id, is_waiting, virtual_start, served)
   SELECT id, false, at + 100, at FROM (SELECT id, 1000 * random() AS at FROM organisation WHERE key LIKE 'generated-%') AS place`,
  // The generated memberships need no warehouse.
  'DELETE FROM access_change',
  'VACUUM (ANALYZE)',
]

/** The connection is a superuser's, so that row level security does not slow it down. Returns the seconds. */
export async function generateConnectors(superuser: pg.Client, size: GeneratedSize): Promise<number> {
  const since = performance.now()
  for (const statement of statements)
    await superuser.query(
      statement
        .replaceAll('$organisations', String(size.organisations))
        .replaceAll('$connectors', String(size.connectors)),
    )
  return (performance.now() - since) / 1_000
}
