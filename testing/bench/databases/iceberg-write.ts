/** Loads orders into a new lake in a folder, in a separate process, and reports what it took. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FolderCatalog } from '@tributary/engine/databases/iceberg/catalog/folder-catalog'
import { OpenLakeTarget } from '@tributary/engine/databases/iceberg/target/open-target'
import { stream } from '../../engine/sync/fixtures.ts'
import { connectionContext, realClock } from '../../engine/sync/source-context.ts'
import { reportMeasured } from '../measure.ts'
import { orders } from './lake-orders.ts'

export interface IcebergWriteJob {
  /** Rows as COPY text. */
  readonly file: string
}

const job = JSON.parse(process.argv[2] ?? '') as IcebergWriteJob
const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-lake-'))
try {
  const since = performance.now()
  await using target = await OpenLakeTarget.open(
    {
      namespace: ['bench'],
      unknownValues: 'reject',
      openCatalog: () => FolderCatalog.open(folder, realClock),
      check: async () => [],
    },
    connectionContext(),
  )
  await target.begin({ connectorId: 'bench', runId: 'bench', fence: 1 })
  await target.prepare(stream(orders))
  await using load = await target.load(stream(orders), { kind: 'replace', resume: false })
  for await (const bytes of readAhead(job.file)) await load.write({ table: orders.name, bytes, rows: 0 })
  await load.finish({ at: 1 })
  reportMeasured((performance.now() - since) / 1_000)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/**
 * Reads like the socket of a source: batches arrive while others are written, even if Node's threads for files are busy compressing, and their
 * memory is used again. A batch is valid until the next is taken.
 */
async function* readAhead(path: string): AsyncGenerator<Buffer> {
  const batchBytes = 262_144
  await using file = await open(path)
  let position = 0
  const read = (buffer: Buffer) => {
    position += batchBytes
    return file.read(buffer, 0, batchBytes, position - batchBytes)
  }
  const reads = Array.from({ length: 4 }, () => read(Buffer.allocUnsafeSlow(batchBytes)))
  for (;;) {
    const next = await reads.shift()
    if (next === undefined || next.bytesRead === 0) break
    yield next.buffer.subarray(0, next.bytesRead)
    reads.push(read(next.buffer))
  }
  await Promise.all(reads)
}
