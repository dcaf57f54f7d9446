/** What stands in the table of a record, and how slices of it are replaced. */
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { sliceTableName } from '../../planning/tables/table-names.ts'
import { type OwnColumn, readBack, type Value } from './sheet/column-values.ts'
import { type SliceNames, sliceParts } from './slices.ts'
import { loadStream, type OpenTable } from './load-table.ts'

const sliceColumns = [
  'SliceId',
  'Entity',
  'Area',
  'Subarea',
  'Milestone',
  'Rows',
  'LoadId',
  'LoadedBy',
  'LoadedAtUtc',
] as const

/** As the table knows it. */
export interface LoadedSlice {
  readonly sliceId: string
  readonly names: SliceNames
  readonly rows: number
  readonly loadId: string
  readonly by: string
  readonly at: string
}

/** Those of these slices that the table knows, by their id. */
export async function readSlices(
  { target, table }: OpenTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LoadedSlice>> {
  const found = await readByIds(target, ids, { table: sliceTableName(table.name), columns: [...sliceColumns] })
  const slices = found.map(([sliceId, entity, area, subarea, milestone, rows, loadId, by, at]): LoadedSlice => ({
    sliceId: (sliceId ?? '').toLowerCase(),
    names: { entity: entity ?? '', area: area ?? '', subarea: subarea ?? '', milestone: milestone ?? '' },
    rows: Number(rows),
    loadId: (loadId ?? '').toLowerCase(),
    by: by ?? '',
    at: utcTime(at ?? ''),
  }))
  return new Map(slices.map((slice) => [slice.sliceId, slice]))
}

/** The rows of these slices, in the order of the known columns, by the id of their slice. */
export async function readTableRows(
  { target, table, known }: OpenTable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly (readonly Value[])[]>> {
  const columns = ['SliceId', ...known.map(({ name }) => name)]
  const found = await readByIds(target, ids, { table: table.name, columns })
  const rows = found.map(([sliceId, ...values]) => ({
    sliceId: (sliceId ?? '').toLowerCase(),
    values: known.map(({ type }, at) => readBack(values[at] ?? null, type)),
  }))
  return new Map(
    [...Map.groupBy(rows, ({ sliceId }) => sliceId)].map(([id, those]) => [id, those.map(({ values }) => values)]),
  )
}

/** The different values of a column, of all rows. */
export async function readColumn(
  { target, name }: Pick<OpenTable, 'target' | 'name'>,
  column: OwnColumn,
): Promise<readonly Value[]> {
  const found = await target.select(
    ({ view, quote }) => `SELECT DISTINCT ${quote(column.name)} AS v FROM ${view(name)} AS kept`,
  )
  return found.map(([value]) => readBack(value ?? null, column.type))
}

const idsAtOnce = 500

/** @param ids made by ourselves, so that they can stand in a statement as they are. */
async function readByIds(
  target: OpenTarget,
  ids: readonly string[],
  { table: name, columns }: { readonly table: string; readonly columns: readonly string[] },
): Promise<readonly (readonly (string | null)[])[]> {
  const found: (readonly (string | null)[])[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const among = ids.slice(at, at + idsAtOnce).map((id) => `'${id}'`)
    const rows = await target.select(({ table, quote }) => {
      // Names of our own: those of sheets mean something to some databases' JSON.
      const wanted = columns.map((column, place) => `${quote(column)} AS v${place}`)
      return `SELECT ${wanted.join(', ')} FROM ${table(name)} AS kept WHERE ${quote('SliceId')} IN (${among.join(', ')})`
    })
    for (const row of rows) found.push(row)
  }
  return found
}

/** `2026-01-31 13:05:00.123+00`, or without the zone, as the wire has it. */
function utcTime(written: string): string {
  const [day = '', time = ''] = written.split(/[ T]/u)
  return new Date(`${day}T${time.replace(/(?:\+00(?::00)?|Z)$/u, '')}Z`).toISOString()
}

interface NewSlice {
  readonly sliceId: string
  readonly names: SliceNames
  readonly rows: readonly (readonly Value[])[]
  readonly loadId: string
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

export interface Writing {
  /** All own columns of the table from now on; values stand in their order. */
  readonly own: readonly OwnColumn[]
  readonly slices: readonly NewSlice[]
}

const rowsAtOnce = 1_000

/** Replaces these slices, all in one transaction that the fence guards. */
export async function writeSlices(open: OpenTable, { own, slices }: Writing): Promise<void> {
  const { target, record } = open
  const stream = loadStream(open, own)
  await target.prepare(stream)
  await using load = await target.load(stream, { kind: 'merge' })
  const write = async (table: string, rows: readonly (readonly Value[])[]) => {
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce)
      await load.write({ table, bytes: encodeRows(some), rows: some.length })
    }
  }
  const heads = slices.map(({ sliceId, names, rows, loadId, by, at }) => {
    const [count, time] = [String(rows.length), storedTime(at)]
    return [sliceId, ...partsOf(names), count, loadId, by, time]
  })
  await write(stream.table.name, heads)
  for (const { sliceId, names, rows, loadId, by, at } of slices) {
    const ours = [...(record.kind === 'version' ? partsOf(names) : []), by, storedTime(at), loadId, sliceId]
    await write(
      open.table.name,
      rows.map((values) => [...ours, ...values]),
    )
  }
  await load.finish(null)
}

function partsOf(names: SliceNames): readonly string[] {
  return sliceParts.map((part) => names[part])
}

function storedTime(at: string): string {
  return `${at.slice(0, -1).replace('T', ' ')}+00`
}
