/** Loads orders into a new lake in a folder, in a separate process, and reports what it took. */
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
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
  for await (const bytes of createReadStream(job.file, { highWaterMark: 262_144 }))
    await load.write({ table: orders.name, bytes: bytes as Buffer, rows: 0 })
  await load.finish({ at: 1 })
  reportMeasured((performance.now() - since) / 1_000)
} finally {
  await rm(folder, { recursive: true, force: true })
}
