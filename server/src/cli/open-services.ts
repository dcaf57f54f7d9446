/**
 * The services that one command uses: the same store and rules as the server, but without a worker and without HTTP.
 */
import type { ClientConfig } from 'pg'
import type { ConfigResult } from '../kernel/config/config.ts'
import { assembleServices } from '../assemble.ts'
import { systemClock } from '../kernel/clock.ts'
import { redactConfigSecrets } from '../kernel/log/redact-config-secrets.ts'
import { type Databases, openDatabases } from '../databases.ts'
import { commandName, joinEmbedded } from '../kernel/embedded/embedded-for-command.ts'
import type { EmbeddedPostgres } from '../kernel/embedded/supervisor.ts'
import { withClient } from '../kernel/store/with-client.ts'
import type { Log } from '../kernel/log/log.ts'
import { listMigrationRecords, readMigrations, requireKnownHistory } from '../kernel/migrations/migrate.ts'
import type { AppServices } from '../app-services.ts'
import type { Queue } from '../kernel/queue/queue.ts'
import { requireMasterKeys, requireConfigured } from './require-config.ts'
import { CommandRefused } from './command-refused.ts'

/**
 * Opens the services while `work` runs. Throws `StartRefused` wherever a start of the server would, and `CommandRefused`
 * if the configuration has a problem with which the server would not start.
 */
export function withServices<T>(
  configResult: ConfigResult,
  log: Log,
  work: (services: AppServices) => Promise<T>,
): Promise<T> {
  const { config } = configResult
  return withDatabases(configResult, joinEmbedded, async (connection, { warehouse, deny }) => {
    redactConfigSecrets(log, config)
    await requireMigrated(connection)
    const services = assembleServices({
      config,
      log,
      queue: silentQueue,
      clock: systemClock,
      keys: requireMasterKeys(config),
      connection,
      warehouse,
      demo: {},
      allowHosts: [],
      deny: () => [...deny, { host: config.host, port: config.port }],
    })
    try {
      await services.serverKeys.prepare()
      return await work(services)
    } finally {
      await services.store.close()
    }
  })
}

/**
 * Opens the configured databases while `work` runs. The store need not be migrated. Throws `CommandRefused` as
 * `withServices` does.
 *
 * @param open opens the embedded database: it starts it, or joins the process that owns it.
 */
export async function withDatabases<T>(
  configResult: ConfigResult,
  open: (home: string) => Promise<EmbeddedPostgres>,
  work: (connection: ClientConfig, databases: Databases) => Promise<T>,
): Promise<T> {
  requireConfigured(configResult)
  const databases = await openDatabases(configResult.config, open)
  try {
    return await work({ ...databases.store, application_name: commandName }, databases)
  } finally {
    await databases.close()
  }
}

/** A command needs no queue: workers poll every five seconds for rows without a wake-up notification. */
const silentQueue: Queue = {
  notify: async () => undefined,
  notifyMany: async () => undefined,
  subscribe: () => Promise.reject(new Error('A command takes no jobs.')),
  subscribeInBatches: () => Promise.reject(new Error('A command takes no jobs.')),
  check: async () => undefined,
  close: async () => undefined,
}

/**
 * Commands do not migrate the store. Throws `CommandRefused` if a migration is missing, and `StartRefused` if the
 * history is unknown.
 */
export function requireMigrated(connection: ClientConfig): Promise<void> {
  return withClient({ ...connection, connectionTimeoutMillis: 5_000 }, async (client) => {
    const done = await listMigrationRecords(client)
    const ours = readMigrations()
    requireKnownHistory(done, ours)
    const missing = ours.find(({ name }) => !done.some((one) => one.name === name))
    if (missing !== undefined)
      throw new CommandRefused(
        'notMigrated',
        `The database lacks the migration ${missing.name}. Start Tributary once, or run: tributary migrate run`,
      )
  })
}
