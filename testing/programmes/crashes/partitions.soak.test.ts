/**
 * Two worker hosts share a store and a target. Network connections of one host are cut, or the host that holds the
 * lease of a run is suspended.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EndKind } from '../../engine/databases/database-ends.ts'
import type { SpawnedWorker } from '../../server/processes/spawn-worker.ts'
import { targetStatements } from './crash-points.ts'
import { isFull, seed, printFigure } from '../extent.ts'
import { changeShop, shopSql } from '../network/sale-shop.ts'
import { openNetworkProxy, type Direction, type NetworkProxy } from '../network/network-proxy.ts'
import { openTestBed, type TestBed } from '../network/test-bed.ts'

const roundsInFull = 5
const bothDirections: readonly Direction[] = ['toServer', 'toClient']
/** Longer than a lease of these workers, so that a takeover that is possible has happened. */
const outlastMs = 3_000

interface WorkerHost {
  readonly worker: SpawnedWorker
  readonly store: NetworkProxy
}

interface HostFault {
  readonly description: string
  /** Disconnects or suspends the host that holds the run. */
  readonly begin: (holder: WorkerHost, testBed: TestBed) => void | Promise<void>
  readonly end?: (holder: WorkerHost) => void
}

/** Faults after which another host takes over. The statements of the first host reach the target only afterwards. */
const takeoverFaults: readonly HostFault[] = [
  { description: 'cannot reach the store', begin: ({ store }) => store.cut(bothDirections) },
  { description: 'cannot send to the store', begin: ({ store }) => store.cut(['toServer']) },
  { description: 'receives nothing from the store', begin: ({ store }) => store.cut(['toClient']) },
  {
    description: 'is suspended for longer than its lease',
    begin: ({ worker }) => void process.kill(worker.processId, 'SIGSTOP'),
    end: ({ worker }) => void process.kill(worker.processId, 'SIGCONT'),
  },
  {
    description: 'is cut off from everything',
    begin: ({ worker, store }, { proxies }) => {
      store.cut(bothDirections)
      proxies.source.cut(bothDirections, worker.processId)
      proxies.target.cut(bothDirections, worker.processId)
    },
  },
]

/** Lasts as long as the store keeps the locks of a silent session, so it is not in the short programme. */
const silentHolder: HostFault = {
  description: 'loses the connection in the middle of a heartbeat, so that the row of the run stays locked,',
  begin: async ({ store }) => {
    await store.setTrap({ path: [/set "heartbeat_at"/], stop: 'unanswered' })
    store.cut(bothDirections)
  },
}

const slowFaults = isFull ? [silentHolder] : []

/**
 * Faults during which heartbeats still arrive, so the host keeps its run and ends it once the connection is restored.
 */
const toleratedFaults: readonly HostFault[] = [
  {
    description: 'cannot reach the target',
    begin: ({ worker }, { proxies }) => proxies.target.cut(bothDirections, worker.processId),
  },
  {
    description: 'cannot send to the target',
    begin: ({ worker }, { proxies }) => proxies.target.cut(['toServer'], worker.processId),
  },
  {
    description: 'receives nothing from the target',
    begin: ({ worker }, { proxies }) => proxies.target.cut(['toClient'], worker.processId),
  },
  {
    description: 'cannot reach the source',
    begin: ({ worker }, { proxies }) => proxies.source.cut(bothDirections, worker.processId),
  },
]

