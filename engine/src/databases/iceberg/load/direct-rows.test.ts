import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeRow } from '../../../encoding/copy-text.ts'
import { Rejects } from '../../sql-target/rejected-rows.ts'
import type { TargetColumn, TargetTable } from '../../sql-target/table-layout.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import { FolderCatalog } from '../catalog/folder-catalog.ts'
import { logicalType } from '../format/column-types.ts'
import { readRowGroups } from '../format/parquet-reader.ts'
import { primitiveFields } from '../format/parquet-schema.ts'
import { openRowWriter, type RowWriter } from '../table/partitioned-writer.ts'
import { schemaOf } from '../table/snapshot-writer.ts'
import { shapeOfTable } from '../table/table-shape.ts'
import { DirectRows } from './direct-rows.ts'
import { RowDecoder } from './row-decoder.ts'
import { rowsOf } from './visit-rows.ts'

/** For each column the texts of values, of which some have an unusual form and some fit no column of the type. */
const columns: readonly (readonly [type: string, texts: readonly (string | null)[]])[] = [
  ['long', ['1', '-2', '9007199254740993', '-9223372036854775808', '00', '-0']],
  ['long', ['1', '-123456789012345', '9223372036854775807', '9223372036854775808', '1.5', '-', null]],
  ['int', ['0', '-2147483648', '2147483647', '2147483648', '', null]],
  ['decimal(9, 2)', ['-9999999.99', '0.01', '5', '12345678.00', '1.200', '-.50', null]],
  ['decimal(18, 2)', ['12345.67', '-0.05', '9999999999999999.99', '10000000000000000.00', '1:.00', null]],
  ['decimal(38, 10)', ['1234567890123456789012345678.0123456789', '-0.0000000001', 'NaN', null]],
  ['double', ['0.1', '-1.7976931348623157e+308', 'NaN', '-0', 'x', null]],
  ['boolean', ['t', 'f', 'true', null]],
  ['date', ['0001-01-01', '2024-02-29', '2023-02-29', '9999-12-31', '1969-12-31', 'infinity', null]],
  ['timestamp', ['1969-07-20 20:17:40.123456', '9999-12-31 23:59:59.999999', '2024-01-01 00:00:00.1234567', null]],
  ['timestamptz', ['2025-06-07 10:20:30.5+00', '2025-06-07 10:20:30+00', '2025-06-07 10:20:30', null]],
  ['uuid', ['6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', 'x', null]],
  ['binary', ['\\x', '\\xab00', '\\xa', null]],
  ['string', ['', '\\N', 'order 1', 'a\tb\nc\\d', 'x'.repeat(70), `${'y'.repeat(40)}\n`, '🦀 Ω', null]],
]

let folder: string
let table: LoadedTable
let target: TargetTable

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-direct-'))
  const catalog = await FolderCatalog.open(folder, Date)
  const fields = columns.map(([type], at) => ({ id: at + 1, name: `c${at}`, type, required: at === 0 }))
  const removed = { id: 100, name: 'removed in the source', type: 'string', required: false }
  table = await catalog.createTable(
    { namespace: ['sales'], name: 'direct' },
    { schema: { type: 'struct', 'schema-id': 0, fields: [...fields.slice(0, 3), removed, ...fields.slice(3)] } },
  )
  const targetColumns = fields.map(({ name, type, required }): TargetColumn => ({
    name,
    type,
    values: logicalType(type) ?? { kind: 'text' },
    isKey: required,
  }))
  target = {
    schema: '',
    name: 'direct',
    table: {
      name: 'direct',
      columns: targetColumns.map(({ name, values, isKey }) => ({ name, type: values, nullable: !isKey })),
      key: ['c0'],
    },
    columns: targetColumns,
    key: ['c0'],
    parentKey: [],
  }
})
afterAll(() => rm(folder, { recursive: true }))

