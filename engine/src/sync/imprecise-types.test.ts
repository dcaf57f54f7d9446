/** Types that are less precise than their values: every value arrives, or is counted and logged. */
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { openBoth } from '@tributary/testing/engine/databases/both-ends.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import type { SyncOutcome } from './sync-request.ts'
import { sync } from './run.ts'

let ends: AsyncDisposableStack
afterEach(() => ends.disposeAsync())

interface ConnectedPair {
  readonly source: DatabaseEnd
  readonly target: DatabaseEnd
  readonly run: () => Promise<SyncOutcome>
  readonly lines: string[]
}

async function connectPair(from: EndKind, to: EndKind): Promise<ConnectedPair> {
  ends = new AsyncDisposableStack()
  const source = ends.use(await makeEnd(from, 'source'))
  const target = ends.use(await makeEnd(to, 'target'))
  const connectorId = randomUUID()
  const lines: string[] = []
  let fence = 0
  const run = async (): Promise<SyncOutcome> => {
    const { signal } = new AbortController()
    lines.length = 0
    await using open = await openBoth({ from, to, properties: { ...source.properties, ...target.properties } }, signal)
    const writer = { connectorId, runId: randomUUID(), fence: ++fence }
    const log = (line: string): void => void lines.push(line)
    return await sync({
      ...open,
      writer,
      syncMode: 'incremental',
      report: () => {},
      log,
      clock: realClock,
      signal,
    })
  }
  return { source, target, run, lines }
}

describe.each(['postgres', 'mysql'] as const)('from MySQL to %s', (to) => {
  test('[ENG-1] tinyint(1) arrives as numbers where it holds them, and as yes and no where it holds only those', async () => {
    const { source, target, run } = await connectPair('mysql', to)
    await source.run(`CREATE TABLE task (id int PRIMARY KEY, state tinyint(1), done tinyint(1))`)
    await source.run('INSERT INTO task VALUES (1, 2, 1), (2, -1, 0), (3, 0, NULL), (4, 1, 1)')
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(await target.rows('task')).toEqual(['["1","2","1"]', '["2","-1","0"]', '["3","0",null]', '["4","1","1"]'])
  })

  test('[ENG-1] a column of yes and no that gets another value becomes one of numbers, and stays one', async () => {
    const { source, target, run } = await connectPair('mysql', to)
    await source.run(
      `CREATE TABLE task (id int PRIMARY KEY, state tinyint(1), updated_at datetime NOT NULL DEFAULT '2001-01-01')`,
    )
    await source.run('INSERT INTO task (id, state) VALUES (1, 1), (2, 0)')
    const states = async (): Promise<readonly (string | null)[]> => {
      const { columns, rows } = await target.read('task')
      return rows.toSorted().map((row) => row[columns.indexOf('state')] ?? null)
    }
    expect(await run()).toMatchObject({ status: 'completed' })
    await source.run('INSERT INTO task (id, state) VALUES (3, 5)')
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(await states()).toEqual(['1', '0', '5'])
    await source.run('DELETE FROM task WHERE id = 3')
    await source.run('UPDATE task SET state = 1 - state, updated_at = now()')
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(await states()).toEqual(['0', '1'])
  })

  test('[ENG-1] dates with a year, month or day of zero are empty, and the run says how many they were', async () => {
    const { source, target, run, lines } = await connectPair('mysql', to)
    await source.run(`CREATE TABLE event (id int PRIMARY KEY, day date, at datetime)`)
    await source.run(`SET SESSION sql_mode = ''`)
    await source.run(
      `INSERT INTO event VALUES (1, '0000-00-00', '2024-00-15 10:00:00'), (2, '2024-01-00', NULL), (3, '2024-01-02', '2024-01-02 10:00:00')`,
    )
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(lines).toContain(
      'event: 3 dates have a year, month or day of zero, which no calendar knows. They are empty in the target.',
    )
    expect((await target.rows('event')).map((row) => (JSON.parse(row) as unknown[]).slice(0, 2))).toEqual([
      ['1', null],
      ['2', null],
      ['3', '2024-01-02'],
    ])
  })
})

describe('from PostgreSQL', () => {
  test('[ENG-1] an interval stays one in PostgreSQL, also where its column is a column of text from before', async () => {
    const { source, target, run } = await connectPair('postgres', 'postgres')
    await source.run(`CREATE TABLE job (id int PRIMARY KEY, took interval, pause interval day to minute)`)
    await source.run(
      `INSERT INTO job VALUES (1, '1 year 2 mons -3 days 04:05:06.789', '2 days 03:04'), (2, NULL, '-00:30')`,
    )
    expect(await run()).toMatchObject({ status: 'completed' })
    const sums = `SELECT (sum(took) = '1 year 2 mons -3 days 04:05:06.789' AND sum(pause) = '2 days 02:34')::text AS same, min(pg_typeof(took)::text) AS type FROM "Shop".job`
    expect(await target.run(sums)).toMatchObject({ rows: [{ same: 'true', type: 'interval' }] })
    await target.run('ALTER TABLE "Shop".job ALTER COLUMN took TYPE text')
    await source.run(`INSERT INTO job VALUES (3, '1 hour', '1 hour')`)
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(await target.run(`SELECT took FROM "Shop".job WHERE id = 3`)).toMatchObject({ rows: [{ took: 'PT1H' }] })
  })

  test('[ENG-1] a table that others inherit from holds its own rows, and the run says where those of its heirs are', async () => {
    const { source, target, run, lines } = await connectPair('postgres', 'postgres')
    await source.run(`CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (extra text) INHERITS (parent);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 'same id')`)
    expect(await run()).toMatchObject({ status: 'completed' })
    expect([await target.rows('parent'), await target.rows('child')]).toEqual([['["1"]'], ['["1","same id"]']])
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^public\.parent: The table public\.child inherits from it\. Their rows are moved as tables of their own/u,
      ),
    )
  })
})