describe.each<EndKind>(['postgres', 'mysql'])('two hosts that write to %s', (kind) => {
  const random = createRandom(seed)
  afterEach(() => restoreConnections())
  let testBed: TestBed
  let hosts: readonly WorkerHost[]
  let round = 0
  let passed = 0

  beforeAll(async () => {
    testBed = await openTestBed(kind, shopSql)
    hosts = await Promise.all([openHost(testBed), openHost(testBed)])
    await testBed.complete('incremental')
  })
  afterAll(async () => {
    await Promise.all(hosts.map(({ worker }) => worker.kill('SIGTERM')))
    await Promise.all(hosts.map(({ store }) => store[Symbol.asyncDispose]()))
    await testBed[Symbol.asyncDispose]()
    printFigure(
      `${passed} of ${[...repeatFaults(takeoverFaults, kind), ...slowFaults].length + repeatFaults(toleratedFaults, kind).length + 1} partitions and pauses of two hosts writing into ${kind} passed`,
    )
  })

  test.each([...repeatFaults(takeoverFaults, kind), ...slowFaults])(
    `the host that holds a run $description while its COMMIT is in transit: the other host takes over, and the late COMMIT changes nothing (seed ${seed})`,
    async ({ begin, end }) => {
      const { runId, holder } = await runUpToCommit()
      await begin(holder, testBed)
      expect(await testBed.waitForEnd(runId)).toMatchObject({ Status: 'COMPLETED', Attempt: 1 })
      expect(await holderOf(runId)).not.toBe(holder)
      end?.(holder)
      restoreConnections()
      await wait(500)
      await expectSame()
    },
    120_000,
  )

  test.each(repeatFaults(toleratedFaults, kind))(
    `the host that holds a run $description for a while: it keeps the run and ends it afterwards (seed ${seed})`,
    async ({ begin, end }) => {
      const { runId, holder } = await runUpToCommit()
      await begin(holder, testBed)
      await wait(outlastMs)
      expect(await holderOf(runId)).toBe(holder)
      end?.(holder)
      restoreConnections()
      expect(await testBed.waitForEnd(runId)).toMatchObject({ Status: 'COMPLETED' })
      await expectSame()
    },
    120_000,
  )

  test('slow connections only make runs longer', async () => {
    for (const wire of allProxies()) wire.setDelay(3)
    await changeShop(testBed.source, 'deletes', ++round, random)
    await testBed.complete('full')
    for (const wire of allProxies()) wire.setDelay(0)
    await expectSame()
  })

  async function runUpToCommit(): Promise<{ runId: string; holder: WorkerHost }> {
    await changeShop(testBed.source, 'incremental', ++round, random)
    const underWay = testBed.proxies.target.setTrap({ path: [targetStatements[kind].state, /commit/i], stop: 'held' })
    const runId = await testBed.syncMode('incremental')
    await underWay
    const holder = await holderOf(runId)
    if (holder === undefined) throw new Error('No host holds the run.')
    return { runId, holder }
  }

  /** A worker's name contains its process id. */
  async function holderOf(runId: string): Promise<WorkerHost | undefined> {
    const run = await testBed.app.store.within(testBed.app.harbour.id, (db) =>
      db.selectFrom('run').select('worker').where('id', '=', runId).executeTakeFirstOrThrow(),
    )
    return hosts.find(({ worker }) => run.worker?.split(' ')[1] === String(worker.processId))
  }

  /** Both workers are alive and the target equals the source, so the highest fencing token wrote last. */
  async function expectSame(): Promise<void> {
    for (const { worker } of hosts) expect(process.kill(worker.processId, 0)).toBe(true)
    for (const name of ['sale', 'pair'])
      expect([name, await testBed.target.rows(await testBed.target.nameOf(`public.${name}`))]).toEqual([
        name,
        await testBed.source.rows(name),
      ])
    passed += 1
  }

  function allProxies(): readonly NetworkProxy[] {
    return [
      ...Object.values(testBed.proxies as object as Record<string, NetworkProxy>),
      ...hosts.map(({ store }) => store),
    ]
  }

  function restoreConnections(): void {
    for (const wire of allProxies()) wire.restore()
  }
})

/** The short programme covers every fault with one of the targets. */
function repeatFaults(troubles: readonly HostFault[], kind: EndKind): readonly HostFault[] {
  if (!isFull) return troubles.filter((_, at) => at % 2 === (kind === 'postgres' ? 0 : 1))
  return Array.from({ length: roundsInFull }, () => troubles).flat()
}

async function openHost(testBed: TestBed): Promise<WorkerHost> {
  const { host = '', port = 0 } = testBed.app.connection
  const store = await openNetworkProxy({ host, port })
  return { store, worker: await testBed.spawn(store) }
}
