/** The real server on a separate database, called over HTTP. Only the clock is a test clock. */
import type { FastifyInstance } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import type { ClientConfig } from 'pg'
import { inject } from 'vitest'
import { buildApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { trialOrganisations, trialPassword, trialPeople } from '../../../server/src/trial/people.ts'
import { workerChannels } from '../../../server/src/worker.ts'
import { assembleServices } from '../../../server/src/assemble.ts'
import type { PasswordCost } from '../../../server/src/identity/passwords/passwords.ts'
import type { MasterKeys } from '../../../server/src/kernel/config/master-keys.ts'
import { reWrapAll } from '../../../server/src/security/keys/re-wrap-keys.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import type { EmailContent } from '../../../server/src/kernel/mail/email-content.ts'
import type { AppServices } from '../../../server/src/app-services.ts'
import { openQueue } from '../../../server/src/kernel/queue/queue.ts'
import type { Db, Store } from '../../../server/src/kernel/store/store.ts'
import { openTelemetry } from '../../../server/src/kernel/telemetry/open-telemetry.ts'
import { startMetrics } from '../../../server/src/start-metrics.ts'
import { dropDatabase } from '../../databases/drop-database.ts'
import { TestClient } from './client.ts'
import { inspectReply } from './check-reply.ts'
import { takeLockViolations } from './lock-order.ts'
import { TestClock } from './test-clock.ts'
import { templateKeys } from './template-keys.ts'
import { cloneDatabase, leastPasswordCost } from './test-database.ts'

const testUserEmails = {
  superadmin: 'superadmin@demo.example',
  provideradmin: 'provideradmin@demo.example',
  admin: 'admin@demo.example',
  user: 'user@demo.example',
  guest: 'guest@demo.example',
  otherAdmin: 'admin@other.example',
  visitor: null,
} as const
type TestUserName = keyof typeof testUserEmails

const [harbour, summit] = trialOrganisations

export interface TestApp extends AsyncDisposable {
  readonly services: AppServices
  readonly http: FastifyInstance
  readonly store: Store
  readonly clock: TestClock
  /** One client per role, signed in over HTTP at its first call. All except `otherAdmin` belong to `harbour`. */
  readonly as: Readonly<Record<TestUserName, TestClient>>
  readonly harbour: typeof harbour
  readonly summit: typeof summit
  /** All log lines of the server. */
  readonly logLines: readonly string[]
  /** The database, with the login of its owner, who is not a superuser. */
  readonly connection: ClientConfig
  /** The user id of a test user. */
  idOf(speaker: TestUserName): string
  /** Emails to this address, oldest first. */
  emailsTo(emailAddress: string): Promise<readonly EmailContent[]>
}

export interface TestAppOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly plugins?: readonly KyselyPlugin[]
  readonly keys?: MasterKeys
  /** By default the least that is possible. */
  readonly passwordCost?: PasswordCost
  /** Connects to the database through this port of 127.0.0.1 instead of the real one. */
  readonly port?: number
  /** Starts a second server on the database of this app, like another process. They share only database and clock. */
  readonly sharesDatabaseWith?: TestApp
}

/** Starts a server that has only the users and organisations of the trial. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, plugins = [], keys = templateKeys, passwordCost = leastPasswordCost } = options
  const cloned = options.sharesDatabaseWith?.connection ?? (await cloneDatabase())
  const connection = { ...cloned, ...(options.port !== undefined && { port: options.port }) }
  const clock = options.sharesDatabaseWith?.clock ?? new TestClock()
  const logLines: string[] = []
  const log = openLog('info', (line) => logLines.push(line))
  const { config } = readConfig({ ...env, PORT: '3000' })
  const queue = await openQueue({
    connection,
    channels: workerChannels,
    onError: (error) => log.error('queue', { error }),
  })
  const postgres = inject('postgres')
  const warehouse = { admin: { ...postgres, database: 'postgres' }, host: postgres.host, port: postgres.port }
  const given = { config, clock, log, queue, warehouse, demo: {}, captchaWork: { cost: 1, tries: 2 } }
  const telemetry = await openTelemetry(config, log)
  const made = assembleServices({
    ...given,
    telemetry,
    keys: withTemplate(keys),
    passwordCost,
    connection: { ...connection, max: 8 },
    plugins,
    allowHosts: databases(),
    deny: () => [],
  })
  const services = { ...made, rateLimiters: undefined, inspect: inspectReply }
  await reWrapAll(services)
  const stopWatching = await startMetrics(services)
  const http = await buildApp(services)
  await http.ready()
  // Across organisations, because mail belongs to none.
  const emailsTo = (emailAddress: string) => services.store.across((db) => readEmails(db, services, emailAddress))
  return {
    services,
    http,
    store: services.store,
    clock,
    as: makeClients(http, emailsTo),
    harbour,
    summit,
    logLines,
    connection,
    idOf: (speaker) => trialPeople.find(({ emailAddress }) => emailAddress === testUserEmails[speaker])?.id ?? '',
    emailsTo,
    async [Symbol.asyncDispose]() {
      await http.close()
      await queue.close()
      await stopWatching()
      await telemetry.tracing.close()
      await services.store.close()
      if (options.sharesDatabaseWith === undefined) await dropDatabase(cloned.database ?? '')
      const violations = takeLockViolations()
      if (violations.length > 0) throw new Error(`Locks were taken out of order: ${violations.join(', ')}.`)
    },
  }
}

function withTemplate(keys: MasterKeys): MasterKeys {
  return { ...keys, old: [...keys.old, templateKeys.current] }
}

async function readEmails(db: Db, { mailer }: AppServices, recipient: string): Promise<readonly EmailContent[]> {
  const rows = await db
    .selectFrom('mail')
    .select(['id', 'body'])
    .where('recipient', '=', recipient)
    .orderBy('createdAt')
    .execute()
  return Promise.all(rows.map((row) => mailer.decrypt(db, row)))
}

/** The database servers that take the role of customers' databases. */
function databases(): readonly string[] {
  return [inject('postgres'), inject('mariadb')].map(({ host, port }) => `${host}:${port}`)
}

/** Clients whose second factor is required use the latest emailed code. */
function makeClients(http: FastifyInstance, emailsTo: TestApp['emailsTo']): Record<TestUserName, TestClient> {
  const clients = Object.entries(testUserEmails).map(([speaker, emailAddress]) => {
    if (emailAddress === null) return [speaker, new TestClient(http, null)] as const
    const readCode = async () => (await emailsTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
    return [speaker, new TestClient(http, { emailAddress, password: trialPassword }, readCode)] as const
  })
  return Object.fromEntries(clients) as Record<TestUserName, TestClient>
}
