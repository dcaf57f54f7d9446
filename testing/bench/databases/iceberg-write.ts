/** Loads orders into a new lake in a folder, in a separate process, and reports what it took. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FolderCatalog } from '@tributary/engine/databases/iceberg/catalog/folder-catalog'
import { OpenLakeTarget } from '@tributary/engine/databases/iceberg/target/open-target'
import { column, stream, table } from '../../engine/sync/fixtures.ts'
import { connectionContext, realClock } from '../../engine/sync/source-context.ts'
import { reportMeasured } from '../measure.ts'

export interface IcebergWriteJob {
  /** Rows as COPY text. */
  readonly file: string
}

const orders = table('orders', [
  column('id', { kind: 'integer', bytes: 8 }, false),
  column('customer', { kind: 'text' }),
  column('placed_on', { kind: 'date' }),
  column('changed_at', { kind: 'instant', digits: 6 }),
  column('total', { kind: 'decimal', precision: 18, scale: 2 }),
  column('quantity', { kind: 'integer', bytes: 4 }),
  column('note', { kind: 'text' }),
  column('is_paid', { kind: 'boolean' }),
])

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
  for await (const bytes of createReadStream(job.file, { highWaterMark: 262_144 }))
    await load.write({ table: orders.name, bytes: bytes as Buffer, rows: 0 })
  await load.finish({ at: 1 })
  reportMeasured((performance.now() - since) / 1_000)
} finally {
  await rm(folder, { recursive: true, force: true })
}
