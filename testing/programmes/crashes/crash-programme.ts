/**
 * Kills the worker at every crash point of a sync. Afterwards no row may be lost or duplicated, and no reader may have
 * seen a partial change.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndKind } from '../../engine/databases/database-ends.ts'
import type { SpawnedWorker } from '../../server/processes/spawn-worker.ts'
import { runs } from '@tributary/contract/runs'
import { crashPoints, targetStatements, type CrashPoint, type SyncWorkload } from './crash-points.ts'
import { isFull, seed, printFigure } from '../extent.ts'
import { changeShop, countVisibleRows, type VisibleRows, shopSql } from '../network/sale-shop.ts'
import { openTestBed, type TestBed } from '../network/test-bed.ts'

const roundsInFull = 5

/** The short programme covers every point once: one half with PostgreSQL, the other half with MariaDB. */
function planKills(kind: EndKind): readonly { readonly point: CrashPoint; readonly workload: SyncWorkload }[] {
  if (!isFull) {
    const mine = crashPoints.filter((_, at) => at % 2 === (kind === 'postgres' ? 0 : 1))
    return mine.map((point) => ({ point, workload: point.workloads[0] ?? 'incremental' }))
  }
  const once = crashPoints.flatMap((point) => point.workloads.map((workload) => ({ point, workload })))
  return Array.from({ length: roundsInFull }, () => once).flat()
}

export function killAtEveryPoint(kind: EndKind): void {
  const random = createRandom(seed)
  const kills = planKills(kind)
  let testBed: TestBed
  let worker: SpawnedWorker
  let done = 0
  let table = ''

  beforeAll(async () => {
    testBed = await openTestBed(kind, shopSql)
    worker = await testBed.spawn()
    await testBed.complete('incremental')
    table = await mainTable(testBed)
  })
  afterAll(async () => {
    await worker.kill('SIGTERM')
    await testBed[Symbol.asyncDispose]()
    printFigure(
      `${done} of ${kills.length} kills at ${crashPoints.length} points of a sync into ${kind} passed: no row lost, duplicated or torn`,
    )
  })

  test.each(kills.map((each, before) => ({ ...each, id: each.point.id, what: each.point.moment, kill: before + 1 })))(
    `$id $what ($workload): no row is lost, duplicated or torn (kill $kill, seed ${seed})`,
    async ({ point, workload, kill }) => {
      const allowed = await changeShop(testBed.source, workload, kill, random)
      await using watch = watchTable(testBed, table, kill)
      const sprung = armTraps(testBed, point)
      const runId = await testBed.syncMode(workload === 'full' ? 'full' : 'incremental')
      await withTimeout(sprung, 30_000)
      if (point.isCancelled === true) await cancelRun(testBed, runId)
      await worker.kill('SIGKILL')
      worker = await testBed.spawn()
      expect(await testBed.waitForEnd(runId)).toMatchObject({
        Status: point.isCancelled === true ? 'CANCELLED' : 'COMPLETED',
      })
      if (point.isCancelled === true) await testBed.complete('incremental')
      expect(findTornReads(await watch.end(), allowed)).toEqual([])
      for (const name of ['sale', 'pair'])
        expect([name, await testBed.target.rows(await testBed.target.nameOf(`public.${name}`))]).toEqual([
          name,
          await testBed.source.rows(name),
        ])
      done += 1
    },
    120_000,
  )
}

async function mainTable({ target, kind }: TestBed): Promise<string> {
  const name = target.quote(await target.nameOf('public.sale'))
  return kind === 'postgres' ? `${target.quote('Shop')}.${name}` : name
}

async function armTraps({ proxies, kind }: TestBed, { connection, trap, after }: CrashPoint): Promise<void> {
  if (after !== undefined) await proxies.target.setTrap(after(targetStatements[kind]))
  await proxies[connection].setTrap(trap(targetStatements[kind]))
}

async function cancelRun({ app, connectorId }: TestBed, runId: string): Promise<void> {
  const reply = await app.as.admin.call(runs.cancel, { params: { clientId: app.harbour.id, connectorId, runId } })
  expect(reply.status).toBe(200)
}

interface TableWatch extends AsyncDisposable {
  /** Stops reading and returns everything that was seen. */
  end(): Promise<readonly VisibleRows[]>
}

/** Polls the table, as a report would. */
function watchTable({ target }: TestBed, table: string, round: number): TableWatch {
  const over = new AbortController()
  const seen: VisibleRows[] = []
  const watching = (async () => {
    while (!over.signal.aborted) {
      seen.push(await countVisibleRows(target, table, round))
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

/** Reads that match none of the allowed states: before the change, after one of its promised steps, or after it. */
function findTornReads(seen: readonly VisibleRows[], allowed: readonly VisibleRows[]): readonly VisibleRows[] {
  return seen.filter(({ rows, changed }) => !allowed.some((each) => each.rows === rows && each.changed === changed))
}

async function withTimeout(done: Promise<void>, ms: number): Promise<void> {
  const late = wait(ms, undefined, { ref: false }).then(() => {
    throw new Error(`The sync did not reach the crash point within ${ms} ms.`)
  })
  await Promise.race([done, late])
}
