/**
 * The services that one command uses: the same store and rules as the server, but without a worker and without HTTP.
 */
import { Client, type ClientConfig } from 'pg'
import type { ConfigResult } from '../kernel/config/config.ts'
import { assembleServices } from '../assemble.ts'
import { systemClock } from '../kernel/clock.ts'
import { redactConfigSecrets } from '../kernel/log/redact-config-secrets.ts'
import { openDatabases } from '../databases.ts'
import { commandName, joinEmbedded } from '../kernel/embedded/embedded-for-command.ts'
import type { Log } from '../kernel/log/log.ts'
import { listMigrationRecords, readMigrations, requireKnownHistory } from '../kernel/migrations/migrate.ts'
import type { AppServices } from '../app-services.ts'
import type { Queue } from '../kernel/queue/queue.ts'
import { requireMasterKeys, requireConfigured } from './require-config.ts'
import { CommandRefused } from './command-refused.ts'

export interface OpenedServices {
  readonly services: AppServices
  close(): Promise<void>
}

/** Throws `CommandRefused` if the configuration has a problem with which the server would not start. */
export async function openServices(configResult: ConfigResult, log: Log): Promise<OpenedServices> {
  requireConfigured(configResult)
  const { config } = configResult
  redactConfigSecrets(log, config)
  const databases = await openDatabases(config, joinEmbedded)
  const closing: (() => Promise<void>)[] = [() => databases.close()]
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step()
  }
  try {
    const connection = { ...databases.store, application_name: commandName }
    await requireMigrated(connection)
    const services = assembleServices({
      config,
      log,
      queue: silentQueue,
      clock: systemClock,
      keys: requireMasterKeys(config),
      connection,
      warehouse: databases.warehouse,
      demo: {},
      allowHosts: [],
      deny: () => [...databases.deny, { host: config.host, port: config.port }],
    })
    closing.push(() => services.store.close())
    await services.serverKeys.prepare()
    return { services, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A command needs no queue: workers poll every five seconds for rows without a wake-up notification. */
const silentQueue: Queue = {
  notify: async () => undefined,
  notifyMany: async () => undefined,
  subscribe: () => Promise.reject(new Error('A command takes no jobs.')),
  check: async () => undefined,
  close: async () => undefined,
}

/**
 * Commands do not migrate the store. Throws `CommandRefused` if a migration is missing, and `StartRefused` if the
 * history is unknown.
 */
export async function requireMigrated(connection: ClientConfig): Promise<void> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const done = await listMigrationRecords(client)
    const ours = readMigrations()
    requireKnownHistory(done, ours)
    const missing = ours.find(({ name }) => !done.some((one) => one.name === name))
    if (missing !== undefined)
      throw new CommandRefused(
        'notMigrated',
        `The database lacks the migration ${missing.name}. Start Tributary once, or run: tributary migrate run`,
      )
  } finally {
    await client.end().catch(() => undefined)
  }
}
