/** Syncs a source that changes during the run: a few seeded rounds as a slice, fifty with `npm run soak`. */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '@tributary/sims/random'
import { openBoth } from '../../engine/databases/both-ends.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '../../engine/databases/database-ends.ts'
import { ChangingShop, liveTables } from '../../engine/databases/changing-shop.ts'
import { realClock } from '../../engine/sync/source-context.ts'
import type { SyncOutcome } from '@tributary/engine/sync/sync-request'
import { sync } from '@tributary/engine/sync/run'
import { isFull, seed } from '../extent.ts'

const rounds = Array.from({ length: isFull ? 50 : 6 }, (_, at) => at + 1)
const completed = { status: 'completed', fault: null }
const pairs: readonly (readonly [EndKind, EndKind])[] = [
  ['postgres', 'mysql'],
  ['mysql', 'postgres'],
]

describe.each(pairs)('from a changing %s to %s', (from, to) => {
  const random = createRandom(seed + from.length)
  const connectorId = randomUUID()
  let source: DatabaseEnd
  let target: DatabaseEnd
  let shop: ChangingShop
  let fence = 0

  beforeAll(async () => {
    ;[source, target] = await Promise.all([makeEnd(from, 'source'), makeEnd(to, 'target')])
    shop = new ChangingShop(source, random)
    await shop.open()
  })
  afterAll(async () => {
    await Promise.all([source[Symbol.asyncDispose](), target[Symbol.asyncDispose]()])
  })

  test.each(rounds)(
    `round %i of inserts, updates, deletes and new columns: a completed run has copied every row (seed ${seed})`,
    async () => {
      const before = await versions(source)
      const stopChanges = new AbortController()
      const changing = (async () => {
        while (!stopChanges.signal.aborted) {
          await shop.change()
          await wait(random.between(0, 40))
        }
      })()
      try {
        expect(await run()).toMatchObject(completed)
      } finally {
        stopChanges.abort()
        await changing
      }
      await expectNothingOlder(before)

      for (let changes = random.between(0, 5); changes > 0; changes--) await shop.change()
      expect(await run()).toMatchObject(completed)
      for (const table of liveTables)
        expect([table, await target.rows(await nameOf(table))]).toEqual([table, await source.rows(table)])
    },
    120_000,
  )

  /** Retries like a worker, because a table definition may change during the read. */
  async function run(): Promise<SyncOutcome> {
    const runId = randomUUID()
    const { signal } = new AbortController()
    for (let attempt = 1; ; attempt++) {
      await using ends = await openBoth(
        { from, to, properties: { ...source.properties, ...target.properties } },
        signal,
      )
      const writer = { connectorId, runId, fence: ++fence }
      const quiet = (): void => {}
      const outcome = await sync({
        ...ends,
        writer,
        syncMode: 'incremental',
        report: quiet,
        log: quiet,
        clock: realClock,
        signal,
      })
      if (outcome.fault?.kind !== 'passing' || attempt === 6) return outcome
    }
  }

  const nameOf = (table: string): Promise<string> => target.nameOf(from === 'postgres' ? `public.${table}` : table)

  /**
   * Every row of the start of the run is in the target in the same or a later version, unless the source deleted it.
   */
  async function expectNothingOlder(before: ReadonlyMap<string, number>): Promise<void> {
    const there = await versions(target, await nameOf('sale'))
    const now = await versions(source)
    const older = [...before].filter(([id, version]) => now.has(id) && (there.get(id) ?? 0) < version)
    expect(older).toEqual([])
  }
})

async function versions(end: DatabaseEnd, table = 'sale'): Promise<ReadonlyMap<string, number>> {
  const rows = (await end.rows(table)).map((row) => JSON.parse(row) as readonly string[])
  return new Map(rows.map(([id = '', version]) => [id, Number(version)]))
}
