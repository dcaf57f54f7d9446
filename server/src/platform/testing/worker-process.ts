/** A worker in a process of its own, to be killed by tests. Its one argument says where everything is. */
import type { ClientConfig } from 'pg'
import { readConfig } from '../../config.ts'
import { bells, startWorker, type WorkerOptions } from '../../worker.ts'
import { assemble } from '../assemble.ts'
import { systemClock } from '../clock.ts'
import { openLog } from '../log.ts'
import { openQueue } from '../queue.ts'
import type { WarehouseServer } from '../warehouse-server.ts'

export interface WorkerPlace {
  readonly connection: ClientConfig
  readonly warehouse: WarehouseServer
  readonly masterKey: string
  readonly allowHosts: readonly string[]
  /** Else a trial's. */
  readonly env?: Readonly<Record<string, string>>
  readonly options: WorkerOptions
}

const place = JSON.parse(process.argv[2] ?? '') as WorkerPlace
const log = openLog('error', (line) => process.stderr.write(line))
const queue = await openQueue({ connection: place.connection, bells, onError: (error) => log.warn('queue', { error }) })
const parts = assemble({
  config: readConfig(place.env ?? {}).config,
  log,
  queue,
  clock: systemClock,
  keys: { current: Buffer.from(place.masterKey, 'base64'), old: [] },
  connection: { ...place.connection, max: 6 },
  warehouse: place.warehouse,
  demo: {},
  allowHosts: place.allowHosts,
  never: () => [],
})
const worker = await startWorker(parts, place.options)
process.once('SIGTERM', () => {
  void worker.stop().then(() => process.exit(0))
})
// Whoever kills the test kills its workers, too.
setInterval(() => {
  if (process.ppid === 1) process.exit(1)
}, 500).unref()
process.stdout.write('ready\n')
