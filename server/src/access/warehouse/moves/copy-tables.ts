/** Copies tables from one database of a warehouse to the other until they are equal. */
import { copyIn } from '@tributary/engine/databases/postgres/copy-in'
import { copyOut } from '@tributary/engine/databases/postgres/copy-out'
import type { Client } from 'pg'
import { destroyConnection } from './copy-session.ts'
import { listTableStructures, type TableStructure } from './read-tables.ts'
import type { WriterName } from './writer-name.ts'

export interface CopyPair {
  readonly from: Client
  readonly to: Client
  readonly names: WriterName
}

export interface CopyProgress {
  readonly tablesTotal: number
  readonly tablesDone: number
  /** In this pass. */
  readonly rowsCopied: number
}

/** Called after each table. Throws to end the pass. */
export type OnCopyProgress = (progress: CopyProgress) => Promise<void>

/**
 * One pass over all tables. Tables with the same structure and the same rows are left alone, so a pass that was interrupted continues
 * where it was. Each table is copied in one transaction, from one snapshot. A table that changes meanwhile is found by the next pass.
 */
export async function copyTables(pair: CopyPair, onProgress: OnCopyProgress): Promise<CopyProgress> {
  const { from, to, names } = pair
  const source = await listTableStructures(from, names)
  const copies = new Map((await listTableStructures(to, names)).map((table) => [table.name, table]))
  const wanted = new Set(source.map(({ name }) => name))
  for (const name of copies.keys()) if (!wanted.has(name)) await to.query(`DROP TABLE ${name} CASCADE`)
  let rowsCopied = 0
  await onProgress({ tablesTotal: source.length, tablesDone: 0, rowsCopied })
  for (const [at, { name }] of source.entries()) {
    rowsCopied += await copyTable(pair, name, copies.get(name))
    await onProgress({ tablesTotal: source.length, tablesDone: at + 1, rowsCopied })
  }
  return { tablesTotal: source.length, tablesDone: source.length, rowsCopied }
}

/** Returns how many rows were copied: 0 if the tables are equal, or the source dropped the table. */
async function copyTable(pair: CopyPair, name: string, copy: TableStructure | undefined): Promise<number> {
  const { from, to, names } = pair
  try {
    // The lock comes before the snapshot: structure and rows are of the same moment.
    await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await from.query(`LOCK TABLE ${name} IN ACCESS SHARE MODE`)
    const [table] = await listTableStructures(from, names, name)
    if (table === undefined) return 0
    if (copy !== undefined && isSameStructure(table, copy)) {
      const [ours, theirs] = await Promise.all([digestRows(from, name), digestRows(to, name)])
      if (isSameRows(ours, theirs)) return 0
    }
    return await replaceTable(from, to, table)
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === undefinedTable) return 0
    throw error
  } finally {
    await from.query('ROLLBACK').catch(() => undefined)
  }
}

const undefinedTable = '42P01'

async function replaceTable(from: Client, to: Client, table: TableStructure): Promise<number> {
  const { name, copied } = table
  await to.query('BEGIN')
  try {
    await to.query(`DROP TABLE IF EXISTS ${name} CASCADE`)
    await to.query(table.create)
    const rows = copied === '' ? 0 : await pipeRows(from, to, { name, copied })
    if (table.complete !== '') await to.query(table.complete)
    await to.query('COMMIT')
    await to.query(`ANALYZE ${name}`)
    return rows
  } catch (error) {
    await to.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function pipeRows(
  from: Client,
  to: Client,
  { name, copied }: Pick<TableStructure, 'name' | 'copied'>,
): Promise<number> {
  const copy = copyIn(to, `COPY ${name} (${copied}) FROM STDIN`)
  try {
    for await (const bytes of copyOut(from, `COPY (SELECT ${copied} FROM ONLY ${name}) TO STDOUT`))
      await copy.write(bytes)
  } catch (error) {
    // Neither session can be used after half of a copy.
    for (const client of [from, to]) destroyConnection(client)
    throw error
  }
  return await copy.end()
}

/** The numbers of identities continue where they were. */
export async function copySequences({ from, to, names }: CopyPair): Promise<void> {
  for (const { sequences } of await listTableStructures(from, names))
    for (const sequence of sequences) {
      const { rows } = await from.query<{ last: string; isCalled: boolean }>(
        `SELECT last_value::text AS last, is_called AS "isCalled" FROM ${sequence}`,
      )
      const { last = '1', isCalled = false } = rows[0] ?? {}
      await to.query('SELECT setval($1::regclass, $2::bigint, $3)', [sequence, last, isCalled])
    }
}

export function isSameStructure(one: TableStructure, other: TableStructure): boolean {
  return withoutNames(one.create) === withoutNames(other.create) && one.complete === other.complete
}

/** PostgreSQL names NOT NULL constraints from version 18 on. */
function withoutNames(create: string): string {
  return create.replaceAll(/ CONSTRAINT (?:"(?:[^"]|"")+"|\w+) NOT NULL/gu, ' NOT NULL')
}

export interface RowsDigest {
  readonly rows: string
  readonly sums: string
}

/**
 * The number of rows, and two sums of 64-bit hashes of their texts, which no order of rows changes. PostgreSQL keeps these hashes equal between
 * versions, because partitions depend on them.
 */
export async function digestRows(client: Client, name: string): Promise<RowsDigest> {
  const { rows } = await client.query<RowsDigest>(
    `SELECT count(*)::text AS rows, concat(coalesce(sum(hashtextextended(r::text, 0)::numeric), 0), ' ',
       coalesce(sum(hashtextextended(r::text, 1)::numeric), 0)) AS sums FROM ONLY ${name} AS r`,
  )
  return rows[0] ?? { rows: '0', sums: '' }
}

export function isSameRows(one: RowsDigest, other: RowsDigest): boolean {
  return one.rows === other.rows && one.sums === other.sums
}
