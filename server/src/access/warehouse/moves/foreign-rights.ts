/**
 * Finds rights and settings in a warehouse that an operator has given by hand. A move would lose them, because it creates rights from the
 * store. Rights of superusers and of roles that manage roles are not among them: such roles are the admin of a server, now or earlier.
 */
import type { Client } from 'pg'
import { rowPolicy } from '../../logins/warehouse-catalogue.ts'
import type { WarehouseRow } from '../queries.ts'
import { tcpReaders } from '../warehouse-database.ts'

export type WarehouseNames = Pick<WarehouseRow, 'databaseName' | 'writerName'>

/** What the store gives: its roles have USAGE, CONNECT or SELECT; everyone may call functions. */
const expectedSql = `g.rolname = $1 OR g.rolname = 'pg_database_owner' OR g.rolsuper OR g.rolcreaterole
  OR starts_with(g.rolname, $2 || '_') AND x.privilege = ANY ('{SELECT,USAGE,CONNECT}') AND x.at <> 'column'
  OR x.grantee = 0 AND x.at = 'function'`

const rightsSql = `WITH own AS (SELECT oid, nspname, nspacl FROM pg_namespace
    WHERE nspname <> 'information_schema' AND nspname <> 'tributary_access' AND nspname !~ '^pg_'),
  granted AS (
    SELECT 'relation' AS at, c.oid::regclass::text AS name, c.relacl AS acl FROM pg_class c JOIN own ON own.oid = c.relnamespace
    UNION ALL SELECT 'column', a.attrelid::regclass || '.' || quote_ident(a.attname), a.attacl FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid JOIN own ON own.oid = c.relnamespace
    UNION ALL SELECT 'schema', format('the schema %I', nspname), nspacl FROM own
    UNION ALL SELECT 'function', format('the function %s', p.oid::regprocedure), p.proacl FROM pg_proc p JOIN own ON own.oid = p.pronamespace
    UNION ALL SELECT 'database', 'the database', datacl FROM pg_database WHERE datname = $2
    UNION ALL SELECT 'default', 'new objects', defaclacl FROM pg_default_acl),
  rights AS (SELECT at, name, a.grantee, a.privilege_type AS privilege FROM granted CROSS JOIN LATERAL aclexplode(acl) AS a)
  SELECT DISTINCT format('the right %s of %s on %s', x.privilege, coalesce(quote_ident(g.rolname), 'PUBLIC'), x.name) AS name
    FROM rights x LEFT JOIN pg_roles g ON g.oid = x.grantee
    WHERE (${expectedSql}) IS NOT TRUE
  UNION ALL SELECT format('the policy %I of %s', p.polname, p.polrelid::regclass) FROM pg_policy p WHERE p.polname <> '${rowPolicy}'
  UNION ALL SELECT format('the row level security of %s', c.oid::regclass) FROM pg_class c JOIN own ON own.oid = c.relnamespace
    WHERE c.relforcerowsecurity OR c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid)
  UNION ALL SELECT format('the membership of %I in %I', m.rolname, g.rolname) FROM pg_auth_members a
    JOIN pg_roles m ON m.oid = a.member JOIN pg_roles g ON g.oid = a.roleid
    WHERE starts_with(g.rolname, $2 || '_') AND NOT (starts_with(m.rolname, $2 || '_') OR m.rolsuper OR m.rolcreaterole)
      OR starts_with(m.rolname, $2 || '_') AND NOT (starts_with(g.rolname, $2 || '_') OR g.rolname = '${tcpReaders}')
  UNION ALL SELECT 'the settings of the database' FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase WHERE d.datname = $2`

/** For people. */
export async function listForeignRights(client: Client, names: WarehouseNames): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(rightsSql, [names.writerName, names.databaseName])
  return rows.map(({ name }) => name)
}
