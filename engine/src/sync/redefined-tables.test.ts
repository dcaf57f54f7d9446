/** Tables whose definition changes without a row being written: their rows are read once more, and once only. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openBoth } from '@tributary/testing/engine/databases/both-ends.ts'
import { type DatabaseEnd, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import type { SyncOutcome } from './sync-request.ts'
import { sync } from './run.ts'

let source: DatabaseEnd
let target: DatabaseEnd
let connectorId: string
let lines: string[]
let fence = 0

beforeEach(async () => {
  connectorId = randomUUID()
  lines = []
  source = await makeEnd('mysql', 'source')
  target = await makeEnd('postgres', 'target')
  await source.run(`CREATE TABLE price (id int PRIMARY KEY, amount decimal(9,2), amount_new decimal(9,2),
    updated_at timestamp(6) NOT NULL DEFAULT '2020-01-01 00:00:00' ON UPDATE CURRENT_TIMESTAMP(6))`)
  await source.run(
    'ALTER TABLE price MODIFY updated_at timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)',
  )
  await source.run(
    `INSERT INTO price (id, amount, amount_new, updated_at) VALUES (1, 10, 11.5, '2020-01-01 00:00:00'), (2, 20, 22.5, '2020-01-01 00:00:00')`,
  )
})
afterEach(async () => {
  await source[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
})

async function run(): Promise<SyncOutcome> {
  const { signal } = new AbortController()
  lines = []
  await using ends = await openBoth(
    { from: 'mysql', to: 'postgres', properties: { ...source.properties, ...target.properties } },
    signal,
  )
  const writer = { connectorId, runId: randomUUID(), fence: ++fence }
  const log = (line: string): void => void lines.push(line)
  return await sync({ ...ends, writer, syncMode: 'incremental', report: () => {}, log, clock: realClock, signal })
}

async function amounts(): Promise<readonly (string | null)[]> {
  const { columns, rows } = await target.read('price')
  return rows.map((row) => row[columns.indexOf('amount')] ?? null).toSorted()
}

async function expectReadOnce(): Promise<void> {
  expect(await run()).toMatchObject({ status: 'completed', streams: [{ progress: { rowsRead: 2 } }] })
  expect(lines).toContain('price: its definition has changed at the source. All of it is read once more.')
  expect(await run()).toMatchObject({ status: 'completed', streams: [{ progress: { rowsRead: 0 } }] })
  expect(lines).not.toContain('price: its definition has changed at the source. All of it is read once more.')
}

test('[ENG-1] a column that is put in the place of another arrives, though no row of it was stamped', async () => {
  await run()
  await run()
  await source.run('ALTER TABLE price DROP COLUMN amount, RENAME COLUMN amount_new TO amount')
  await expectReadOnce()
  expect(await amounts()).toEqual(['11.50', '22.50'])
})

test('[ENG-1] two columns that change names arrive, though no row of them was stamped', async () => {
  await run()
  await run()
  await source.run('ALTER TABLE price RENAME COLUMN amount TO amount_new, RENAME COLUMN amount_new TO amount')
  await expectReadOnce()
  expect(await amounts()).toEqual(['11.50', '22.50'])
})

test('[ENG-1] a table that another took the place of, with the same columns and older stamps, arrives', async () => {
  await run()
  await run()
  await source.run('CREATE TABLE price_new LIKE price')
  await source.run(
    `INSERT INTO price_new (id, amount, updated_at) VALUES (1, 1, '2019-01-01 00:00:00'), (2, 2, '2019-01-01 00:00:00')`,
  )
  // The time of creation is kept to the second.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  await source.run('RENAME TABLE price TO price_old, price_new TO price')
  await source.run('DROP TABLE price_old')
  await run()
  expect(await amounts()).toEqual(['1.00', '2.00'])
})