const fields = fc.tuple(...columns.map(([, texts]) => fc.nat().map((pick) => texts[pick % texts.length] ?? null)))
/** Of the first text of each column, which have the usual form. */
const usualFields = columns.map(([, texts]) => texts[0] ?? null)
const row = fc.oneof(
  { weight: 8, arbitrary: fc.nat(9_999).map((id) => encodeRow([String(id), ...usualFields.slice(1)])) },
  { weight: 8, arbitrary: fields.map(encodeRow) },
  { weight: 1, arbitrary: fields.map((values) => encodeRow(values.slice(0, -3))) },
  { weight: 1, arbitrary: fields.map((values) => encodeRow([...values, 'one too many'])) },
  { weight: 1, arbitrary: fc.constant(encodeRow([null, ...usualFields.slice(1)])) },
)

type WriteAll = (decoder: RowDecoder, writer: RowWriter, batches: readonly Uint8Array[]) => Promise<void>

async function load(batches: readonly Uint8Array[], write: WriteAll) {
  const rejects = new Rejects()
  const losses = { count: 0 }
  const seen = { count: 0 }
  const shape = shapeOfTable(table, target)
  const writer = openRowWriter({
    table,
    fields: shape.fields,
    sortedBy: shape.key,
    nextPath: () => `${table.metadata.location}/data/${randomUUID()}.parquet`,
  })
  await write(new RowDecoder({ target, shape, rejects, losses, seen }), writer, batches)
  const rows = []
  const files = await writer.finish()
  for (const file of files)
    for await (const group of readRowGroups(table.storage, file, primitiveFields(schemaOf(table.metadata).fields)))
      rows.push(...rowsOf(group))
  await table.storage.delete(files.map(({ path }) => path))
  const bounds = files.map(({ lower, upper, rows: count }) => ({ lower, upper, count }))
  return { rows, bounds, rejected: rejects.kept, losses, seen }
}

test('[LAKE-3] rows that are read in columns are the rows that the decoder finds, with the same rejections and losses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), fc.nat(200), fc.boolean(), async (lines, cut, isDamaged) => {
      const bytes = Buffer.from(lines.join(''))
      if (isDamaged && bytes.includes('order')) bytes[bytes.indexOf('order')] = 0xff
      const batches = [bytes.subarray(0, cut), bytes.subarray(cut)]
      const direct = await load(batches, async (decoder, writer, parts) => {
        const directRows = new DirectRows(decoder)
        let written = 0
        for (const part of parts) written += await directRows.write(part, writer)
        expect(written).toBeLessThanOrEqual(lines.length)
      })
      const decoded = await load(batches, async (decoder, writer, parts) => {
        for (const part of parts) for (const cells of decoder.decode(part)) await writer.add(cells)
      })
      expect(direct).toEqual(decoded)
      expect(direct.seen.count).toBe(lines.length)
    }),
    { numRuns: 200 },
  )
})

test('[LAKE-6] rows of a first load are read in columns, in groups that are sorted by the key', async () => {
  const count = 60_000
  const line = (id: number): string => encodeRow([String(id), ...usualFields.slice(1)])
  const lines = Array.from({ length: count }, (_, at) => line((at * 7_919) % count))
  const bytes = Buffer.from(lines.join(''))
  const { rows, bounds, seen } = await load([bytes], async (decoder, writer, [part]) => {
    const added: number[] = []
    const counted: RowWriter = {
      add: () => {
        throw new Error('A row of the usual form was decoded.')
      },
      addFields: async (found, plan) => {
        const size = (await writer.addFields?.(found, plan)) ?? 0
        added.push(size)
        return size
      },
      finish: () => writer.finish(),
      cancel: () => writer.cancel(),
    }
    expect(await new DirectRows(decoder).write(part ?? Buffer.alloc(0), counted)).toBe(count)
    expect(added.length).toBeLessThan(count / 100)
  })
  expect(seen.count).toBe(count)
  expect(bounds.map((each) => each.count)).toEqual([count])
  expect(new Set(rows.map(([id]) => id)).size).toBe(count)
  const descents = rows.filter(([id], at) => at > 0 && (id as bigint) < (rows[at - 1]?.[0] as bigint)).length
  expect(descents).toBeLessThan(3)
})
