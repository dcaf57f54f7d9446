/** Opens the services of a separate process on the store and keys of a test. */
import type { ClientConfig } from 'pg'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { workerChannels } from '../../../server/src/worker.ts'
import { assembleServices } from '../../../server/src/assemble.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import type { AppServices } from '../../../server/src/app-services.ts'
import { openQueue } from '../../../server/src/kernel/queue/queue.ts'
import type { WarehouseServer } from '../../../server/src/connections/databases/warehouse-server.ts'

export interface ProcessSettings {
  readonly connection: ClientConfig
  readonly warehouse: WarehouseServer
  readonly masterKey: string
  readonly allowHosts: readonly string[]
  /** Hosts that only PostgreSQL connectors may reach. */
  readonly allowPostgres?: readonly string[]
  readonly port?: number
  /** The default is a trial's environment. */
  readonly env?: Readonly<Record<string, string>>
}

export async function openProcessServices(settings: ProcessSettings): Promise<AppServices> {
  const { config } = readConfig({
    ...settings.env,
    ...(settings.port !== undefined && { PORT: String(settings.port) }),
  })
  const log = openLog('error', (line) => process.stderr.write(line))
  const queue = await openQueue({
    connection: settings.connection,
    channels: workerChannels,
    onError: (error) => log.warn('queue', { error }),
  })
  return assembleServices({
    config,
    log,
    queue,
    clock: systemClock,
    keys: config.masterKeys ?? { current: Buffer.from(settings.masterKey, 'base64'), old: [] },
    connection: { ...settings.connection, max: 6 },
    warehouse: settings.warehouse,
    demo: {},
    allowHosts: settings.allowHosts,
    allowPostgres: settings.allowPostgres ?? [],
    deny: () => [],
  })
}
