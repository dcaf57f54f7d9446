/** A server, its store, a source and a target, with a wire before each of the databases, and a worker of its own process. */
import { randomBytes } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import { runs, type RunDetail } from '@tributary/contract/runs'
import { inject } from 'vitest'
import { type End, type Kind, makeEnd } from '../../engine/databases/database-ends.ts'
import { until } from '../../server/connectors/run-driver.ts'
import { type SpawnedWorker, spawnWorker } from '../../server/processes/spawn-worker.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { openWire, type Wire } from './network-proxy.ts'

/** Much shorter than the product's own, so that there is time for many kills. */
const workerOptions = { leaseMs: 2_000, pollMs: 200 }

export interface Wires {
  readonly store: Wire
  readonly source: Wire
  readonly target: Wire
}

export interface World extends AsyncDisposable {
  readonly app: TestApp
  readonly kind: Kind
  readonly wires: Wires
  readonly source: End
  readonly target: End
  readonly connectorId: string
  /** @param store the wire by which it reaches the store, where it is not the one of all. */
  spawn(store?: Wire): Promise<SpawnedWorker>
  start(wish: 'full' | 'incremental'): Promise<string>
  /** Starts a run and throws unless it completes. */
  complete(wish: 'full' | 'incremental'): Promise<void>
  /** Waits until the run is over. */
  ends(runId: string, withinMs?: number): Promise<RunDetail>
}

/** @param setUp makes the tables of the source. */
export async function openWorld(kind: Kind, setUp: string): Promise<World> {
  const masterKey = randomBytes(32)
  const [source, target] = await Promise.all([makeEnd('postgres', 'source'), makeEnd(kind, 'target')])
  await source.run(setUp)
  const wires = await openWires(kind)
  const allowHosts = [wires.source, wires.target].map(({ port }) => `127.0.0.1:${port}`)
  const app = await testApp({
    keys: { current: masterKey, old: [] },
    env: { TRIBUTARY_ALLOW_HOSTS: allowHosts.join() },
  })
  const connectorId = await addConnector(app, { kind, wires, source, target })
  const params = { clientId: app.harbour.id, connectorId }
  const start: World['start'] = async (wish) => {
    const { status, body } = await app.as.superadmin.call(runs.process, {
      params,
      body: { fullTransactionSync: wish === 'full' },
    })
    if (status !== 202) throw new Error(`A run could not be started: ${status} ${JSON.stringify(body)}`)
    return body.RunId
  }
  const ends: World['ends'] = (runId, withinMs = 60_000) =>
    until(
      async () => (await app.as.admin.call(runs.read, { params: { ...params, runId } })).body,
      ({ Status }) => ['COMPLETED', 'FAILED', 'CANCELLED'].includes(Status),
      withinMs,
    )
  return {
    app,
    kind,
    wires,
    source,
    target,
    connectorId,
    start,
    ends,
    spawn: (store = wires.store) =>
      spawnWorker({
        connection: { ...app.connection, host: '127.0.0.1', port: store.port },
        warehouse: app.services.warehouse,
        masterKey: masterKey.toString('base64'),
        allowHosts,
        options: workerOptions,
      }),
    async complete(wish) {
      const run = await ends(await start(wish))
      if (run.Status !== 'COMPLETED') throw new Error(`The run ended otherwise: ${JSON.stringify(run)}`)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(wires).map((wire: Wire) => wire[Symbol.asyncDispose]()))
      await app[Symbol.asyncDispose]()
      await Promise.all([source[Symbol.asyncDispose](), target[Symbol.asyncDispose]()])
    },
  }
}

async function openWires(kind: Kind): Promise<Wires> {
  const postgres = inject('postgres')
  const behind = kind === 'postgres' ? postgres : inject('mariadb')
  const [store, source, target] = await Promise.all([openWire(postgres), openWire(postgres), openWire(behind)])
  return { store, source, target }
}

async function addConnector(
  app: TestApp,
  { kind, wires, source, target }: Pick<World, 'kind' | 'wires' | 'source' | 'target'>,
) {
  const at = ({ port }: Wire) => ({ host: '127.0.0.1', port })
  const from = source.properties['source.connectionString'] as object
  const to = target.properties['target.connectionString'] as object
  const properties = [
    { name: 'source.connectionString', value: { ...from, ...at(wires.source) } },
    { name: 'target.connectionString', value: { connector: kind, ...to, ...at(wires.target) } },
    { name: 'target.schema', value: target.properties['target.schema'] },
  ]
  const body = { type: 'postgres', name: 'Programme', properties }
  const reply = await app.as.admin.call(connectors.create, { params: { clientId: app.harbour.id }, body })
  if (reply.status !== 201) throw new Error(`The connector could not be added: ${JSON.stringify(reply.body)}`)
  return reply.body.Id
}
