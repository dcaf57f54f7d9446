/** A database for each test app. The template is migrated and seeded once per run; a copy takes about 30 ms. */
import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { inject } from 'vitest'
import { seedPeople } from '../../../server/src/trial/people.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { createMasterKeyRing } from '../../../server/src/kernel/config/master-keys.ts'
import { openServerKeys } from '../../../server/src/security/keys/server-keys.ts'
import { openPasswords } from '../../../server/src/identity/passwords/passwords.ts'
import { openQueue } from '../../../server/src/kernel/queue/queue.ts'
import { workerChannels } from '../../../server/src/worker.ts'
import { openStore } from '../../../server/src/kernel/store/store.ts'
import { templateKeys } from './template-keys.ts'

const template = 'tributary_template'
/** Like the store's owner in production not a superuser, so that row-level security applies. */
const owner = { user: 'tributary_test_store', password: 'canary-store-password' }
/** The least that Argon2id allows: tests sign in thousands of times. */
export const leastPasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const templateLock = 7_461_891

/** Creates a database with the users and organisations of the trial and returns its connection settings. */
export async function cloneDatabase(): Promise<ClientConfig> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await asSuperuser(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [template])
    if (rowCount === 0) await createTemplate(client)
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${template} OWNER ${owner.user} STRATEGY file_copy`)
  })
  return connectionTo(database)
}

/**
 * Creates an empty database with the same owner, for tests of the migrations.
 * @param manner further options of `CREATE DATABASE`
 */
export async function createEmptyDatabase(manner = ''): Promise<ClientConfig> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  await asSuperuser(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [templateLock])
    await createOwner(client)
    await client.query(`CREATE DATABASE ${database} OWNER ${owner.user} ${manner}`)
  })
  return connectionTo(database)
}

async function createTemplate(client: Client): Promise<void> {
  await createOwner(client)
  await client.query(`CREATE DATABASE ${template} OWNER ${owner.user}`)
  await migrate(connectionTo(template))
  const store = openStore({ connection: connectionTo(template), onError: () => undefined })
  const keys = openServerKeys({ store, clock: systemClock, masters: createMasterKeyRing(templateKeys) })
  await keys.prepare()
  await seedPeople(store, openPasswords(6, keys, undefined, leastPasswordCost))
  await store.close()
  // Its tables and queues take as long to create as to copy the database.
  const queue = await openQueue({
    connection: connectionTo(template),
    channels: workerChannels,
    onError: () => undefined,
  })
  await queue.close()
  await client.query(`ALTER DATABASE ${template} IS_TEMPLATE true`)
}

async function createOwner(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [owner.user])
  if (rowCount === 0) await client.query(`CREATE ROLE ${owner.user} LOGIN PASSWORD '${owner.password}'`)
}

async function asSuperuser(work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function connectionTo(database: string): ClientConfig {
  const { host, port } = inject('postgres')
  return { host, port, database, ...owner }
}
