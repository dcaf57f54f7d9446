/** Kills the worker at every named point of a sync, and asks afterwards whether anything is lost, doubled or torn. */
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Kind } from '../../engine/databases/database-ends.ts'
import type { SpawnedWorker } from '../../server/processes/spawn-worker.ts'
import { runs } from '@tributary/contract/runs'
import { points, words, type Point, type Workload } from './crash-points.ts'
import { isFull, seed, tell } from '../extent.ts'
import { change, look, type Seen, shopSql } from '../network/sale-shop.ts'
import { openWorld, type World } from '../network/test-bed.ts'

const roundsInFull = 5

/** The short programme takes every point of one of the targets and, with the seed, the others of the other. */
function plan(kind: Kind): readonly { readonly point: Point; readonly workload: Workload }[] {
  if (!isFull) {
    const mine = points.filter((_, at) => at % 2 === (kind === 'postgres' ? 0 : 1))
    return mine.map((point) => ({ point, workload: point.workloads[0] ?? 'incremental' }))
  }
  const once = points.flatMap((point) => point.workloads.map((workload) => ({ point, workload })))
  return Array.from({ length: roundsInFull }, () => once).flat()
}

export function killAtEveryPoint(kind: Kind): void {
  const random = createRandom(seed)
  const kills = plan(kind)
  let world: World
  let worker: SpawnedWorker
  let done = 0
  let table = ''

  beforeAll(async () => {
    world = await openWorld(kind, shopSql)
    worker = await world.spawn()
    await world.complete('incremental')
    table = await mainTable(world)
  })
  afterAll(async () => {
    await worker.kill('SIGTERM')
    await world[Symbol.asyncDispose]()
    tell(
      `${done} of ${kills.length} kills at ${points.length} points of a sync into ${kind} passed: none lost, doubled or torn`,
    )
  })

  test.each(kills.map((each, before) => ({ ...each, id: each.point.id, what: each.point.what, kill: before + 1 })))(
    `$id $what ($workload): nothing is lost, doubled or torn (kill $kill, seed ${seed})`,
    async ({ point, workload, kill }) => {
      const may = await change(world.source, workload, kill, random)
      await using watch = watchTable(world, table, kill)
      const sprung = arm(world, point)
      const runId = await world.start(workload === 'full' ? 'full' : 'incremental')
      await within(sprung, 30_000)
      if (point.isCancelled === true) await cancel(world, runId)
      await worker.kill('SIGKILL')
      worker = await world.spawn()
      expect(await world.ends(runId)).toMatchObject({ Status: point.isCancelled === true ? 'CANCELLED' : 'COMPLETED' })
      if (point.isCancelled === true) await world.complete('incremental')
      expect(torn(await watch.end(), may)).toEqual([])
      for (const name of ['sale', 'pair'])
        expect([name, await world.target.rows(await world.target.nameOf(`public.${name}`))]).toEqual([
          name,
          await world.source.rows(name),
        ])
      done += 1
    },
    120_000,
  )
}

async function mainTable({ target, kind }: World): Promise<string> {
  const name = target.quote(await target.nameOf('public.sale'))
  return kind === 'postgres' ? `${target.quote('Shop')}.${name}` : name
}

async function arm({ wires, kind }: World, { at, trap, after }: Point): Promise<void> {
  if (after !== undefined) await wires.target.trap(after(words[kind]))
  await wires[at].trap(trap(words[kind]))
}

async function cancel({ app, connectorId }: World, runId: string): Promise<void> {
  const asked = await app.as.admin.call(runs.cancel, { params: { clientId: app.harbour.id, connectorId, runId } })
  expect(asked.status).toBe(200)
}

interface Watch extends AsyncDisposable {
  /** What was seen since the watching began. */
  end(): Promise<readonly Seen[]>
}

/** Reads the table over and over, as a report would. */
function watchTable({ target }: World, table: string, round: number): Watch {
  const over = new AbortController()
  const seen: Seen[] = []
  const watching = (async () => {
    while (!over.signal.aborted) {
      seen.push(await look(target, table, round))
      await wait(20)
    }
  })()
  const end = async () => {
    over.abort()
    await watching
    return seen
  }
  return { end, [Symbol.asyncDispose]: async () => void (await end()) }
}

/** What a reader saw that is neither before, nor in between the steps that are promised, nor after. */
function torn(seen: readonly Seen[], may: readonly Seen[]): readonly Seen[] {
  return seen.filter(({ rows, changed }) => !may.some((each) => each.rows === rows && each.changed === changed))
}

async function within(done: Promise<void>, ms: number): Promise<void> {
  const late = wait(ms, undefined, { ref: false }).then(() => {
    throw new Error(`The point was not come by within ${ms} ms.`)
  })
  await Promise.race([done, late])
}
