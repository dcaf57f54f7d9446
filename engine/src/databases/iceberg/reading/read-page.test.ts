import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FolderCatalog } from '../catalog/folder-catalog.ts'
import type { DataFile } from '../format/manifest.ts'
import { primitiveFields, type TableField } from '../format/parquet-schema.ts'
import type { ObjectStorage } from '../storage/storage.ts'
import { DataWriter } from '../table/data-writer.ts'
import { schemaOf } from '../table/snapshot-writer.ts'
import { compareCell } from './best-rows.ts'
import { type LakeFilter, type PageRequest, readPage } from './read-page.ts'

let folder: string
let catalog: FolderCatalog
let storage: ObjectStorage
let fields: readonly TableField[]
const files: DataFile[] = []
const fileCount = 10
const rowsOfFile = 500

/** Ten files whose ids follow each other; the amounts of each are spread over all of them, and every tenth is null. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-lake-'))
  catalog = await FolderCatalog.open(folder, realClock)
  const table = await catalog.createTable(
    { namespace: ['sales'], name: 'sale' },
    {
      schema: {
        type: 'struct',
        'schema-id': 0,
        fields: [
          { id: 1, name: 'id', required: true, type: 'long' },
          { id: 2, name: 'amount', required: false, type: 'long' },
          { id: 3, name: 'note', required: false, type: 'string' },
        ],
      },
    },
  )
  ;({ storage } = table)
  fields = primitiveFields(schemaOf(table.metadata).fields)
  for (let file = 0; file < fileCount; file++) {
    const nextPath = () => `${table.metadata.location}/data/${file}.parquet`
    const writer = new DataWriter({ table, fields, sortedBy: [0], partition: { specId: 0, values: {} }, nextPath })
    for (let at = 0; at < rowsOfFile; at++) {
      const id = file * rowsOfFile + at
      await writer.add([BigInt(id), id % 10 === 0 ? null : BigInt((id * 7_919) % 5_003), `Row ${id}`])
    }
    files.push(...(await writer.finish()))
  }
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const everything: LakeFilter = { fields: [], matches: () => true, mayMatch: () => true }
const byId = [{ at: 0, descending: false }]

async function read(change: Partial<PageRequest>) {
  const paths = new Set<string>()
  const counted: Pick<ObjectStorage, 'read'> = {
    read: (path, range) => {
      paths.add(path)
      return storage.read(path, range)
    },
  }
  const source = { storage: counted, files, fields, signal: new AbortController().signal }
  const page = await readPage(source, { filter: everything, order: byId, after: null, limit: 100, ...change })
  return { ids: page.rows.map(([id]) => Number(id)), rows: page.rows, hasMore: page.hasMore, files: paths.size }
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

test('[LAKE-5] a page by the key reads the files only whose bounds have its rows, forwards and backwards', async () => {
  const first = await read({})
  expect(first).toMatchObject({ ids: numbers(0, 100), hasMore: true, files: 1 })
  expect(first.rows[5]).toEqual([5n, BigInt((5 * 7_919) % 5_003), 'Row 5'])
  expect(await read({ after: [2_449n] })).toMatchObject({ ids: numbers(2_450, 100), hasMore: true, files: 2 })
  expect(await read({ after: [4_899n] })).toMatchObject({ ids: numbers(4_900, 100), hasMore: false, files: 1 })
  const last = await read({ order: [{ at: 0, descending: true }] })
  expect(last).toMatchObject({ ids: numbers(4_900, 100).toReversed(), hasMore: true, files: 1 })
})

test('[LAKE-5] a filter leaves out the files whose bounds exclude it', async () => {
  const filter: LakeFilter = {
    fields: [0],
    matches: ([id = null]) => compareCell(id, 1_230n) >= 0 && compareCell(id, 1_240n) <= 0,
    mayMatch: (boundsAt) => {
      const { least, greatest } = boundsAt(0)
      return compareCell(greatest, 1_230n) >= 0 && compareCell(least, 1_240n) <= 0
    },
  }
  expect(await read({ filter })).toMatchObject({ ids: numbers(1_230, 11), hasMore: false, files: 1 })
})

test('[LAKE-5] pages in the order of any column have every row once, with nulls last, in descending order first', async () => {
  for (const descending of [false, true]) {
    const order = [
      { at: 1, descending },
      { at: 0, descending },
    ]
    const seen: (readonly [bigint | null, bigint])[] = []
    let after: PageRequest['after'] = null
    for (;;) {
      const { rows, hasMore } = await read({ order, after, limit: 700 })
      seen.push(...rows.map(([id, amount]) => [amount as bigint | null, id as bigint] as const))
      after = seen.at(-1) ?? null
      if (!hasMore) break
    }
    expect(new Set(seen.map(([, id]) => id)).size).toBe(fileCount * rowsOfFile)
    const sorted = seen.toSorted((left, right) => {
      const compared = compareCell(left[0], right[0]) || compareCell(left[1], right[1])
      return descending ? -compared : compared
    })
    expect(seen).toEqual(sorted)
    expect(seen[0]?.[0] === null).toBe(descending)
  }
})

test('[LAKE-5] without an order a page ends after its rows, and an aborted signal ends the reading', async () => {
  expect(await read({ order: [], limit: 20 })).toMatchObject({ ids: numbers(0, 20), hasMore: true, files: 1 })
  const source = { storage, files, fields, signal: AbortSignal.abort(new Error('Cancelled.')) }
  const request = { filter: everything, order: byId, after: null, limit: 1 }
  await expect(readPage(source, request)).rejects.toThrow('Cancelled.')
})
