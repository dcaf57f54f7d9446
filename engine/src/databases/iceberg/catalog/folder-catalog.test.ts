import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ObjectNotFoundError, type ObjectStorage, type StoredObject } from '../storage/storage.ts'
import { LocalStorage } from '../storage/local-storage.ts'
import { CatalogConflictError, type TableIdentifier } from './catalog.ts'
import type { TableUpdate } from './commit.ts'
import { FolderCatalog } from './folder-catalog.ts'
import type { IcebergSchema, Snapshot } from './metadata.ts'
import { parseIcebergJson, stringifyIcebergJson } from './metadata-json.ts'

let folder = ''
let catalog: FolderCatalog
const orders: TableIdentifier = { namespace: ['sales'], name: 'orders' }
const schema: IcebergSchema = {
  type: 'struct',
  'schema-id': 0,
  fields: [{ id: 1, name: 'id', required: true, type: 'long' }],
}
const clock = { now: () => 1_790_000_000_000 }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-lake-'))
  catalog = await FolderCatalog.open(folder, clock)
})
afterEach(() => rm(folder, { recursive: true }))

function snapshotUpdates(id: bigint, sequence: number, parent?: bigint): TableUpdate[] {
  const snapshot: Snapshot = {
    'snapshot-id': id,
    ...(parent !== undefined && { 'parent-snapshot-id': parent }),
    'sequence-number': sequence,
    'timestamp-ms': clock.now(),
    'manifest-list': 'file:///list.avro',
    summary: { operation: 'append' },
    'schema-id': 0,
  }
  return [
    { action: 'add-snapshot', snapshot },
    { action: 'set-snapshot-ref', 'ref-name': 'main', type: 'branch', 'snapshot-id': id },
  ]
}

describe('a catalog in a folder', () => {
  test('[LAKE-5] keeps a table in numbered metadata files with a version hint', async () => {
    const { metadata } = await catalog.createTable(orders, { schema, properties: { owner: 'us' } })
    const commit = { identifier: orders, requirements: [], updates: snapshotUpdates(9_007_199_254_740_993n, 1) }
    await catalog.commitTable(commit)

    const files = join(fileURLToPath(metadata.location), 'metadata')
    expect((await readdir(files)).sort()).toEqual(['v1.metadata.json', 'v2.metadata.json', 'version-hint.text'])
    expect(await readFile(join(files, 'version-hint.text'), 'utf8')).toBe('2')
    expect(await readFile(join(files, 'v2.metadata.json'), 'utf8')).toContain('"current-snapshot-id":9007199254740993')

    const loaded = await catalog.loadTable(orders)
    expect(loaded?.metadata['current-snapshot-id']).toBe(9_007_199_254_740_993n)
    expect(loaded?.metadata['metadata-log']?.map((entry) => entry['metadata-file'])).toEqual([
      `${metadata.location}/metadata/v1.metadata.json`,
    ])
    expect(await catalog.listTables(['sales'])).toEqual(['orders'])
    expect(await catalog.listTables(['other'])).toEqual([])
  })

  test('[LAKE-2] a commit against an older snapshot changes nothing', async () => {
    await catalog.createTable(orders, { schema })
    const requirements = [{ type: 'assert-ref-snapshot-id', ref: 'main', 'snapshot-id': null }] as const
    await catalog.commitTable({ identifier: orders, requirements, updates: snapshotUpdates(1n, 1) })
    await expect(
      catalog.commitTable({ identifier: orders, requirements, updates: snapshotUpdates(2n, 2) }),
    ).rejects.toThrow(CatalogConflictError)
    expect((await catalog.loadTable(orders))?.metadata['current-snapshot-id']).toBe(1n)
  })

  test('[LAKE-2] of concurrent commits each is applied once or refused', async () => {
    await catalog.createTable(orders, { schema })
    const others = await FolderCatalog.open(folder, clock)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? catalog : others).commitTable({
          identifier: orders,
          requirements: [],
          updates: [{ action: 'set-properties', updates: { [`writer-${index}`]: 'done' } }],
        }),
      ),
    )
    const applied = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [`writer-${index}`] : []))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.every(({ reason }) => reason instanceof CatalogConflictError)).toBe(true)
    expect(Object.keys((await catalog.loadTable(orders))?.metadata.properties ?? {}).sort()).toEqual(applied.sort())
    expect(applied.length).toBeGreaterThan(0)
  })

  test('a process that ends between the metadata file and the hint loses nothing', async () => {
    const { metadata } = await catalog.createTable(orders, { schema })
    await catalog.commitTable({ identifier: orders, requirements: [], updates: snapshotUpdates(1n, 1) })
    const hint = join(fileURLToPath(metadata.location), 'metadata', 'version-hint.text')
    await writeFile(hint, '1')
    expect((await catalog.loadTable(orders))?.metadata['current-snapshot-id']).toBe(1n)
    await rm(hint)
    expect((await catalog.loadTable(orders))?.metadata['current-snapshot-id']).toBe(1n)
  })

  test('renames a table without moving its files, and gives the old name to another table', async () => {
    const first = await catalog.createTable(orders, { schema })
    const archive = { ...orders, name: 'archive' }
    await catalog.renameTable(orders, archive)
    const second = await catalog.createTable(orders, { schema })
    expect((await catalog.loadTable(archive))?.metadata['table-uuid']).toBe(first.metadata['table-uuid'])
    expect(second.metadata.location).not.toBe(first.metadata.location)
    await expect(catalog.renameTable(archive, orders)).rejects.toThrow(CatalogConflictError)
    await expect(catalog.createTable(orders, { schema })).rejects.toThrow(CatalogConflictError)

    await catalog.dropTable(orders, { purge: true })
    expect(await catalog.loadTable(orders)).toBeNull()
    expect((await catalog.loadTable(archive))?.metadata.location).toBe(first.metadata.location)
  })

  test('adds columns, and reuses a schema that the table already has', async () => {
    await catalog.createTable(orders, { schema })
    const wider = { ...schema, fields: [...schema.fields, { id: 2, name: 'note', required: false, type: 'string' }] }
    const updates: TableUpdate[] = [
      { action: 'add-schema', schema: wider },
      { action: 'set-current-schema', 'schema-id': -1 },
    ]
    const { metadata } = await catalog.commitTable({ identifier: orders, requirements: [], updates })
    expect(metadata).toMatchObject({ 'current-schema-id': 1, 'last-column-id': 2 })
    const back = updates.with(0, { action: 'add-schema', schema })
    const again = await catalog.commitTable({ identifier: orders, requirements: [], updates: back })
    expect(again.metadata).toMatchObject({ 'current-schema-id': 0, 'last-column-id': 2 })
    expect(again.metadata.schemas).toHaveLength(2)
  })

  test('removes snapshots with their log and their references', async () => {
    await catalog.createTable(orders, { schema })
    await catalog.commitTable({ identifier: orders, requirements: [], updates: snapshotUpdates(1n, 1) })
    await catalog.commitTable({ identifier: orders, requirements: [], updates: snapshotUpdates(2n, 2, 1n) })
    const { metadata } = await catalog.commitTable({
      identifier: orders,
      requirements: [],
      updates: [{ action: 'remove-snapshots', 'snapshot-ids': [1n] }],
    })
    expect(metadata.snapshots?.map((snapshot) => snapshot['snapshot-id'])).toEqual([2n])
    expect(metadata['snapshot-log']?.map((entry) => entry['snapshot-id'])).toEqual([2n])
  })

  test('names that would leave the folder stay inside', async () => {
    const { metadata } = await catalog.createTable({ namespace: ['..'], name: '../../étage/..' }, { schema })
    expect(fileURLToPath(metadata.location).startsWith(`${folder}/`)).toBe(true)
    expect(await catalog.listTables(['..'])).toEqual(['../../étage/..'])
  })
})

