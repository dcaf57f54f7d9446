/**
 * Keyset pagination over the tables with personal data: one table after the other, each in the order of its primary
 * key.
 */
import { heldRowsMax } from '@tributary/contract/privacy'
import { sql } from 'kysely'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type PersonalDataTable, type DataSubject, byUser } from './personal-data.ts'

type PersonalDataRow = Readonly<Record<string, unknown>>

export interface PersonalDataPage {
  readonly tables: Record<string, PersonalDataRow[]>
  readonly next: string | null
}

/** The last exported row: the index of its table, and its key. An empty key means the beginning of the table. */
interface ExportCursor {
  readonly tableIndex: number
  readonly key: readonly string[]
}

/** @param after `next` of the previous page. */
export async function readPage(
  db: Db,
  subject: DataSubject,
  { from, after }: { readonly from: readonly PersonalDataTable[]; readonly after: string | undefined },
): Promise<PersonalDataPage> {
  const keys = await readPrimaryKeys(db)
  let { tableIndex, key } = after === undefined ? { tableIndex: 0, key: [] } : decodeCursor(after)
  const tables: Record<string, PersonalDataRow[]> = {}
  let remaining = heldRowsMax
  while (tableIndex < from.length && remaining > 0) {
    const table = from[tableIndex]
    if (table === undefined) break
    const order = keys.get(table.table) ?? []
    const rows = await readRows(db, subject, { table, order, key, limit: remaining + 1 })
    const pageRows = hasHashKey(order) ? rows : rows.slice(0, remaining)
    tables[table.name ?? table.table] = pageRows.map(({ row }) => selectColumns(table, row))
    remaining -= pageRows.length
    const last = pageRows.at(-1)
    if (pageRows.length < rows.length && last !== undefined)
      return { tables, next: encodeCursor({ tableIndex, key: last.key }) }
    tableIndex += 1
    key = []
  }
  return { tables, next: tableIndex < from.length ? encodeCursor({ tableIndex, key }) : null }
}

interface KeyColumn {
  readonly name: string
  readonly type: string
}

async function readPrimaryKeys(db: Db): Promise<ReadonlyMap<string, readonly KeyColumn[]>> {
  const { rows } = await sql<{ table: string; columns: readonly KeyColumn[] }>`
    SELECT relname AS table, jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, NULL)) ORDER BY array_position(indkey, attnum)) AS columns
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
    WHERE indisprimary AND relnamespace = 'public'::regnamespace GROUP BY relname`.execute(db)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/**
 * Tables with a hash as the key are exported in one page, because a cursor would reveal the hash. Their rows live only
 * for days.
 */
function hasHashKey(order: readonly KeyColumn[]): boolean {
  return order.some(({ type }) => type === 'bytea')
}

interface TablePageQuery {
  readonly table: PersonalDataTable
  readonly order: readonly KeyColumn[]
  readonly key: readonly string[]
  readonly limit: number
}

async function readRows(db: Db, subject: DataSubject, { table, order, key, limit }: TablePageQuery) {
  const columns = sql.join(order.map(({ name }) => sql`held.${sql.ref(name)}`))
  const texts = sql.join(order.map(({ name }) => sql`held.${sql.ref(name)}::text`))
  const values = sql.join(order.map(({ type }, at) => sql`${key[at] ?? ''}::${sql.raw(type)}`))
  const isAfterCursor = key.length === 0 ? sql`true` : sql`(${columns}) > (${values})`
  const limitClause = hasHashKey(order) ? sql`` : sql`LIMIT ${limit}`
  const statement = sql<{ row: PersonalDataRow; key: readonly string[] }>`
    SELECT to_jsonb(held) AS row, jsonb_build_array(${texts}) AS key FROM ${sql.table(table.table)} AS held
    WHERE (${(table.matches ?? byUser)(subject)}) AND ${isAfterCursor} ORDER BY ${columns} ${limitClause}`
  try {
    return (await statement.execute(db)).rows
  } catch (error) {
    // Class 22, data exception: a forged cursor whose values do not parse as the key's types.
    throw key.length > 0 && String((error as { readonly code?: unknown }).code).startsWith('22')
      ? invalidCursor()
      : error
  }
}

function selectColumns(
  { onlyColumns, excludedColumns = [] }: PersonalDataTable,
  row: PersonalDataRow,
): PersonalDataRow {
  return Object.fromEntries(
    Object.entries(row).filter(([name]) =>
      onlyColumns === undefined ? !excludedColumns.includes(name) : onlyColumns.includes(name),
    ),
  )
}

function encodeCursor({ tableIndex, key }: ExportCursor): string {
  return Buffer.from(JSON.stringify([tableIndex, ...key])).toString('base64url')
}

/** Permissive, because the key of an external identity is a URL and a subject of any form. */
const keyPattern = /^\P{Cc}{1,300}$/u

/** Needs no signature: a forged cursor only starts the caller's own rows at another position. */
function decodeCursor(text: string): ExportCursor {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw invalidCursor()
  }
  const [tableIndex, ...key] = Array.isArray(parts) ? (parts as unknown[]) : []
  const isKey = key.every((part): part is string => typeof part === 'string' && keyPattern.test(part))
  if (typeof tableIndex !== 'number' || !Number.isInteger(tableIndex) || tableIndex < 0 || !isKey) throw invalidCursor()
  return { tableIndex, key }
}

function invalidCursor() {
  return badField('after', 'must be the `Next` of the previous page; start again without it')
}
