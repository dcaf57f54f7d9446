/**
 * Kills worker, server or database in the middle of a run: three seeded kills as a slice, twenty with `npm run soak`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Chaos, type KilledProcess } from '../../server/processes/chaos.ts'
import { changeSql } from '../../server/processes/chaos-sql.ts'
import { isFull, seed } from '../extent.ts'

const points = isFull ? 20 : 3
const rows = isFull ? 400_000 : 30_000
const victims: readonly KilledProcess[] = ['worker', 'postgres', 'server']

const home = mkdtempSync(join(tmpdir(), 'tributary-chaos-'))
let chaos: Chaos

beforeAll(async () => {
  chaos = await Chaos.start(home, rows)
})
afterAll(async () => {
  await chaos.stop()
  rmSync(home, { recursive: true, force: true })
})

const random = createRandom(seed)
const plan = Array.from({ length: points }, (_, index) => ({
  victim: victims[index % victims.length] ?? 'worker',
  mode: random.next() < 0.5 ? ('full' as const) : ('incremental' as const),
  afterMs: random.between(20, isFull ? 2_500 : 400),
  changesMeanwhile: random.next() < 0.5,
}))

test.each(plan)(
  `[ENG-1] killing the $victim $afterMs ms into a run ($mode) loses no row, duplicates none and leaves no run unfinished (seed ${seed})`,
  async ({ victim, mode, afterMs, changesMeanwhile }) => {
    await chaos.query('shop', changeSql(random.next))
    const runId = await chaos.startRun(mode === 'full')
    await sleep(afterMs)
    await chaos.kill(victim)
    if (changesMeanwhile) await chaos.query('shop', changeSql(random.next))
    expect(await chaos.waitForRunEnd(runId, 60_000)).toMatchObject({ Status: 'COMPLETED' })
    if (changesMeanwhile)
      expect(await chaos.waitForRunEnd(await chaos.startRun(false), 60_000)).toMatchObject({ Status: 'COMPLETED' })
    const { source, target } = await chaos.compare()
    expect(target).toEqual(source)
  },
  180_000,
)
