/** An installation on eight hosts: three workers, two web processes, a store, a warehouse server and a source. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openPasswords } from '../../../server/src/identity/passwords/passwords.ts'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { createMasterKeyRing } from '../../../server/src/kernel/config/master-keys.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { openStore } from '../../../server/src/kernel/store/store.ts'
import { openServerKeys } from '../../../server/src/security/keys/server-keys.ts'
import { seedPeople } from '../../../server/src/trial/people.ts'
import { templateKeys } from '../../server/app/template-keys.ts'
import { openHostNetwork } from './host-network.ts'
import { PostgresHost } from './postgres-host.ts'
import { ServerHost } from './server-host.ts'

export interface Installation extends AsyncDisposable {
  readonly workers: readonly ServerHost[]
  readonly webs: readonly ServerHost[]
  readonly store: PostgresHost
  readonly warehouse: PostgresHost
  readonly source: PostgresHost
  /** Waits until every web process is ready and every worker runs. */
  waitUntilReady(): Promise<void>
}

export const storeDatabase = 'tributary'
const storeRole = { user: 'tributary', password: 'canary-store-password' }

/** @param folder for data, clocks and logs */
export async function openInstallation(folder: string): Promise<Installation> {
  const addHost = openHostNetwork(folder)
  const [store, warehouse, source] = await Promise.all([
    PostgresHost.open(addHost('store', 10), folder),
    PostgresHost.open(addHost('warehouse', 20), folder),
    PostgresHost.open(addHost('source', 30), folder),
  ])
  await prepareStore(store)
  const env = {
    TRIBUTARY_MODE: 'production',
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example',
    TRIBUTARY_MASTER_KEY: templateKeys.current.toString('base64'),
    TRIBUTARY_SMTP_URL: 'smtp://127.0.0.1:1',
    TRIBUTARY_STOP_SECONDS: '8',
    // The tests act as the proxy.
    TRIBUTARY_TRUSTED_PROXIES: '10.77.0.1',
    DATABASE_URL: store.address(storeDatabase, storeRole.user, storeRole.password),
    TRIBUTARY_WAREHOUSE_URL: warehouse.address('postgres'),
    TRIBUTARY_ALLOW_HOSTS: `${source.host.address}:5432`,
  }
  const addServer = (role: 'web' | 'worker', count: number, number: number) =>
    Array.from({ length: count }, (_, at) => {
      const host = addHost(`${role}${at + 1}`, number + at)
      return new ServerHost(host, { ...env, TRIBUTARY_ROLE: role }, folder)
    })
  const workers = addServer('worker', 3, 41)
  const webs = addServer('web', 2, 51)
  for (const server of [...webs, ...workers]) server.start()
  return {
    workers,
    webs,
    store,
    warehouse,
    source,
    async waitUntilReady() {
      for (const server of [...webs, ...workers]) while (!(await isReady(server))) await sleep(500)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...webs, ...workers].map((server) => server.end()))
      await Promise.all([store, warehouse, source].map((server) => server.stop('SIGQUIT')))
    },
  }
}

async function isReady({ address }: ServerHost): Promise<boolean> {
  return fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The people and organisations of the trial; production refuses the trial's email addresses, so they are renamed. */
async function prepareStore(host: PostgresHost): Promise<void> {
  await host.query('postgres', `CREATE ROLE ${storeRole.user} LOGIN PASSWORD '${storeRole.password}'`)
  await host.query('postgres', `CREATE DATABASE ${storeDatabase} OWNER ${storeRole.user}`)
  const connection = { ...host.socket(storeDatabase), user: storeRole.user }
  await migrate(connection)
  const store = openStore({ connection, onError: () => undefined })
  const keys = openServerKeys({ store, clock: systemClock, masters: createMasterKeyRing(templateKeys) })
  await keys.prepare()
  await seedPeople(store, openPasswords(6, keys))
  await store.close()
  await host.query(
    storeDatabase,
    `UPDATE portal_user SET email_address = replace(replace(email_address, 'demo.example', 'harbour.example'), 'other.example', 'summit.example')`,
  )
}
