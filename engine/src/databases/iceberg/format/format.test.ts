import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWithIcebird } from '@tributary/testing/engine/iceberg/icebird-rows.ts'
import { FolderCatalog } from '../catalog/folder-catalog.ts'
import type { IcebergSchema } from '../catalog/metadata.ts'
import type { ObjectStorage } from '../storage/storage.ts'
import { openRowWriter } from '../table/partitioned-writer.ts'
import { writeSnapshot } from '../table/snapshot-writer.ts'
import { liveFiles, ManifestCache, snapshotOf } from '../table/table-files.ts'
import { readAvro, writeAvro } from './avro.ts'
import { decodeBound, decodeFixed, encodeFixed, encodeLower, encodeUpper } from './bounds.ts'
import { type Cell, compareCells, equalCells, formatterOf, parserOf } from './cells.ts'
import type { PrecisionLosses } from './moments.ts'
import { columnType, isPromotion, logicalType } from './column-types.ts'
import { readRowGroups } from './parquet-reader.ts'
import { primitiveFields, type TableField } from './parquet-schema.ts'

const columns: readonly (readonly [type: string, texts: readonly (string | null)[]])[] = [
  ['int', ['-2147483648', '2147483647', null]],
  ['long', ['-9223372036854775808', '9223372036854775807', null]],
  ['decimal(9, 2)', ['-9999999.99', '0.01', null]],
  ['decimal(18, 4)', ['-90071992547409.9301', '0.0000', null]],
  ['decimal(38, 10)', ['1234567890123456789012345678.0123456789', '-0.0000000001', null]],
  ['double', ['0.1', '-1.7976931348623157e+308', 'NaN']],
  ['boolean', ['t', 'f', null]],
  ['date', ['0001-01-01', '9999-12-31', null]],
  ['time', ['00:00:00', '23:59:59.999999', null]],
  ['timestamp', ['1969-07-20 20:17:40.123456', '9999-12-31 23:59:59.999999', null]],
  ['timestamptz', ['1969-07-20 20:17:40.123456+00', '2038-01-20 00:00:00+00', null]],
  ['uuid', ['6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', 'ffffffff-ffff-ffff-ffff-ffffffffffff', null]],
  ['binary', ['\\x', `\\x${'ab'.repeat(70_000)}`, null]],
  ['string', ['', `🦀 Ω\t\n\\${'x'.repeat(30_000)}`, null]],
]

const fields: readonly TableField[] = columns.map(([type], at) => ({
  id: at + 1,
  name: `a ${type}`,
  type,
  required: false,
}))
const schema: IcebergSchema = { type: 'struct', 'schema-id': 0, fields }
const cellsOf = (row: number): readonly Cell[] =>
  columns.map(([type, texts]) => {
    const text = texts[row] ?? null
    return text === null ? null : (parserOf(type)(text) ?? null)
  })
const textsOf = (cells: readonly Cell[]) =>
  cells.map((cell, at) => (cell === null ? null : formatterOf(columns[at]?.[0] ?? '')(cell)))

let folder = ''
let catalog: FolderCatalog

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-format-'))
  catalog = await FolderCatalog.open(folder, Date)
})
afterAll(() => rm(folder, { recursive: true }))

const identifier = { namespace: ['sales'], name: 'types' }

async function readCells(storage: ObjectStorage, path: string, wanted = fields): Promise<Cell[][]> {
  const rows: Cell[][] = []
  const size = await storage.size(path)
  for await (const group of readRowGroups(storage, { path, size }, wanted))
    for (let row = 0; row < group.rows; row++) rows.push(group.columns.map((cells) => cells[row] ?? null))
  return rows
}

