/** What a process of its own stands on: a test's store and its keys, as its one argument says. */
import type { ClientConfig } from 'pg'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { workerChannels } from '../../../server/src/worker.ts'
import { assembleServices } from '../../../server/src/assemble.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import type { AppServices } from '../../../server/src/app-services.ts'
import { openQueue } from '../../../server/src/kernel/queue/queue.ts'
import type { WarehouseServer } from '../../../server/src/connections/databases/warehouse-server.ts'

export interface ProcessPlace {
  readonly connection: ClientConfig
  readonly warehouse: WarehouseServer
  readonly masterKey: string
  readonly allowHosts: readonly string[]
  /** Reached by PostgreSQL connectors only. */
  readonly allowPostgres?: readonly string[]
  readonly port?: number
  /** Else a trial's. */
  readonly env?: Readonly<Record<string, string>>
}

export async function openProcessServices(place: ProcessPlace): Promise<AppServices> {
  const { config } = readConfig({ ...place.env, ...(place.port !== undefined && { PORT: String(place.port) }) })
  const log = openLog('error', (line) => process.stderr.write(line))
  const queue = await openQueue({
    connection: place.connection,
    channels: workerChannels,
    onError: (error) => log.warn('queue', { error }),
  })
  return assembleServices({
    config,
    log,
    queue,
    clock: systemClock,
    keys: config.masterKeys ?? { current: Buffer.from(place.masterKey, 'base64'), old: [] },
    connection: { ...place.connection, max: 6 },
    warehouse: place.warehouse,
    demo: {},
    allowHosts: place.allowHosts,
    allowPostgres: place.allowPostgres ?? [],
    deny: () => [],
  })
}
