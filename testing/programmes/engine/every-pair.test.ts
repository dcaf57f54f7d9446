/**
 * Every pair of real databases: unusual names, exact values, changed keys, new columns, and kills. In the slices runs of each pair
 * are killed in one mode, so that each source and each target has both.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBoth } from '../../engine/databases/both-ends.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '../../engine/databases/database-ends.ts'
import { realClock } from '../../engine/sync/source-context.ts'
import type { SyncChildJob } from '../../engine/sync/sync-process.ts'
import type { SyncMode } from '@tributary/engine/sync/plan'
import type { SyncOutcome, SyncRunRequest } from '@tributary/engine/sync/sync-request'
import { sync } from '@tributary/engine/sync/run'
import { isFull } from '../extent.ts'

const child = fileURLToPath(new URL('../../engine/sync/sync-process.ts', import.meta.url))
const long = 'a very long name that differs from its sibling only at the end '
const names = {
  postgres: { odd: `it's "odd" 🦀 select`, column: 'Größe, in "cm"', alike: ['Colour', 'colour'] },
  mysql: { odd: 'it\'s `odd` "ö" select', column: 'Größe, in `cm`', alike: [`${long}1`, `${long}2`] },
} as const
/** The column by which a sync from MariaDB detects changed rows. */
const changed = {
  postgres: '',
  mysql: ', kept TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)',
} as const
const stamp = { postgres: 'timestamp', mysql: 'datetime(6)' } as const
const numbers = {
  postgres: 'FROM generate_series(1, 30000) AS n',
  mysql: 'FROM (SELECT seq AS n FROM seq_1_to_30000) AS numbered',
} as const
/** Blocks readers and writers of the table. */
const locks = {
  postgres: [(table: string) => `BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, 'COMMIT'],
  mysql: [(table: string) => `LOCK TABLES ${table} WRITE`, 'UNLOCK TABLES'],
} as const

describe.each([
  ['postgres', 'postgres', 'full'],
  ['postgres', 'mysql', 'incremental'],
  ['mysql', 'postgres', 'incremental'],
  ['mysql', 'mysql', 'full'],
] as const)('from %s to %s', (from: EndKind, to: EndKind, killedMode: SyncMode) => {
  const connectorId = randomUUID()
  let source: DatabaseEnd
  let target: DatabaseEnd
  let fence = 0
  beforeAll(async () => {
    ;[source, target] = await Promise.all([makeEnd(from, 'source'), makeEnd(to, 'target')])
  })
  afterAll(async () => {
    await Promise.all([source[Symbol.asyncDispose](), target[Symbol.asyncDispose]()])
  })

  const properties = (): SyncChildJob['properties'] => ({ ...source.properties, ...target.properties })
  const streamOf = (table: string): string => (from === 'postgres' ? `public.${table}` : table)

  async function run(request: Partial<SyncRunRequest> = {}): Promise<SyncOutcome> {
    const { signal = new AbortController().signal } = request
    await using ends = await openBoth({ from, to, properties: properties() }, signal)
    const writer = { connectorId, runId: randomUUID(), fence: ++fence }
    const quiet = (): void => {}
    return await sync({
      ...ends,
      writer,
      syncMode: 'incremental',
      report: quiet,
      log: quiet,
      clock: realClock,
      signal,
      ...request,
    })
  }

  async function expectEqual(tables: readonly string[]): Promise<void> {
    for (const table of tables)
      expect([table, await target.rows(await target.nameOf(streamOf(table)))]).toEqual([
        table,
        await source.rows(table),
      ])
  }

  test('unusual names, exact values, empty tables and tables without a key are copied unchanged, repeatedly, with changed keys and new columns', async () => {
    const { odd, column, alike } = names[from]
    const q = (name: string): string => source.quote(name)
    const tables = [odd, 'order', 'nothing', ...(from === 'mysql' ? alike.map((each) => each.slice(0, 64)) : [])]
    await source.run(
      `CREATE TABLE ${q(odd)} (${q('select')} varchar(20) PRIMARY KEY, ${q(column)} decimal(38,9), ${q('at')} ${stamp[from]}, ${from === 'postgres' ? `${q(alike[0])} integer, ${q(alike[1])} integer` : 'plain integer'}${changed[from]})`,
    )
    await source.run(
      `INSERT INTO ${q(odd)} (${q('select')}, ${q(column)}, ${q('at')}) VALUES ('a', 12345678901234567890123456789.123456789, '1969-07-20 20:17:40.123456'), ('A', -0.000000001, '2024-02-29 23:59:59.999999'), ('it''s 🦀', NULL, NULL), ('', 0, '1000-01-01 00:00:00')`,
    )
    await source.run(`CREATE TABLE ${q('order')} (${q('from')} varchar(20), ${q('group')} integer)`)
    await source.run(`INSERT INTO ${q('order')} VALUES ('same', 1), ('same', 1), (NULL, NULL)`)
    await source.run(`CREATE TABLE nothing (id integer PRIMARY KEY)`)
    for (const each of tables.slice(3))
      await source.run(
        `CREATE TABLE ${q(each)} (id integer PRIMARY KEY, ${q(alike[0])} integer, ${q(alike[1])} integer)`,
      )
    for (const each of tables.slice(3)) await source.run(`INSERT INTO ${q(each)} VALUES (1, 2, 3)`)
    for (let times = 0; times < 2; times++) {
      expect(await run()).toMatchObject({ status: 'completed', fault: null })
      await expectEqual(tables)
    }
    await source.run(`UPDATE ${q(odd)} SET ${q('select')} = 'another' WHERE ${q('select')} = 'a'`)
    await source.run(`ALTER TABLE ${q(odd)} ADD COLUMN ${q('später')} varchar(9) DEFAULT 'neu'`)
    expect(await run()).toMatchObject({ status: 'completed' })
    await expectEqual(tables)
  })

  test.each(isFull ? (['full', 'incremental'] as const) : [killedMode])(
    'after a kill in the middle of a run (%s), the next run makes the target equal',
    async (syncMode) => {
      const table = `ledger_${syncMode}`
      await source.run(
        `CREATE TABLE ${table} (id integer PRIMARY KEY, amount decimal(18,4), note varchar(200)${changed[from]})`,
      )
      await source.run(`INSERT INTO ${table} (id, amount, note) SELECT n, n * 1.0001, 'note' ${numbers[from]}`)
      if (syncMode === 'incremental') await run()
      await source.run(`UPDATE ${table} SET amount = amount + 1, note = 'changed'`)
      for (const lifeMs of [60, 150, 260]) {
        await runAndKill({ from, to, properties: properties(), connectorId, fence: ++fence, syncMode }, lifeMs)
        await source.run(`DELETE FROM ${table} WHERE id % 500 = ${lifeMs}`)
        const there = (await target.rows(await target.nameOf(streamOf(table)))).length
        expect(there === 0 || there > 29_000).toBe(true)
      }
      expect(await run()).toMatchObject({ status: 'completed' })
      await expectEqual([table])
    },
  )

  test.each(['source', 'target'] as const)(
    '[ENG-1] an abort ends a run within a second, even if it waits for its %s',
    async (side) => {
      const table = `held_${side}`
      await source.run(`CREATE TABLE ${table} (id integer PRIMARY KEY, note varchar(9)${changed[from]})`)
      await source.run(`INSERT INTO ${table} (id, note) VALUES (1, 'old'), (2, 'old')`)
      await run()
      await source.run(`UPDATE ${table} SET note = 'new' WHERE id = 1`)
      const end = side === 'source' ? source : target
      const [lock, unlock] = locks[end.kind]
      const schema = end.kind === 'mysql' ? '' : side === 'source' ? 'public.' : '"Shop".'
      await end.run(lock(schema + table))
      const stop = new AbortController()
      const running = run({ signal: stop.signal })
      await wait(400)
      const since = performance.now()
      stop.abort(new Error('stopped by a person'))
      expect(await running).toMatchObject({ status: 'cancelled', fault: null })
      expect(performance.now() - since).toBeLessThan(1_000)
      await end.run(unlock)
      expect(await run()).toMatchObject({ status: 'completed' })
      await expectEqual([table])
    },
  )
})

/** Lets the child work for `lifeMs` and then kills it without a chance to clean up. */
async function runAndKill(job: SyncChildJob, lifeMs: number): Promise<void> {
  const started = spawn(process.execPath, [child, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(started, 'exit')
  await once(started.stdout, 'data')
  await Promise.race([wait(lifeMs), ended])
  started.kill('SIGKILL')
  await ended
}
