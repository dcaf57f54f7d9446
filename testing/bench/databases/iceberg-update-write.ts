/** Fills an Iceberg table of a lake in a folder and changes a share of its rows, in a separate process. Reports what the change took. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FolderCatalog } from '@tributary/engine/databases/iceberg/catalog/folder-catalog'
import { OpenLakeTarget } from '@tributary/engine/databases/iceberg/target/open-target'
import { stream } from '../../engine/sync/fixtures.ts'
import { connectionContext, realClock } from '../../engine/sync/source-context.ts'
import type { Measured } from '../measure.ts'
import { orders } from './lake-orders.ts'

export interface IcebergUpdateJob {
  readonly folder: string
  readonly rows: number
  /** Of the rows that change. */
  readonly share: number
  readonly mode: 'copied' | 'deletedByPosition'
}

export interface MeasuredUpdate extends Measured {
  /** Of files that the change has left: data, delete files and metadata. */
  readonly bytes: number
  readonly files: number
  readonly metadataFile: string
}

const batchRows = 10_000

const { folder, rows, share, mode } = JSON.parse(process.argv[2] ?? '') as IcebergUpdateJob
await using target = await OpenLakeTarget.open(
  {
    namespace: ['bench'],
    unknownValues: 'reject',
    // Whatever the rule is, the benchmark compares both ways.
    ...(mode === 'deletedByPosition' && { deletionRule: { bytesMin: 0, shareMax: 1 } }),
    openCatalog: () => FolderCatalog.open(folder, realClock),
    check: async () => [],
  },
  connectionContext(),
)
await target.begin({ connectorId: 'bench', runId: 'bench', fence: 1 })
await target.prepare(stream(orders))
{
  await using load = await target.load(stream(orders), { kind: 'replace', resume: false })
  for (let from = 0; from < rows; from += batchRows)
    await load.write(
      batchOf(
        Array.from({ length: Math.min(batchRows, rows - from) }, (_, at) => from + at),
        0,
      ),
    )
  await load.finish({ at: 1 })
}
const before = await listFiles()
const changed = Math.round(rows * share)
const since = performance.now()
{
  await using load = await target.load(stream(orders), { kind: 'merge' })
  for (let from = 0; from < changed; from += batchRows) {
    const ids = Array.from({ length: Math.min(batchRows, changed - from) }, (_, at) => Math.floor((from + at) / share))
    await load.write(batchOf(ids, 1))
  }
  const { updated } = await load.finish({ at: 2 })
  if (updated !== changed) throw new Error(`${updated} rows were updated instead of ${changed}.`)
}
const seconds = (performance.now() - since) / 1_000
const added = [...(await listFiles())].filter(([path]) => !before.has(path))
await using catalog = await FolderCatalog.open(folder, realClock)
const loaded = await catalog.loadTable({ namespace: ['bench'], name: 'orders' })
if (loaded === null) throw new Error('The table is missing.')
console.log(
  JSON.stringify({
    seconds,
    peakMb: process.resourceUsage().maxRSS / 1024,
    bytes: added.reduce((sum, [, bytes]) => sum + bytes, 0),
    files: added.length,
    metadataFile: fileURLToPath(loaded.metadataLocation),
  } satisfies MeasuredUpdate),
)

function batchOf(ids: readonly number[], version: number) {
  return { table: orders.name, bytes: Buffer.from(ids.map((id) => orderText(id, version)).join('')), rows: ids.length }
}

async function listFiles(): Promise<ReadonlyMap<string, number>> {
  const files = new Map<string, number>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      files.set(path, (await stat(path)).size)
    }
  return files
}

function orderText(id: number, version: number): string {
  const pair = (number: number): string => String(number).padStart(2, '0')
  const day = `2025-${pair(1 + (Math.floor(id / 28) % 12))}-${pair(1 + (id % 28))}`
  const fields = [
    id,
    `Customer ${(id * 7919) % 50_000}`,
    day,
    `${day} 10:20:${pair(id % 60)}.123456+00`,
    `${(id + version) % 100_000}.${pair(id % 100)}`,
    id % 50,
    id % 4 === 0 ? '\\N' : `order ${id} of batch ${id % 1000}`,
    id % 3 === 0 ? 't' : 'f',
  ]
  return `${fields.join('\t')}\n`
}