describe('a table in the files of Iceberg', () => {
  test('[LAKE-3] every type is read back exactly, with bounds, and icebird reads the same rows', async () => {
    const table = await catalog.createTable(identifier, { schema })
    const writer = openRowWriter({
      table,
      fields: primitiveFields(schema.fields),
      sortedBy: [],
      nextPath: () => `${table.metadata.location}/data/${randomUUID()}.parquet`,
    })
    for (const row of [0, 1, 2]) await writer.add(cellsOf(row))
    const added = await writer.finish()
    const written = await writeSnapshot(table, {
      listed: [],
      branch: 'main',
      added,
      removed: new Set(),
      summary: {},
      filePrefix: 'test-',
      now: Date.now(),
    })
    const { snapshot } = written
    const committed = await catalog.commitTable({
      identifier,
      requirements: [{ type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': null }],
      updates: [
        { action: 'add-snapshot', snapshot },
        { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': snapshot['snapshot-id'] },
      ],
    })
    const [file] = liveFiles(await new ManifestCache().readAll(table.storage, snapshotOf(committed)))
    expect(file).toMatchObject({ rows: 3, path: added[0]?.path })
    const rows = await readCells(table.storage, file?.path ?? '')
    expect(rows.map(textsOf)).toEqual([0, 1, 2].map((row) => columns.map(([, texts]) => texts[row] ?? null)))
    for (const { id, type } of fields) {
      const values = rows.flatMap((row) => row[id - 1] ?? []).filter((cell) => !Number.isNaN(cell))
      const lower = decodeBound(type, file?.lower.get(id) ?? new Uint8Array())
      const upper = decodeBound(type, file?.upper.get(id) ?? new Uint8Array())
      for (const value of values) {
        expect(compareCells(lower, value)).toBeLessThanOrEqual(0)
        expect(compareCells(value, upper)).toBeLessThanOrEqual(0)
      }
    }
    const foreign = await readWithIcebird(committed.metadata)
    expect(foreign).toHaveLength(3)
    expect(foreign[0]).toMatchObject({
      'a int': -2_147_483_648,
      'a long': -9_223_372_036_854_775_808n,
      'a decimal(9, 2)': -9_999_999.99,
      'a boolean': true,
      'a uuid': new Uint8Array(Buffer.from('6b1f0c520d5a4c0b9a513f0c6d2e7a10', 'hex')),
      'a string': '',
    })
    expect(foreign[1]).toMatchObject({
      'a timestamptz': new Date('2038-01-20T00:00:00Z'),
      'a string': columns.at(-1)?.[1][1],
    })
  })

  test('[LAKE-3] columns are found by their field ids, and one that the file does not have is empty', async () => {
    const table = await catalog.loadTable(identifier)
    const [file] = liveFiles(
      await new ManifestCache().readAll(table?.storage as ObjectStorage, snapshotOf(table ?? never())),
    )
    const wanted: readonly TableField[] = [
      { id: 99, name: 'later', type: 'string', required: false },
      { id: 1, name: 'renamed', type: 'long', required: false },
      { id: 3, name: 'wider', type: 'decimal(20, 2)', required: false },
    ]
    const [row] = await readCells(table?.storage as ObjectStorage, file?.path ?? '', [...wanted])
    expect(row).toEqual([null, -2_147_483_648n, -999_999_999n])
  })

  test('[LAKE-6] an ordinary reader of Parquet finds field ids, compression and statistics', async () => {
    const table = await catalog.loadTable(identifier)
    const [file] = liveFiles(
      await new ManifestCache().readAll(table?.storage as ObjectStorage, snapshotOf(table ?? never())),
    )
    const bytes = await readFile(fileURLToPath(file?.path ?? ''))
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    const metadata = parquetMetadata(buffer)
    expect(metadata.schema.slice(1).map(({ field_id }) => field_id)).toEqual(fields.map(({ id }) => id))
    const [group] = metadata.row_groups
    expect(group?.columns[0]?.meta_data).toMatchObject({ codec: 'ZSTD', statistics: { null_count: 1n } })
    const read = await parquetReadObjects({ file: buffer, compressors: { ZSTD: (input) => zstdDecompressSync(input) } })
    expect(read[0]).toMatchObject({ a_x20int: -2_147_483_648 })
  })
})

function never(): never {
  throw new Error('The table is missing.')
}

describe('cells', () => {
  test.each(columns)('[LAKE-3] %s keeps the text of every value', (type, texts) => {
    const parse = parserOf(type)
    for (const text of texts) if (text !== null) expect(formatterOf(type)(parse(text) ?? '')).toBe(text)
  })

  test('[LAKE-3] every decimal, day and microsecond returns as the same text', () => {
    const micros = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), micros, (unscaled, moment) => {
        for (const [type, cell] of [
          ['decimal(38, 7)', unscaled],
          ['decimal(9, 2)', unscaled % 10n ** 9n],
          ['decimal(15, 0)', unscaled % 10n ** 15n],
          ['long', BigInt.asIntN(64, unscaled)],
          ['long', BigInt.asIntN(40, unscaled)],
          ['int', Number(BigInt.asIntN(32, unscaled))],
          ['timestamp', moment],
          ['timestamptz', moment],
        ] as const)
          expect(parserOf(type)(formatterOf(type)(cell))).toBe(cell)
        expect(decodeFixed(encodeFixed(unscaled, 16))).toBe(unscaled)
      }),
    )
  })

  test('[LAKE-3] digits beyond a microsecond are cut off and counted, never rounded up', () => {
    const losses: PrecisionLosses = { count: 0 }
    const parse = parserOf('timestamp', losses)
    expect(formatterOf('timestamp')(parse('1969-12-31 23:59:59.9999999') ?? 0)).toBe('1969-12-31 23:59:59.999999')
    expect(losses.count).toBe(1)
    parse('2024-01-01 00:00:00.1234560')
    expect(losses.count).toBe(1)
  })

  test.each([
    ['int', '2147483648'],
    ['int', '1.5'],
    ['int', '-'],
    ['long', ''],
    ['long', '1-2'],
    ['long', '123456789012345678x'],
    ['decimal(9, 2)', '-.50'],
    ['decimal(9, 2)', '1:.00'],
    ['long', '9223372036854775808'],
    ['decimal(9, 2)', '12345678.00'],
    ['decimal(9, 2)', '0.001'],
    ['decimal(9, 2)', 'three'],
    ['date', '2023-02-29'],
    ['date', 'infinity'],
    ['time', '24:00:00'],
    ['timestamptz', '2024-01-01 00:00:00'],
    ['boolean', 'yes'],
    ['uuid', 'x'],
  ])('[LAKE-3] %s refuses %s instead of changing it', (type, text) => {
    expect(parserOf(type)(text)).toBeUndefined()
  })

  test('[LAKE-4] bounds of text and bytes are short, and the upper one is never below the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), (text, bytes) => {
        for (const [type, value] of [
          ['string', text.toWellFormed()],
          ['binary', Buffer.from(bytes)],
        ] as const) {
          const upper = encodeUpper(type, value)
          expect(compareCells(decodeBound(type, encodeLower(type, value)), value)).toBeLessThanOrEqual(0)
          if (upper !== null) expect(compareCells(value, decodeBound(type, upper))).toBeLessThanOrEqual(0)
        }
      }),
    )
  })

  test('[LAKE-4] text is ordered by its UTF-8 bytes, as bounds are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        const [one, other] = [left.toWellFormed(), right.toWellFormed()]
        const bytes = Buffer.compare(Buffer.from(one), Buffer.from(other))
        expect(Math.sign(compareCells(one, other))).toBe(bytes)
        expect(equalCells(one, other)).toBe(bytes === 0)
      }),
    )
  })
})

