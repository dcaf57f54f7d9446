import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, test } from 'vitest'
import { FolderCatalog } from '../catalog/folder-catalog.ts'
import { openRowWriter } from '../table/partitioned-writer.ts'
import type { Cell } from './cells.ts'
import { readRowGroups } from './parquet-reader.ts'
import type { TableField } from './parquet-schema.ts'

const rows = 5_003
const cases: readonly (readonly [type: string, cellOf: (row: number) => Cell])[] = [
  ['long', (row) => BigInt(row)],
  ['string', (row) => (row % 7 === 0 ? null : `Customer ${(row * 31) % 300}`)],
  ['string', (row) => ['Ω', 'é'.repeat(40), '🦀', '', 'x'.repeat(200)][row % 5] ?? null],
  ['string', (row) => `Ünïcode ${row} ${'\u{1F980}'.repeat(row % 50)}`],
  ['string', (row) => (row === 4_000 ? null : `order ${row}`)],
  ['string', () => 'always'],
  ['string', () => null],
  ['boolean', (row) => (row % 3 === 0 ? null : row % 5 === 0)],
  ['int', (row) => (row % 11 === 0 ? null : -row)],
  ['double', (row) => (row % 2 === 0 ? -0 : row / 3)],
]
const fields: readonly TableField[] = cases.map(([type], at) => ({
  id: at + 1,
  name: `c${at}`,
  type,
  required: at === 0,
}))

test('[LAKE-3] repeated, distinct, long and missing values are read back exactly, and another reader finds the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-chunks-'))
  try {
    const catalog = await FolderCatalog.open(folder, Date)
    const identifier = { namespace: ['sales'], name: 'chunks' }
    const table = await catalog.createTable(identifier, { schema: { type: 'struct', 'schema-id': 0, fields } })
    const nextPath = () => `${table.metadata.location}/data/${randomUUID()}.parquet`
    const writer = openRowWriter({ table, fields, sortedBy: [0], nextPath })
    for (let row = 0; row < rows; row++) await writer.add(cases.map(([, cellOf]) => cellOf(row)))
    const [file] = await writer.finish()
    const read: Cell[][] = cases.map(() => [])
    for await (const group of readRowGroups(table.storage, file ?? never(), fields))
      for (const [at, cells] of group.columns.entries()) read[at]?.push(...cells)
    const expected = cases.map(([, cellOf]) => Array.from({ length: rows }, (_, row) => cellOf(row)))
    expect(read).toEqual(expected)
    const bytes = Uint8Array.from(await readFile(fileURLToPath(file?.path ?? ''))).buffer
    const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) }
    const objects = await parquetReadObjects({ file: bytes, compressors })
    expect(objects.map((row) => Object.values(row))).toEqual(
      Array.from({ length: rows }, (_, row) => cases.map(([, cellOf]) => cellOf(row))),
    )
    const chunks = parquetMetadata(bytes).row_groups[0]?.columns.map(({ meta_data: chunk }) => chunk)
    expect(chunks?.map((chunk) => chunk?.dictionary_page_offset !== undefined)).toEqual(
      cases.map((_, at) => [1, 2, 5].includes(at)),
    )
    expect(chunks?.[1]?.statistics).toMatchObject({
      null_count: 715n,
      min_value: 'Customer 0',
      max_value: 'Customer 99',
    })
  } finally {
    await rm(folder, { recursive: true })
  }
})

function never(): never {
  throw new Error('A file is missing.')
}
