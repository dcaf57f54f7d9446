/** The real server on a database of its own, spoken to over HTTP; only time is the test's. */
import type { FastifyInstance } from 'fastify'
import type { KyselyPlugin } from 'kysely'
import type { ClientConfig } from 'pg'
import { inject } from 'vitest'
import { buildApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/kernel/config/config.ts'
import { trialOrganisations, trialPassword, trialPeople } from '../../../server/src/trial/people.ts'
import { workerChannels } from '../../../server/src/worker.ts'
import { assembleServices } from '../../../server/src/assemble.ts'
import type { MasterKeys } from '../../../server/src/kernel/config/master-keys.ts'
import { reWrapAll } from '../../../server/src/security/keys/re-wrap-keys.ts'
import { openLog } from '../../../server/src/kernel/log/log.ts'
import type { EmailContent } from '../../../server/src/kernel/mail/email-content.ts'
import type { AppServices } from '../../../server/src/app-services.ts'
import { openQueue } from '../../../server/src/kernel/queue/queue.ts'
import type { Db, Store } from '../../../server/src/kernel/store/store.ts'
import { openTelemetry } from '../../../server/src/kernel/telemetry/open-telemetry.ts'
import { startMetrics } from '../../../server/src/start-metrics.ts'
import { TestClient } from './client.ts'
import { inspectReply } from './check-reply.ts'
import { takeLockViolations } from './lock-order.ts'
import { TestClock } from './test-clock.ts'
import { templateKeys } from './template-keys.ts'
import { cloneDatabase } from './test-database.ts'

const speakers = {
  superadmin: 'superadmin@demo.example',
  provideradmin: 'provideradmin@demo.example',
  admin: 'admin@demo.example',
  user: 'user@demo.example',
  guest: 'guest@demo.example',
  otherAdmin: 'admin@other.example',
  visitor: null,
} as const
type Speaker = keyof typeof speakers

const [harbour, summit] = trialOrganisations

export interface TestApp extends AsyncDisposable {
  readonly services: AppServices
  readonly http: FastifyInstance
  readonly store: Store
  readonly clock: TestClock
  /** One client a role, each signed in over HTTP when it first speaks. All but `otherAdmin` are of `harbour`. */
  readonly as: Readonly<Record<Speaker, TestClient>>
  readonly harbour: typeof harbour
  readonly summit: typeof summit
  /** Every line the server has logged. */
  readonly logLines: readonly string[]
  /** The database, as its owner, who is no superuser. */
  readonly connection: ClientConfig
  /** The user's id of the speaker. */
  idOf(speaker: Speaker): string
  /** What was written to that address, oldest first. */
  lettersTo(emailAddress: string): Promise<readonly EmailContent[]>
}

export interface TestAppOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly plugins?: readonly KyselyPlugin[]
  readonly keys?: MasterKeys
  /** Reach the database through this port of 127.0.0.1 instead of its own. */
  readonly port?: number
  /** A second server of the same database, as another process would be: it shares the clock, and nothing else. */
  readonly beside?: TestApp
}

/** With the trial's people and organisations and nothing else. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, plugins = [], keys = templateKeys } = options
  const cloned = options.beside?.connection ?? (await cloneDatabase())
  const connection = { ...cloned, ...(options.port !== undefined && { port: options.port }) }
  const clock = options.beside?.clock ?? new TestClock()
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
  // Across: mail belongs to no organisation.
  const lettersTo = (emailAddress: string) => services.store.across((db) => readLetters(db, services, emailAddress))
  return {
    services,
    http,
    store: services.store,
    clock,
    as: everyone(http, lettersTo),
    harbour,
    summit,
    logLines,
    connection,
    idOf: (speaker) => trialPeople.find(({ emailAddress }) => emailAddress === speakers[speaker])?.id ?? '',
    lettersTo,
    async [Symbol.asyncDispose]() {
      await http.close()
      await queue.close()
      await stopWatching()
      await telemetry.tracing.close()
      await services.store.close()
      const violations = takeLockViolations()
      if (violations.length > 0) throw new Error(`Locks were taken out of order: ${violations.join(', ')}.`)
    },
  }
}

function withTemplate(keys: MasterKeys): MasterKeys {
  return { ...keys, old: [...keys.old, templateKeys.current] }
}

async function readLetters(db: Db, { mailer }: AppServices, recipient: string): Promise<readonly EmailContent[]> {
  const rows = await db
    .selectFrom('mail')
    .select(['id', 'body'])
    .where('recipient', '=', recipient)
    .orderBy('createdAt')
    .execute()
  return Promise.all(rows.map((row) => mailer.decrypt(db, row)))
}

/** What stands for customers' databases. */
function databases(): readonly string[] {
  return [inject('postgres'), inject('mariadb')].map(({ host, port }) => `${host}:${port}`)
}

/** Those who are asked for a second factor enter the latest code that was mailed to them. */
function everyone(http: FastifyInstance, lettersTo: TestApp['lettersTo']): Record<Speaker, TestClient> {
  const clients = Object.entries(speakers).map(([speaker, emailAddress]) => {
    if (emailAddress === null) return [speaker, new TestClient(http, null)] as const
    const readCode = async () => (await lettersTo(emailAddress)).findLast(({ code }) => code !== undefined)?.code ?? ''
    return [speaker, new TestClient(http, { emailAddress, password: trialPassword }, readCode)] as const
  })
  return Object.fromEntries(clients) as Record<Speaker, TestClient>
}
