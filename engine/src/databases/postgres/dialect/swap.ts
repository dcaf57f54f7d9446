/**
 * Puts a loaded shadow table in place of a table, with what readers have attached to it: grants, row level security, indexes,
 * comments, views.
 */
import type pg from 'pg'
import type { TableAddress, TargetTable } from '../../sql-target/table-layout.ts'
import { columnList, quote } from '../types.ts'
import { listComments, setComment } from './comments.ts'
import { keyName, qualified, readColumns } from './tables.ts'

export interface ShadowTable {
  readonly target: TargetTable
  /** Name of the shadow table. */
  readonly name: string
}

/**
 * Swaps by rename, which locks readers out for milliseconds. Where views, triggers and the like depend on the table, or where `how` demands
 * it because the lock was not available, refills the table instead: readers then see the former rows until COMMIT.
 */
export async function swapTable(client: pg.Client, shadow: ShadowTable, how: 'rename' | 'refill'): Promise<void> {
  const mustStay = how === 'refill' || (await hasDependants(client, shadow.target))
  await (mustStay ? refill(client, shadow) : rename(client, shadow))
}

/** Whether anything would be lost, or would prevent it, if this very table were dropped. */
async function hasDependants(client: pg.Client, target: TargetTable): Promise<boolean> {
  const found = await client.query<{ depends: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_class'::regclass AND refobjid = $1::regclass AND deptype = 'n'
           AND NOT (classid = 'pg_policy'::regclass AND objid IN (SELECT oid FROM pg_policy WHERE polrelid = $1::regclass)))
         OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal)
         OR EXISTS (SELECT FROM pg_publication_rel WHERE prrelid = $1::regclass)
         OR EXISTS (SELECT FROM pg_statistic_ext WHERE stxrelid = $1::regclass)
         OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attacl IS NOT NULL) AS depends`,
    [qualified(target)],
  )
  return found.rows[0]?.depends === true
}

async function rename(client: pg.Client, { target, name }: ShadowTable): Promise<void> {
  const table = qualified(target)
  const fresh = qualified({ ...target, name })
  await client.query(`SET LOCAL lock_timeout = '5s'`)
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  const security = await listRowSecurity(client, target)
  const grants = await listGrants(client, target, fresh)
  const indexes = await listUserIndexes(client, target)
  const comments = await listComments(client, target)
  const kept = new Set((await readColumns(client, { ...target, name })).map((column) => column.name))
  await client.query(`DROP TABLE ${table}`)
  await client.query(`ALTER TABLE ${fresh} RENAME TO ${quote(target.name)}`)
  if (target.key.length > 0)
    await client.query(
      `ALTER TABLE ${table} RENAME CONSTRAINT ${quote(keyName(name))} TO ${quote(keyName(target.name))}`,
    )
  for (const [at, index] of indexes.entries())
    await client.query(
      `ALTER INDEX ${qualified({ ...target, name: shadowIndexName(name, at) })} RENAME TO ${quote(index.name)}`,
    )
  // Before the grants: no reader is ever granted a table without its policies.
  for (const statement of [...security, ...grants]) await client.query(statement.replace('%table', () => table))
  for (const comment of comments)
    if (comment.column === '' || kept.has(comment.column)) await setComment(client, target, comment)
}

/** Replaces the rows of a table: whatever depends on it stays as it is. */
async function refill(client: pg.Client, { target, name }: ShadowTable): Promise<void> {
  const table = qualified(target)
  const columns = columnList(target.columns.map((column) => column.name))
  const former = await client.query<{ name: string; key: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'`,
    [table],
  )
  const wanted = target.key.length === 0 ? undefined : `PRIMARY KEY (${columnList(target.key)})`
  const isOtherKey =
    former.rows[0] !== undefined && (await keyDefinition(client, { ...target, name })) !== former.rows[0].key
  if (isOtherKey) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quote(former.rows[0]?.name ?? '')}`)
  await client.query(`DELETE FROM ${table}`)
  await client.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${qualified({ ...target, name })}`)
  if (wanted !== undefined && (isOtherKey || former.rows[0] === undefined))
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quote(keyName(target.name))} ${wanted}`)
  await client.query(`DROP TABLE ${qualified({ ...target, name })}`)
}

async function keyDefinition(client: pg.Client, at: TableAddress): Promise<string | undefined> {
  const found = await client.query<{ key: string }>(
    `SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'`,
    [qualified(at)],
  )
  return found.rows[0]?.key
}

/** Statements that grant the rights on the former table again; `%table` stands for its name. */
async function listGrants(client: pg.Client, target: TargetTable, fresh: string): Promise<readonly string[]> {
  const found = await client.query<{ statement: string }>(
    `SELECT format('GRANT %s ON %%table TO %s%s', a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
       CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS statement
     FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
     WHERE c.oid = $1::regclass AND a.grantee <> c.relowner AND $2::regclass IS NOT NULL`,
    [qualified(target), fresh],
  )
  return found.rows.map((row) => row.statement)
}

/** Statements that create the table's policies and row level security again; `%table` stands for its name. */
async function listRowSecurity(client: pg.Client, target: TargetTable): Promise<readonly string[]> {
  const found = await client.query<{ statement: string }>(
    `SELECT format('CREATE POLICY %I ON %%table AS %s FOR %s TO %s%s%s', p.polname, CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
       CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
       (SELECT string_agg(CASE role WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(role)) END, ', ') FROM unnest(p.polroles) AS role),
       ' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', ' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') AS statement
     FROM pg_policy p WHERE p.polrelid = $1::regclass
     UNION ALL
     SELECT 'ALTER TABLE %table ' || action FROM pg_class c
       CROSS JOIN LATERAL (VALUES ('ENABLE ROW LEVEL SECURITY', c.relrowsecurity), ('FORCE ROW LEVEL SECURITY', c.relforcerowsecurity)) AS flags (action, is_set)
     WHERE c.oid = $1::regclass AND is_set`,
    [qualified(target)],
  )
  return found.rows.map((row) => row.statement)
}

interface UserIndex {
  readonly name: string
  readonly unique: boolean
  /** From `USING` on. */
  readonly definition: string
}

/** Indexes that users have created for their reports. Indexes of constraints are not among them. */
async function listUserIndexes(client: pg.Client, target: TargetTable): Promise<readonly UserIndex[]> {
  const found = await client.query<UserIndex>(
    `SELECT c.relname AS name, i.indisunique AS unique,
       substr(pg_get_indexdef(i.indexrelid), length(format('CREATE %sINDEX %I ON %I.%I ', CASE WHEN i.indisunique THEN 'UNIQUE ' ELSE '' END, c.relname, n.nspname, t.relname)) + 1) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE i.indrelid = $1::regclass AND i.indisvalid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND conrelid = i.indrelid)
     ORDER BY c.relname`,
    [qualified(target)],
  )
  return found.rows
}

export async function copyIndexes(client: pg.Client, { target, name }: ShadowTable): Promise<void> {
  const fresh = qualified({ ...target, name })
  for (const [at, index] of (await listUserIndexes(client, target)).entries()) {
    await client.query(
      `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${quote(shadowIndexName(name, at))} ON ${fresh} ${index.definition}`,
    )
  }
}

function shadowIndexName(name: string, at: number): string {
  return `${name}_${at}`
}
