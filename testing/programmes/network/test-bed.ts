/**
 * A server, its store, a source and a target, with a proxy in front of each database, and separate worker processes.
 */
import { randomBytes } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import { runs, type RunDetail } from '@tributary/contract/runs'
import { inject } from 'vitest'
import { type DatabaseEnd, type EndKind, makeEnd } from '../../engine/databases/database-ends.ts'
import { until } from '../../server/connectors/run-driver.ts'
import { type SpawnedWorker, spawnWorker } from '../../server/processes/spawn-worker.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { openNetworkProxy, type NetworkProxy } from './network-proxy.ts'

/** Much shorter than in production, so that there is time for many kills. */
const workerOptions = { leaseMs: 2_000, pollMs: 200 }

export interface DatabaseProxies {
  readonly store: NetworkProxy
  readonly source: NetworkProxy
  readonly target: NetworkProxy
}

export interface TestBed extends AsyncDisposable {
  readonly app: TestApp
  readonly kind: EndKind
  readonly proxies: DatabaseProxies
  readonly source: DatabaseEnd
  readonly target: DatabaseEnd
  readonly connectorId: string
  /** @param store the proxy to the store, if not the shared one */
  spawn(store?: NetworkProxy): Promise<SpawnedWorker>
  syncMode(syncMode: 'full' | 'incremental'): Promise<string>
  /** Starts a run and throws unless it completes. */
  complete(syncMode: 'full' | 'incremental'): Promise<void>
  /** Waits until the run is over. */
  waitForEnd(runId: string, withinMs?: number): Promise<RunDetail>
}

/** @param setUp SQL that creates the tables of the source */
export async function openTestBed(kind: EndKind, setUp: string): Promise<TestBed> {
  const masterKey = randomBytes(32)
  const [source, target] = await Promise.all([makeEnd('postgres', 'source'), makeEnd(kind, 'target')])
  await source.run(setUp)
  const proxies = await openProxies(kind)
  const allowHosts = [proxies.source, proxies.target].map(({ port }) => `127.0.0.1:${port}`)
  const app = await testApp({
    keys: { current: masterKey, old: [] },
    env: { TRIBUTARY_ALLOW_HOSTS: allowHosts.join() },
  })
  const connectorId = await addConnector(app, { kind, proxies, source, target })
  const params = { clientId: app.harbour.id, connectorId }
  const start: TestBed['syncMode'] = async (syncMode) => {
    const { status, body } = await app.as.superadmin.call(runs.process, {
      params,
      body: { fullTransactionSync: syncMode === 'full' },
    })
    if (status !== 202) throw new Error(`A run could not be started: ${status} ${JSON.stringify(body)}`)
    return body.RunId
  }
  const waitForEnd: TestBed['waitForEnd'] = (runId, withinMs = 60_000) =>
    until(
      async () => (await app.as.admin.call(runs.read, { params: { ...params, runId } })).body,
      ({ Status }) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(Status),
      withinMs,
    )
  return {
    app,
    kind,
    proxies,
    source,
    target,
    connectorId,
    syncMode: start,
    waitForEnd: waitForEnd,
    spawn: (store = proxies.store) =>
      spawnWorker({
        connection: { ...app.connection, host: '127.0.0.1', port: store.port },
        warehouse: app.services.warehouse,
        masterKey: masterKey.toString('base64'),
        allowHosts,
        options: workerOptions,
      }),
    async complete(syncMode) {
      const run = await waitForEnd(await start(syncMode))
      if (run.Status !== 'COMPLETED') throw new Error(`The run ended otherwise: ${JSON.stringify(run)}`)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(proxies).map((wire: NetworkProxy) => wire[Symbol.asyncDispose]()))
      await app[Symbol.asyncDispose]()
      await Promise.all([source[Symbol.asyncDispose](), target[Symbol.asyncDispose]()])
    },
  }
}

async function openProxies(kind: EndKind): Promise<DatabaseProxies> {
  const postgres = inject('postgres')
  const behind = kind === 'postgres' ? postgres : inject('mariadb')
  const [store, source, target] = await Promise.all([
    openNetworkProxy(postgres),
    openNetworkProxy(postgres),
    openNetworkProxy(behind),
  ])
  return { store, source, target }
}

async function addConnector(
  app: TestApp,
  { kind, proxies, source, target }: Pick<TestBed, 'kind' | 'proxies' | 'source' | 'target'>,
) {
  const at = ({ port }: NetworkProxy) => ({ host: '127.0.0.1', port })
  const from = source.properties['source.connectionString'] as object
  const to = target.properties['target.connectionString'] as object
  const properties = [
    { name: 'source.connectionString', value: { ...from, ...at(proxies.source) } },
    { name: 'target.connectionString', value: { connector: kind, ...to, ...at(proxies.target) } },
    { name: 'target.schema', value: target.properties['target.schema'] },
  ]
  const body = { type: 'postgres', name: 'Programme', properties }
  const reply = await app.as.admin.call(connectors.create, { params: { clientId: app.harbour.id }, body })
  if (reply.status !== 201) throw new Error(`The connector could not be added: ${JSON.stringify(reply.body)}`)
  return reply.body.Id
}
