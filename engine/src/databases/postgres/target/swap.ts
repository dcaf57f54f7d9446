/** One loaded table takes the place of another, with what readers have hung on it: grants, indexes, views. */
import type pg from 'pg'
import { quote } from '../types.ts'
import { columnList, keyName, qualified, type Placement } from './tables.ts'

export interface Replacement {
  readonly placement: Placement
  /** The table beside. */
  readonly name: string
}

/**
 * By rename, which takes a lock for milliseconds; or by refilling the table, where views, triggers or the like hang on it,
 * or where `how` says so because its lock could not be had. Refilling keeps readers on the former rows until COMMIT.
 */
export async function swapTable(client: pg.Client, replacement: Replacement, how: 'rename' | 'refill'): Promise<void> {
  const mustStay = how === 'refill' || (await hasDependants(client, replacement.placement))
  await (mustStay ? refill(client, replacement) : rename(client, replacement))
}

/** Anything that would be lost, or would stand in the way, if this very table went. */
async function hasDependants(client: pg.Client, placement: Placement): Promise<boolean> {
  const found = await client.query<{ depends: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_class'::regclass AND refobjid = $1::regclass AND deptype = 'n')
         OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal)
         OR EXISTS (SELECT FROM pg_policy WHERE polrelid = $1::regclass)
         OR EXISTS (SELECT FROM pg_publication_rel WHERE prrelid = $1::regclass)
         OR EXISTS (SELECT FROM pg_statistic_ext WHERE stxrelid = $1::regclass)
         OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attacl IS NOT NULL) AS depends`,
    [qualified(placement)],
  )
  return found.rows[0]?.depends === true
}

async function rename(client: pg.Client, { placement, name }: Replacement): Promise<void> {
  const table = qualified(placement)
  const fresh = qualified({ ...placement, name })
  await client.query(`SET LOCAL lock_timeout = '5s'`)
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
  const grants = await grantsOf(client, placement, fresh)
  const indexes = await plainIndexes(client, placement)
  const comment = await client.query<{ text: string | null }>(
    `SELECT obj_description($1::regclass, 'pg_class') AS text`,
    [table],
  )
  await client.query(`DROP TABLE ${table}`)
  await client.query(`ALTER TABLE ${fresh} RENAME TO ${quote(placement.name)}`)
  if (placement.key.length > 0)
    await client.query(
      `ALTER TABLE ${table} RENAME CONSTRAINT ${quote(keyName(name))} TO ${quote(keyName(placement.name))}`,
    )
  for (const [at, index] of indexes.entries())
    await client.query(
      `ALTER INDEX ${qualified({ ...placement, name: indexBeside(name, at) })} RENAME TO ${quote(index.name)}`,
    )
  for (const grant of grants) await client.query(grant.replace('%table', () => table))
  const text = comment.rows[0]?.text ?? null
  if (text !== null) await client.query(`COMMENT ON TABLE ${table} IS '${text.replaceAll("'", "''")}'`)
}

/** The same table with other rows: nothing that hangs on it notices. */
async function refill(client: pg.Client, { placement, name }: Replacement): Promise<void> {
  const table = qualified(placement)
  const columns = columnList(placement.columns.map((column) => column.name))
  const former = await client.query<{ name: string; key: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'`,
    [table],
  )
  const wanted = placement.key.length === 0 ? undefined : `PRIMARY KEY (${columnList(placement.key)})`
  const isOtherKey =
    former.rows[0] !== undefined && (await keyText(client, { ...placement, name })) !== former.rows[0].key
  if (isOtherKey) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quote(former.rows[0]?.name ?? '')}`)
  await client.query(`DELETE FROM ${table}`)
  await client.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${qualified({ ...placement, name })}`)
  if (wanted !== undefined && (isOtherKey || former.rows[0] === undefined))
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${quote(keyName(placement.name))} ${wanted}`)
  await client.query(`DROP TABLE ${qualified({ ...placement, name })}`)
}

async function keyText(
  client: pg.Client,
  at: { readonly schema: string; readonly name: string },
): Promise<string | undefined> {
  const found = await client.query<{ key: string }>(
    `SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'`,
    [qualified(at)],
  )
  return found.rows[0]?.key
}

/** Statements that give the rights on the old table again; `%table` stands for its name. */
async function grantsOf(client: pg.Client, placement: Placement, fresh: string): Promise<readonly string[]> {
  const found = await client.query<{ statement: string }>(
    `SELECT format('GRANT %s ON %%table TO %s%s', a.privilege_type, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
       CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS statement
     FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
     WHERE c.oid = $1::regclass AND a.grantee <> c.relowner AND $2::regclass IS NOT NULL`,
    [qualified(placement), fresh],
  )
  return found.rows.map((row) => row.statement)
}

interface PlainIndex {
  readonly name: string
  readonly unique: boolean
  /** From `USING` on. */
  readonly definition: string
}

/** Indexes that people have made for their reports; those of constraints are ours. */
async function plainIndexes(client: pg.Client, placement: Placement): Promise<readonly PlainIndex[]> {
  const found = await client.query<PlainIndex>(
    `SELECT c.relname AS name, i.indisunique AS unique,
       substr(pg_get_indexdef(i.indexrelid), length(format('CREATE %sINDEX %I ON %I.%I ', CASE WHEN i.indisunique THEN 'UNIQUE ' ELSE '' END, c.relname, n.nspname, t.relname)) + 1) AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
     WHERE i.indrelid = $1::regclass AND i.indisvalid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND conrelid = i.indrelid)
     ORDER BY c.relname`,
    [qualified(placement)],
  )
  return found.rows
}

export async function copyIndexes(client: pg.Client, { placement, name }: Replacement): Promise<void> {
  const fresh = qualified({ ...placement, name })
  for (const [at, index] of (await plainIndexes(client, placement)).entries()) {
    await client.query(
      `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX IF NOT EXISTS ${quote(indexBeside(name, at))} ON ${fresh} ${index.definition}`,
    )
  }
}

function indexBeside(name: string, at: number): string {
  return `${name}_${at}`
}
