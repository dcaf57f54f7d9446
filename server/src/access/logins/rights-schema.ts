/**
 * The schema `tributary_access` of a warehouse: a copy of the effective rights, which only its owner, the warehouse's admin, may
 * change, and the policies of version tables that consult it. Each login sees only its own rights.
 */
import { type Client, escapeIdentifier as q } from 'pg'
import type { WarehouseRow } from '../warehouse/queries.ts'
import { rowPolicy, type WarehouseRelation } from './warehouse-catalogue.ts'

const rightsSchema = 'tributary_access'

/** What the logins of one access role read of version tables. */
export interface RowRights {
  readonly role: string
  readonly logins: readonly string[]
  readonly readsAll: boolean
  readonly sliceIds: readonly string[]
}

/**
 * Idempotent. `session_user` cannot be changed by SET ROLE, a view or a function, unlike `current_user`. `revoked_at` marks rights
 * whose loss must still end connections.
 */
export async function ensureRightsSchema(client: Client, { databaseName, writerName }: WarehouseRow): Promise<void> {
  const { rows } = await client.query<{ isOpen: boolean | null; admin: string }>(
    `SELECT has_schema_privilege('public', oid, 'USAGE') AS "isOpen", current_user AS admin
     FROM (SELECT 1) AS one LEFT JOIN pg_namespace ON nspname = $1`,
    [rightsSchema],
  )
  const { isOpen = null, admin = '' } = rows[0] ?? {}
  if (isOpen === null) await createRightsSchema(client, { databaseName, writerName }, admin)
  // Not a column of `reader`: adding one would wait for everyone who reads a version table.
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${rightsSchema}.password (login text PRIMARY KEY, digest text NOT NULL)`,
  )
  // A restore without privileges leaves it closed.
  if (isOpen !== true)
    await client.query(
      `GRANT USAGE ON SCHEMA ${rightsSchema} TO PUBLIC; GRANT SELECT ON ${rightsSchema}.me, ${rightsSchema}.my_slices TO PUBLIC`,
    )
}

async function createRightsSchema(
  client: Client,
  { databaseName, writerName }: Pick<WarehouseRow, 'databaseName' | 'writerName'>,
  admin: string,
): Promise<void> {
  await client.query(
    `BEGIN;
     SET LOCAL ROLE ${q(writerName)};
     GRANT CREATE, CONNECT ON DATABASE ${q(databaseName)} TO ${q(admin)};
     RESET ROLE;
     CREATE SCHEMA ${rightsSchema};
     CREATE TABLE ${rightsSchema}.reader (
       role text PRIMARY KEY, logins text[] NOT NULL, reads_all boolean NOT NULL, slice_ids uuid[] NOT NULL, revoked_at timestamptz);
     CREATE VIEW ${rightsSchema}.me WITH (security_barrier) AS
       SELECT reads_all FROM ${rightsSchema}.reader WHERE session_user::text = ANY (logins);
     CREATE VIEW ${rightsSchema}.my_slices WITH (security_barrier) AS
       SELECT unnest(slice_ids) AS slice_id FROM ${rightsSchema}.reader WHERE session_user::text = ANY (logins);
     COMMIT`,
  )
}

/**
 * Stores the rights and deletes those of other roles. Roles that lost a right are marked in the same transaction.
 * Call within a transaction.
 */
export async function storeRowRights(client: Client, rights: readonly RowRights[]): Promise<void> {
  const roles = rights.map(({ role }) => role)
  await client.query(`DELETE FROM ${rightsSchema}.reader WHERE role <> ALL ($1)`, [roles])
  await client.query(`DELETE FROM ${rightsSchema}.password WHERE login <> ALL ($1)`, [
    rights.flatMap(({ logins }) => logins),
  ])
  await client.query(
    `INSERT INTO ${rightsSchema}.reader AS former (role, logins, reads_all, slice_ids)
     SELECT role, ARRAY(SELECT jsonb_array_elements_text(logins)), "readsAll", ARRAY(SELECT jsonb_array_elements_text("sliceIds")::uuid)
     FROM jsonb_to_recordset($1::jsonb) AS wanted (role text, logins jsonb, "readsAll" boolean, "sliceIds" jsonb)
     ON CONFLICT (role) DO UPDATE SET logins = excluded.logins, reads_all = excluded.reads_all, slice_ids = excluded.slice_ids,
       revoked_at = CASE WHEN (former.reads_all AND NOT excluded.reads_all)
         OR (NOT excluded.reads_all AND EXISTS (SELECT unnest(former.slice_ids) EXCEPT SELECT unnest(excluded.slice_ids)))
         THEN clock_timestamp() ELSE former.revoked_at END
     WHERE (former.logins, former.reads_all, former.slice_ids) IS DISTINCT FROM (excluded.logins, excluded.reads_all, excluded.slice_ids)`,
    [JSON.stringify(rights)],
  )
}

/** Digests of the verifiers that have been set and whose former connections have ended, by login. */
export async function listPasswordDigests(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ login: string; digest: string }>(
    `SELECT login, digest FROM ${rightsSchema}.password`,
  )
  return new Map(rows.map(({ login, digest }) => [login, digest]))
}

export async function storePasswordDigest(client: Client, login: string, digest: string): Promise<void> {
  await client.query(
    `INSERT INTO ${rightsSchema}.password (login, digest) VALUES ($1, $2) ON CONFLICT (login) DO UPDATE SET digest = excluded.digest`,
    [login, digest],
  )
}

/** Marks roles that lose a grant. Call in the transaction that revokes it. */
export async function markRevoked(client: Client, roles: readonly string[]): Promise<void> {
  if (roles.length === 0) return
  await client.query(`UPDATE ${rightsSchema}.reader SET revoked_at = clock_timestamp() WHERE role = ANY ($1)`, [roles])
}

/** Roles whose connections from before the loss have not been ended yet, by role. */
export async function listRevoked(client: Client): Promise<readonly { role: string; logins: string[]; at: string }[]> {
  const { rows } = await client.query<{ role: string; logins: string[]; at: string }>(
    `SELECT role, logins, revoked_at::text AS at FROM ${rightsSchema}.reader WHERE revoked_at IS NOT NULL`,
  )
  return rows
}

export async function clearRevoked(client: Client, { role, at }: { role: string; at: string }): Promise<void> {
  await client.query(
    `UPDATE ${rightsSchema}.reader SET revoked_at = NULL WHERE role = $1 AND revoked_at = $2::timestamptz`,
    [role, at],
  )
}

/**
 * Limits the rows of a version table, in one short transaction. Waits at most 2 s for readers of the table; returns false if one
 * keeps it locked, and the table stays closed until the next attempt.
 */
export async function limitRows(
  client: Client,
  { writerName }: WarehouseRow,
  { schema, name, sliceColumn }: WarehouseRelation,
): Promise<boolean> {
  if (sliceColumn === null) return false
  const table = `${q(schema)}.${q(name)}`
  try {
    await client.query(
      `BEGIN;
       SET LOCAL ROLE ${q(writerName)};
       SET LOCAL lock_timeout = '2s';
       ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
       DROP POLICY IF EXISTS ${rowPolicy} ON ${table};
       CREATE POLICY ${rowPolicy} ON ${table} FOR SELECT TO PUBLIC USING (
         (SELECT reads_all FROM ${rightsSchema}.me)
         OR ${q(sliceColumn)} IN (SELECT slice_id FROM ${rightsSchema}.my_slices));
       COMMIT`,
    )
    return true
  } catch (error) {
    await client.query('ROLLBACK')
    const { code } = error as { readonly code?: string }
    if (code === lockNotAvailable || code === undefinedTable) return false
    throw error
  }
}

const lockNotAvailable = '55P03'
const undefinedTable = '42P01'
