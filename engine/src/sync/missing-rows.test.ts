/**
 * Rows that no incremental read reports, written with an old date or deleted in the target: the key comparison finds
 * them, and they are read.
 */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBoth } from '@tributary/testing/engine/databases/both-ends.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import type { SyncOutcome } from './sync-request.ts'
import { sync } from './run.ts'

const kinds = ['postgres', 'mysql'] as const

describe.each(kinds)('a MySQL table that goes to %s', (to) => {
  let run: () => Promise<SyncOutcome>
  let source: DatabaseEnd
  let target: DatabaseEnd
  let lines: string[]

  beforeEach(async () => {
    lines = []
    source = await makeEnd('mysql', 'source')
    target = await makeEnd(to, 'target')
    run = runsOf({ source, target, from: 'mysql', to }, lines)
  })
  afterEach(async () => {
    await source[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  })

  test('[ENG-1] gets the rows that were written with an old date of change, and no run after that reads them again', async () => {
    await source.run('CREATE TABLE sale (id int PRIMARY KEY, name varchar(20), updated_at datetime NOT NULL)')
    await source.run(`INSERT INTO sale VALUES (1, 'a', '2025-06-01'), (2, 'b', '2025-06-01')`)
    await run()
    await source.run(`INSERT INTO sale SELECT id + 10, name, '2001-01-01' FROM sale`)
    expect(await run()).toMatchObject({ status: 'completed', streams: [{ rows: 4, progress: { rowsWritten: 2 } }] })
    expect(lines).toContain(
      'sale: comparing keys showed 2 rows that the source had not reported as changed. They are read now.',
    )
    expect((await target.read('sale')).rows.map(([id, name]) => `${id} ${name}`).toSorted()).toEqual([
      '1 a',
      '11 a',
      '12 b',
      '2 b',
    ])
    expect(await run()).toMatchObject({ status: 'completed', streams: [{ rows: 4, progress: { rowsRead: 0 } }] })
  })

  test.each([
    ['unsigned numbers', 'bigint unsigned', `18446744073709551615`],
    ['decimals', 'decimal(30,10)', `1.5`],
    ['doubles', 'double', `0.1`],
    ['single floats', 'float', `0.1`],
    ['yes and no', 'tinyint(1)', `1`],
    ['dates', 'date', `'2024-02-29'`],
    ['moments', 'timestamp(6)', `'2024-02-29 12:34:56.789012'`],
    ['wall-clock stamps', 'datetime(3)', `'2024-02-29 12:34:56.789'`],
    ['texts with quotes', 'varchar(50)', `'it\\\\\\\\''s "\\t" {1,2} 😀'`],
    ['choices', `enum('small','large')`, `'large'`],
    ['binaries', 'binary(16)', `X'00112233445566778899AABBCCDDEEFF'`],
    ['spans of time', 'time', `'-123:45:06'`],
    ['zero-filled numbers', 'int(8) zerofill', `42`],
  ])('[ENG-1] gets them where keys are of %s', async (_words, type, value) => {
    await source.run(
      `CREATE TABLE odd (part int, k ${type}, name varchar(20), updated_at datetime NOT NULL DEFAULT '2001-01-01', PRIMARY KEY (k, part))`,
    )
    await run()
    await source.run(`INSERT INTO odd (part, k, name) VALUES (1, ${value}, 'a'), (2, ${value}, 'b')`)
    expect(await run()).toMatchObject({
      status: 'completed',
      streams: [{ rows: 2, progress: { rowsWritten: 2, rowsRejected: 0 } }],
    })
    expect(await run()).toMatchObject({ status: 'completed', streams: [{ rows: 2, progress: { rowsRead: 0 } }] })
  })
})

test('[ENG-1] rows deleted in the target are restored, from PostgreSQL also in binary format', async () => {
  const lines: string[] = []
  await using source = await makeEnd('postgres', 'source')
  await using target = await makeEnd('postgres', 'target')
  const run = runsOf({ source, target, from: 'postgres', to: 'postgres' }, lines)
  await source.run(
    `CREATE TABLE sale (id uuid, day timestamptz, part text, amount numeric, PRIMARY KEY (id, day, part, amount))`,
  )
  await source.run(
    `INSERT INTO sale SELECT gen_random_uuid(), now() - n * interval '1.000001 days', 'it''s {"' || n || E'"}\\\\ \\t', n / 7.0 FROM generate_series(1, 300) n`,
  )
  await run()
  const before = await target.rows('sale')
  await target.run(`DELETE FROM "Shop".sale WHERE amount > 20`)
  expect(await run()).toMatchObject({ status: 'completed', streams: [{ rows: 300 }] })
  expect(await target.rows('sale')).toEqual(before)
})

interface SyncEnds {
  readonly source: DatabaseEnd
  readonly target: DatabaseEnd
  readonly from: EndKind
  readonly to: EndKind
}

/** One run of one connector after the other. */
function runsOf({ source, target, from, to }: SyncEnds, lines: string[]): () => Promise<SyncOutcome> {
  const connectorId = randomUUID()
  let fence = 0
  return async () => {
    const { signal } = new AbortController()
    lines.length = 0
    await using ends = await openBoth({ from, to, properties: { ...source.properties, ...target.properties } }, signal)
    const writer = { connectorId, runId: randomUUID(), fence: ++fence }
    const log = (line: string): void => void lines.push(line)
    return await sync({
      ...ends,
      writer,
      syncMode: 'incremental',
      report: () => {},
      log,
      clock: realClock,
      signal,
    })
  }
}