describe('storage in a folder', () => {
  test('reads what was written, whole and in ranges, and lists it with its size', async () => {
    const storage = await LocalStorage.open(folder)
    const location = `${storage.root}/data/one.bin`
    expect(await storage.write(location, parts('hello ', 'world'))).toBe(11)
    expect(Buffer.from(await storage.read(location)).toString()).toBe('hello world')
    expect(Buffer.from(await storage.read(location, { offset: 6, length: 100 })).toString()).toBe('world')
    expect(await storage.size(location)).toBe(11)
    expect(await listAll(storage, `${storage.root}/data/`)).toMatchObject([{ location, size: 11 }])
    await storage.delete([location, location])
    await expect(storage.read(location)).rejects.toThrow(ObjectNotFoundError)
  })

  test('an upload that fails leaves nothing', async () => {
    const storage = await LocalStorage.open(folder)
    const failing = async function* () {
      yield Buffer.from('half')
      throw new Error('cut')
    }
    await expect(storage.write(`${storage.root}/data/one.bin`, failing())).rejects.toThrow('cut')
    expect(await listAll(storage, `${storage.root}/`)).toEqual([])
  })

  test('refuses a location outside of its folder', async () => {
    const storage = await LocalStorage.open(folder)
    await expect(storage.read('file:///etc/hostname')).rejects.toThrow('outside')
    await expect(storage.write(`${storage.root}/../escaped`, Buffer.from('x'))).rejects.toThrow('outside')
  })
})

test('ids of snapshots keep all digits', () => {
  const text = '{"snapshot-id":9223372036854775807,"snapshots":[{"parent-snapshot-id":9007199254740993}]}'
  expect(stringifyIcebergJson(parseIcebergJson(text))).toBe(text)
})

async function* parts(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function listAll(storage: ObjectStorage, prefix: string): Promise<StoredObject[]> {
  const objects: StoredObject[] = []
  for await (const object of storage.list(prefix)) objects.push(object)
  return objects
}
