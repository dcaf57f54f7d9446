/** Rows of the tables that hold something about a person, a page at a time: one after the other, each in the order of its key. */
import { heldRowsMax } from '@tributary/contract/privacy'
import { sql } from 'kysely'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Holding, Subject } from './personal-data.ts'

type PersonalDataRow = Readonly<Record<string, unknown>>

export interface PersonalDataPage {
  readonly tables: Record<string, PersonalDataRow[]>
  readonly next: string | null
}

/** What was told last: where in the list, and the key of the row. An empty key: nothing of that one yet. */
interface ExportCursor {
  readonly at: number
  readonly key: readonly string[]
}

/** @param after what the page before said comes next. */
export async function readPage(
  db: Db,
  subject: Subject,
  { from, after }: { readonly from: readonly Holding[]; readonly after: string | undefined },
): Promise<PersonalDataPage> {
  const keys = await readKeys(db)
  let { at, key } = after === undefined ? { at: 0, key: [] } : placeOf(after)
  const tables: Record<string, PersonalDataRow[]> = {}
  let left = heldRowsMax
  while (at < from.length && left > 0) {
    const holding = from[at]
    if (holding === undefined) break
    const order = keys.get(holding.table) ?? []
    const found = await readRows(db, subject, { holding, order, key, limit: left + 1 })
    const taken = isShort(order) ? found : found.slice(0, left)
    tables[holding.name ?? holding.table] = taken.map(({ row }) => shown(holding, row))
    left -= taken.length
    const last = taken.at(-1)
    if (taken.length < found.length && last !== undefined) return { tables, next: textOf({ at, key: last.key }) }
    at += 1
    key = []
  }
  return { tables, next: at < from.length ? textOf({ at, key }) : null }
}

interface KeyColumn {
  readonly name: string
  readonly type: string
}

/** The primary key of each table. */
async function readKeys(db: Db): Promise<ReadonlyMap<string, readonly KeyColumn[]>> {
  const { rows } = await sql<{ table: string; columns: readonly KeyColumn[] }>`
    SELECT relname AS table, jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, NULL)) ORDER BY array_position(indkey, attnum)) AS columns
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
    WHERE indisprimary AND relnamespace = 'public'::regnamespace GROUP BY relname`.execute(db)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** Those that are known by a hash hold what lives for days, and are told in one go: a hash is not for showing. */
function isShort(order: readonly KeyColumn[]): boolean {
  return order.some(({ type }) => type === 'bytea')
}

interface PageQuery {
  readonly holding: Holding
  readonly order: readonly KeyColumn[]
  readonly key: readonly string[]
  readonly limit: number
}

async function readRows(db: Db, subject: Subject, { holding, order, key, limit }: PageQuery) {
  const columns = sql.join(order.map(({ name }) => sql`kept.${sql.ref(name)}`))
  const texts = sql.join(order.map(({ name }) => sql`kept.${sql.ref(name)}::text`))
  const values = sql.join(order.map(({ type }, at) => sql`${key[at] ?? ''}::${sql.raw(type)}`))
  const isBeyond = key.length === 0 ? sql`true` : sql`(${columns}) > (${values})`
  const most = isShort(order) ? sql`` : sql`LIMIT ${limit}`
  const statement = sql<{ row: PersonalDataRow; key: readonly string[] }>`
    SELECT to_jsonb(kept) AS row, jsonb_build_array(${texts}) AS key FROM ${sql.table(holding.table)} AS kept
    WHERE (${holding.isTheirs(subject)}) AND ${isBeyond} ORDER BY ${columns} ${most}`
  try {
    return (await statement.execute(db)).rows
  } catch (error) {
    // A class of its own: what was made up is no number, no id or no time.
    throw key.length > 0 && String((error as { readonly code?: unknown }).code).startsWith('22') ? wrongPlace() : error
  }
}

function shown({ only, without = [] }: Holding, row: PersonalDataRow): PersonalDataRow {
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => (only === undefined ? !without.includes(name) : only.includes(name))),
  )
}

function textOf({ at, key }: ExportCursor): string {
  return Buffer.from(JSON.stringify([at, ...key])).toString('base64url')
}

/** An account at a provider is known by an address of the web, and by whatever the provider likes to call it. */
const keyForm = /^\P{Cc}{1,300}$/u

/** Whoever makes one up sees their own rows from another place on, and nothing else. */
function placeOf(text: string): ExportCursor {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw wrongPlace()
  }
  const [at, ...key] = Array.isArray(parts) ? (parts as unknown[]) : []
  const isKey = key.every((part): part is string => typeof part === 'string' && keyForm.test(part))
  if (typeof at !== 'number' || !Number.isInteger(at) || at < 0 || !isKey) throw wrongPlace()
  return { at, key }
}

function wrongPlace() {
  return badField('after', 'is not what the page before said; begin again without it')
}