test('[LAKE-3] types of Iceberg hold every logical type exactly, and wide decimals become text', () => {
  expect(columnType({ kind: 'decimal', precision: 38, scale: 9 })).toBe('decimal(38, 9)')
  expect(columnType({ kind: 'decimal', precision: 39, scale: 9 })).toBe('string')
  expect(columnType({ kind: 'decimal' })).toBe('string')
  expect(logicalType('decimal(38,9)')).toEqual({ kind: 'decimal', precision: 38, scale: 9 })
  expect(logicalType('struct')).toBeNull()
  expect([
    isPromotion('int', 'long'),
    isPromotion('long', 'int'),
    isPromotion('decimal(9, 2)', 'decimal(12, 2)'),
  ]).toEqual([true, false, true])
})

test('Avro files keep 64-bit numbers, and a damaged one is refused', () => {
  const record = { type: 'record', name: 'r', fields: [{ name: 'id', type: ['null', 'long'] }] } as const
  const bytes = Buffer.from(writeAvro(record, { of: 'test' }, [{ id: 9_007_199_254_740_993n }, { id: null }]))
  const { metadata, records } = readAvro(bytes)
  expect([metadata.get('of'), records]).toEqual(['test', [{ id: 9_007_199_254_740_993n }, { id: null }]])
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  expect(() => readAvro(bytes)).toThrow('damaged')
})
