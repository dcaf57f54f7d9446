/** Verifies a stream of a source without SQL: some documents are read again by their keys and compared value by value, with their children. */
import { decodeRows, encodeRows, joinRows, type RowJoiner } from '../encoding/copy-text.ts'
import type { Table } from '../ports/model.ts'
import type { OpenSource, Stream } from '../ports/source.ts'
import type { ComparedRow, VerifiedColumn, VerifiedTable } from '../ports/verified-table.ts'
import type { RowDifference, StreamVerification, VerifyRequest } from '../ports/verification.ts'
import { canonicalText, comparableText } from './compared-values.ts'
import { emptyVerification } from './verify-stream.ts'

/** Documents may cost a call each. */
const documents = 10

export async function verifyBySample(request: VerifyRequest, stream: Stream): Promise<StreamVerification> {
  const { source, target, clock } = request
  const tables = await target.verifiedTables(stream)
  const [main] = tables
  const checkedAt = new Date(clock.now())
  const empty = { ...emptyVerification(stream, main?.name ?? '', checkedAt), method: 'sample' } as const
  if (main === undefined) return { ...empty, outcome: 'unfinished', notice: 'No run has moved this table yet.' }
  if (!canReadByKey(source, stream))
    return {
      ...empty,
      outcome: 'notProvable',
      notice: 'The source offers no rows of it by their keys to compare with.',
    }
  const keys = await sampleKeys(main, stream.table)
  if (keys.length === 0) return { ...empty, outcome: 'identical', notice: 'The table is empty.' }
  const rows = await readFromSource(request, stream, keys)
  const differences: RowDifference[] = []
  let compared = 0
  for (const [at, table] of tables.entries()) {
    const described = [stream.table, ...stream.children][at]
    if (described === undefined) continue
    const parent = described.parentKey ?? described.key
    const copies = await readFromTarget(table, parent, keys)
    compared += copies.length
    differences.push(...compareRows({ table, described, keys, parent }, rows.get(described.name) ?? [], copies))
  }
  // A document has no stamp here, so it may have changed since the last run.
  const outcome = differences.length === 0 ? 'identical' : 'pending'
  const notice = `${keys.length === 1 ? 'One document was' : `${keys.length} documents were`} read again and compared.`
  return { ...empty, outcome, rows: compared, differenceCount: differences.length, differences, notice }
}

/** Streams that report their deletions themselves are not listed by key. */
function canReadByKey(source: OpenSource, { table, keyComparison }: Stream): boolean {
  return source.readByKey !== undefined && table.key.length > 0 && keyComparison !== 'never'
}

async function sampleKeys(main: VerifiedTable, { key }: Table): Promise<readonly ComparedRow[]> {
  const columns = key.flatMap((name) => main.columns.find((column) => column.name === name) ?? [])
  await using read = await main.read()
  let rows = 0
  for await (const [row] of read.rows(`SELECT ${main.words.count} FROM ${main.from}`, 1)) rows = Number(row?.[0] ?? 0)
  if (rows === 0 || columns.length < key.length) return []
  const list = columns.map((column) => column.forms[0]?.sql ?? column.canonical)
  const found: ComparedRow[] = []
  const sample = rows <= documents ? main.from : main.words.sample(main.from, (4 * documents) / rows, null)
  for await (const some of read.rows(`SELECT ${list.join(', ')} FROM ${sample}`, list.length)) found.push(...some)
  return found.slice(0, documents)
}

/** Rows by table, as the source sends them. */
async function readFromSource(
  { source, log, signal }: VerifyRequest,
  stream: Stream,
  keys: readonly ComparedRow[],
): Promise<ReadonlyMap<string, readonly ComparedRow[]>> {
  const joiners = new Map<string, RowJoiner>()
  const rows = new Map<string, ComparedRow[]>()
  const types = typesOf(stream.table, stream.table.key)
  const encoded = encodeRows(
    keys.map((key) => key.map((text, at) => canonicalText({ form: null, type: types[at] ?? { kind: 'text' } }, text))),
  )
  for await (const batch of source.readByKey?.(stream, encoded, { encoding: 'text', log }) ?? []) {
    signal.throwIfAborted()
    const joiner = joiners.get(batch.table) ?? joinRows()
    joiners.set(batch.table, joiner)
    rows.set(batch.table, [...(rows.get(batch.table) ?? []), ...decodeRows(joiner.push(Buffer.from(batch.bytes)))])
    batch.release?.()
  }
  return rows
}

