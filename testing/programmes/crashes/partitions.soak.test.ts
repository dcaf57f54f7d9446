/** Two hosts that work for the same store and target, each with lines of its own that are cut, and a holder that sleeps. */
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Kind } from '../../engine/databases/database-ends.ts'
import type { SpawnedWorker } from '../../server/processes/spawn-worker.ts'
import { words } from './crash-points.ts'
import { isFull, seed, tell } from '../extent.ts'
import { change, shopSql } from '../network/sale-shop.ts'
import { openWire, type Way, type Wire } from '../network/network-proxy.ts'
import { openWorld, type World } from '../network/test-bed.ts'

const roundsInFull = 5
const bothWays: readonly Way[] = ['there', 'back']
/** Longer than a lease of these workers, so that whoever can take over has done so. */
const outlastMs = 3_000

interface Host {
  readonly worker: SpawnedWorker
  readonly store: Wire
}

interface Trouble {
  readonly what: string
  /** Cuts off, or puts to sleep, the host that holds the run. */
  readonly begin: (holder: Host, world: World) => void | Promise<void>
  readonly end?: (holder: Host) => void
}

/** With these another host takes over; what the first one had sent comes to the target only afterwards. */
const usurped: readonly Trouble[] = [
  { what: 'cannot reach the store', begin: ({ store }) => store.cut(bothWays) },
  { what: 'is not heard by the store', begin: ({ store }) => store.cut(['there']) },
  { what: 'does not hear the store', begin: ({ store }) => store.cut(['back']) },
  {
    what: 'sleeps for longer than its lease',
    begin: ({ worker }) => void process.kill(worker.processId, 'SIGSTOP'),
    end: ({ worker }) => void process.kill(worker.processId, 'SIGCONT'),
  },
  {
    what: 'is cut off from everything',
    begin: ({ worker, store }, { wires }) => {
      store.cut(bothWays)
      wires.source.cut(bothWays, worker.processId)
      wires.target.cut(bothWays, worker.processId)
    },
  },
]

/** It takes as long as the store keeps the locks of a silent session, so the short programme does without. */
const silent: Trouble = {
  what: 'falls silent in the middle of a beat, so that the row of the run stays locked,',
  begin: async ({ store }) => {
    await store.trap({ path: [/set "heartbeat_at"/], stop: 'unanswered' })
    store.cut(bothWays)
  },
}

const longOnes = isFull ? [silent] : []

/** With these the store goes on hearing the holder, so it keeps its run and ends it once the line is mended. */
const waitedFor: readonly Trouble[] = [
  { what: 'cannot reach the target', begin: ({ worker }, { wires }) => wires.target.cut(bothWays, worker.processId) },
  {
    what: 'is not heard by the target',
    begin: ({ worker }, { wires }) => wires.target.cut(['there'], worker.processId),
  },
  { what: 'does not hear the target', begin: ({ worker }, { wires }) => wires.target.cut(['back'], worker.processId) },
  { what: 'cannot reach the source', begin: ({ worker }, { wires }) => wires.source.cut(bothWays, worker.processId) },
]

describe.each<Kind>(['postgres', 'mysql'])('two hosts that write into a %s', (kind) => {
  const random = createRandom(seed)
  afterEach(() => mend())
  let world: World
  let hosts: readonly Host[]
  let round = 0
  let passed = 0

  beforeAll(async () => {
    world = await openWorld(kind, shopSql)
    hosts = await Promise.all([openHost(world), openHost(world)])
    await world.complete('incremental')
  })
  afterAll(async () => {
    await Promise.all(hosts.map(({ worker }) => worker.kill('SIGTERM')))
    await Promise.all(hosts.map(({ store }) => store[Symbol.asyncDispose]()))
    await world[Symbol.asyncDispose]()
    tell(
      `${passed} of ${[...repeated(usurped, kind), ...longOnes].length + repeated(waitedFor, kind).length + 1} partitions and pauses of two hosts writing into ${kind} passed`,
    )
  })

  test.each([...repeated(usurped, kind), ...longOnes])(
    `the holder of a run $what while its COMMIT is on the way: the other one takes over, and the late COMMIT changes nothing (seed ${seed})`,
    async ({ begin, end }) => {
      const { runId, holder } = await runUpToCommit()
      await begin(holder, world)
      expect(await world.ends(runId)).toMatchObject({ Status: 'COMPLETED', Attempt: 1 })
      expect(await holderOf(runId)).not.toBe(holder)
      end?.(holder)
      mend()
      await wait(500)
      await expectSame()
    },
    120_000,
  )

  test.each(repeated(waitedFor, kind))(
    `the holder of a run $what for a while: it keeps the run and ends it afterwards (seed ${seed})`,
    async ({ begin, end }) => {
      const { runId, holder } = await runUpToCommit()
      await begin(holder, world)
      await wait(outlastMs)
      expect(await holderOf(runId)).toBe(holder)
      end?.(holder)
      mend()
      expect(await world.ends(runId)).toMatchObject({ Status: 'COMPLETED' })
      await expectSame()
    },
    120_000,
  )

  test('on slow lines everything takes longer, and that is all', async () => {
    for (const wire of allWires()) wire.delay(3)
    await change(world.source, 'deletes', ++round, random)
    await world.complete('full')
    for (const wire of allWires()) wire.delay(0)
    await expectSame()
  })

  async function runUpToCommit(): Promise<{ runId: string; holder: Host }> {
    await change(world.source, 'incremental', ++round, random)
    const underWay = world.wires.target.trap({ path: [words[kind].state, /commit/i], stop: 'held' })
    const runId = await world.start('incremental')
    await underWay
    const holder = await holderOf(runId)
    if (holder === undefined) throw new Error('Nobody holds the run.')
    return { runId, holder }
  }

  /** A worker's name says its process. */
  async function holderOf(runId: string): Promise<Host | undefined> {
    const run = await world.app.store.within(world.app.harbour.id, (db) =>
      db.selectFrom('run').select('worker').where('id', '=', runId).executeTakeFirstOrThrow(),
    )
    return hosts.find(({ worker }) => run.worker?.split(' ')[1] === String(worker.processId))
  }

  /** Both are still there, the target equals the source, and it was the newest fence that wrote last. */
  async function expectSame(): Promise<void> {
    for (const { worker } of hosts) expect(process.kill(worker.processId, 0)).toBe(true)
    for (const name of ['sale', 'pair'])
      expect([name, await world.target.rows(await world.target.nameOf(`public.${name}`))]).toEqual([
        name,
        await world.source.rows(name),
      ])
    passed += 1
  }

  function allWires(): readonly Wire[] {
    return [...Object.values(world.wires as object as Record<string, Wire>), ...hosts.map(({ store }) => store)]
  }

  function mend(): void {
    for (const wire of allWires()) wire.mend()
  }
})

/** The short programme has every trouble with one of the targets. */
function repeated(troubles: readonly Trouble[], kind: Kind): readonly Trouble[] {
  if (!isFull) return troubles.filter((_, at) => at % 2 === (kind === 'postgres' ? 0 : 1))
  return Array.from({ length: roundsInFull }, () => troubles).flat()
}

async function openHost(world: World): Promise<Host> {
  const { host = '', port = 0 } = world.app.connection
  const store = await openWire({ host, port })
  return { store, worker: await world.spawn(store) }
}
