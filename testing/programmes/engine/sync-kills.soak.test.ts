import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePostgresPair, type PostgresPair } from '../../engine/databases/postgres-pair.ts'
import type { SyncChildJob } from '../../engine/sync/sync-process.ts'
import { createRandom } from '@tributary/sims/random'
import { isFull, seed } from '../extent.ts'

const child = fileURLToPath(new URL('../../engine/sync/sync-process.ts', import.meta.url))
const kills = isFull ? 40 : 6

let pair: PostgresPair
beforeAll(async () => {
  pair = await makePostgresPair()
  await pair.source.query(`
    CREATE TABLE ledger (id bigint PRIMARY KEY, amount numeric(18,4), note text);
    CREATE TABLE person (code varchar(20) PRIMARY KEY, name text);
    CREATE TABLE line (text text);
    INSERT INTO ledger SELECT n, n * 1.0001, repeat('note ', 20) FROM generate_series(1, 60000) n;
    INSERT INTO person SELECT 'p' || n, 'name ' || n FROM generate_series(1, 20000) n;
    INSERT INTO line SELECT 'line ' || n FROM generate_series(1, 5000) n`)
})
afterAll(() => pair[Symbol.asyncDispose]())

test(
  'killed at any moment, over and over, while the source changes: the next run makes the target equal to it',
  async () => {
    const random = createRandom(seed)
    const connectorId = randomUUID()
    for (let fence = 1; fence <= kills; fence++) {
      const wish = random.next() < 0.4 ? 'full' : 'incremental'
      await runAndKill({ properties: pair.properties, connectorId, fence, syncMode: wish }, random.next() * 900)
      await pair.source.query(
        `UPDATE ledger SET amount = amount + 1 WHERE id % 100 = ${fence}; DELETE FROM ledger WHERE id % 1000 = ${fence};
       INSERT INTO ledger VALUES (${100_000 + fence}, ${fence}, NULL); UPDATE person SET name = 'changed ${fence}' WHERE code LIKE 'p${fence}%'; INSERT INTO line VALUES ('more')`,
      )
      expect(await readable()).toBe(true)
    }
    const outcome = await pair.run({ writer: { connectorId, runId: randomUUID(), fence: kills + 1 } })
    expect(outcome).toMatchObject({ status: 'completed' })
    for (const table of ['ledger', 'person', 'line'])
      expect([table, await digest('target', `shop.${table}`)]).toEqual([table, await digest('source', table)])
    const left = await pair.target.query<{ relname: string }>(
      `SELECT relname FROM pg_class WHERE relname ~ '^tributary_(new|stage)' AND relkind = 'r'`,
    )
    expect(left.rows).toEqual([])
  },
  isFull ? 1_200_000 : 120_000,
)

/** Gives the child so many milliseconds of work, then no chance to say goodbye. */
async function runAndKill(job: SyncChildJob, lifeMs: number): Promise<void> {
  const started = spawn(process.execPath, [child, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(started, 'exit')
  await once(started.stdout, 'data')
  await Promise.race([wait(lifeMs), ended])
  started.kill('SIGKILL')
  await ended
}

/** A reader sees a table whole or not at all: never a half-done refresh. */
async function readable(): Promise<boolean> {
  const there = await pair.target.query<{ there: boolean }>(`SELECT to_regclass('shop.ledger') IS NOT NULL AS there`)
  if (there.rows[0]?.there !== true) return true
  const counted = await pair.target.query<{ rows: string }>('SELECT count(*)::text AS rows FROM shop.ledger')
  const rows = Number(counted.rows[0]?.rows)
  return rows === 0 || rows > 50_000
}

async function digest(side: 'source' | 'target', table: string): Promise<unknown> {
  const found = await pair[side].query(
    `SELECT count(*), md5(string_agg(t::text, ',' ORDER BY t::text COLLATE "C")) FROM ${table} AS t`,
  )
  return found.rows[0]
}