function typesOf({ columns }: Table, names: readonly string[]) {
  return names.flatMap((name) => columns.find((column) => column.name === name)?.type ?? [])
}

/** The rows of a table that belong to these documents. */
async function readFromTarget(
  table: VerifiedTable,
  parent: readonly string[],
  keys: readonly ComparedRow[],
): Promise<readonly ComparedRow[]> {
  const columns = parent.flatMap((name) => table.columns.find((column) => column.name === name) ?? [])
  const equals = (key: ComparedRow): string =>
    `(${columns.map((column, at) => column.equals(key[at] ?? '')).join(' AND ')})`
  const list = table.columns.map(({ canonical }) => canonical)
  await using read = await table.read()
  const found: ComparedRow[] = []
  const sql = `SELECT ${list.join(', ')} FROM ${table.from} WHERE ${keys.map(equals).join(' OR ')}`
  for await (const some of read.rows(sql, list.length)) found.push(...some)
  return found
}

interface SampledTable {
  readonly table: VerifiedTable
  readonly described: Table
  readonly keys: readonly ComparedRow[]
  readonly parent: readonly string[]
}

function compareRows(
  sampled: SampledTable,
  source: readonly ComparedRow[],
  target: readonly ComparedRow[],
): readonly RowDifference[] {
  const { table, described, keys, parent } = sampled
  const { columns } = table
  const wanted = new Set(keys.map((key) => comparableKey(typesOf(described, parent), key)))
  const places = columns.map(({ name }) => described.columns.findIndex((column) => column.name === name))
  const parentAt = parent.map((name) => columns.findIndex((column) => column.name === name))
  const isWanted = (row: ComparedRow): boolean =>
    wanted.has(
      comparableKey(
        typesOf(described, parent),
        parentAt.map((at) => row[at] ?? null),
      ),
    )
  const rows = source.map((row) => places.map((at) => row[at] ?? null)).filter(isWanted)
  const left = byKey(sampled, rows)
  const right = byKey(sampled, target)
  const ids = [...new Set([...left.keys(), ...right.keys()])]
  return ids.flatMap((id) => {
    const [from, to] = [left.get(id), right.get(id)]
    const row = from ?? to ?? []
    const differing = from === undefined || to === undefined ? [] : differingValues(columns, from, to)
    if (from !== undefined && to !== undefined && differing.length === 0) return []
    const kind = from === undefined ? 'additional' : to === undefined ? 'missing' : 'different'
    const key = Object.fromEntries(
      columns.flatMap(({ name }, at) => (described.key.includes(name) ? [[name, row[at] ?? null]] : [])),
    )
    return [{ table: table.name, key, kind, columns: differing, cause: 'unknown', isRepaired: false } as const]
  })
}

function byKey(
  { table: { columns }, described }: SampledTable,
  rows: readonly ComparedRow[],
): Map<string, ComparedRow> {
  const isKey = ({ name }: VerifiedColumn): boolean => described.key.length === 0 || described.key.includes(name)
  return new Map(
    rows.map((row) => [
      JSON.stringify(
        columns.flatMap((column, at) => (isKey(column) ? [comparableText(column.type, row[at] ?? null)] : [])),
      ),
      row,
    ]),
  )
}

function comparableKey(types: readonly VerifiedColumn['type'][], key: ComparedRow): string {
  return JSON.stringify(key.map((text, at) => comparableText(types[at] ?? { kind: 'text' }, text)))
}

function differingValues(columns: readonly VerifiedColumn[], source: ComparedRow, target: ComparedRow) {
  return columns.flatMap(({ name, type }, at) => {
    const [from, to] = [source[at] ?? null, target[at] ?? null]
    return comparableText(type, from) === comparableText(type, to) ? [] : [{ name, source: from, target: to }]
  })
}
