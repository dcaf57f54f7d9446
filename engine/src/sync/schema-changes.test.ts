import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePostgresPair, type PostgresPair } from '@tributary/testing/engine/databases/postgres-pair.ts'
import type { SchemaDecision, SchemaChangeRules } from './sync-request.ts'

interface ReportedChange {
  readonly stream: string
  readonly column: string | null
  readonly status: string
}

let pair: PostgresPair
let reportedChanges: ReportedChange[]
let connectorId: string
let fence: number
beforeAll(async () => {
  pair = await makePostgresPair()
})
afterAll(() => pair[Symbol.asyncDispose]())
beforeEach(async () => {
  await pair.source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await pair.target.query('DROP SCHEMA IF EXISTS shop CASCADE')
  await pair.source
    .query(`CREATE TABLE item (id integer PRIMARY KEY, name text); INSERT INTO item VALUES (1, 'one'), (2, 'two');
    CREATE TABLE other (id integer PRIMARY KEY); INSERT INTO other VALUES (1)`)
  reportedChanges = []
  connectorId = randomUUID()
  fence = 0
})

function run(
  policy: SchemaChangeRules['policy'],
  decided: readonly SchemaDecision[] = [],
): ReturnType<PostgresPair['run']> {
  const found: SchemaChangeRules['reportChanges'] = (stream, changes, status) =>
    void reportedChanges.push(...changes.map(({ column }) => ({ stream, column, status })))
  return pair.run({
    schemaRules: { policy, decisions: decided, reportChanges: found },
    writer: { connectorId, runId: randomUUID(), fence: ++fence },
  })
}

const colour = { table: 'item', column: 'colour', after: 'text' } as const
const addColour = (): Promise<unknown> =>
  pair.source.query(
    `ALTER TABLE item ADD COLUMN colour text DEFAULT 'red'; INSERT INTO item VALUES (3, 'three', 'blue')`,
  )

describe('a change of the source’s tables', () => {
  test('is applied and reported, and existing rows get the values of a new column', async () => {
    await run('take')
    expect(reportedChanges).toEqual([])
    await addColour()
    expect(await run('take')).toMatchObject({ status: 'completed' })
    expect(reportedChanges).toEqual([{ stream: 'public.item', column: 'colour', status: 'applied' }])
    expect(await pair.rows('item')).toEqual(['(1,one,red)', '(2,two,red)', '(3,three,blue)'])
  })

  test('is held under the policy ask: its stream is skipped, the others move, and it is applied once accepted', async () => {
    await run('ask')
    await addColour()
    await pair.source.query('INSERT INTO other VALUES (2)')
    const outcome = await run('ask')
    expect(outcome).toMatchObject({ status: 'completed', fault: null })
    expect(outcome.streams.map(({ progress, freshAt }) => [progress.stream, progress.phase, freshAt === null])).toEqual(
      [
        ['public.item', 'waiting', true],
        ['public.other', 'done', false],
      ],
    )
    expect(reportedChanges).toEqual([{ stream: 'public.item', column: 'colour', status: 'pending' }])
    expect(pair.logLines.at(-1)).toContain('The table item would get a column colour (text).')
    expect(await pair.rows('item')).toEqual(['(1,one)', '(2,two)'])
    expect(await pair.rows('other')).toEqual(['(1)', '(2)'])
    await run('ask', [{ ...colour, decision: 'accepted' }])
    expect(reportedChanges.at(-1)).toEqual({ stream: 'public.item', column: 'colour', status: 'applied' })
    expect(await pair.rows('item')).toEqual(['(1,one,red)', '(2,two,red)', '(3,three,blue)'])
  })

  test.each(['ask', 'stop', 'take'] as const)(
    'that was rejected leaves the column out and moves the rest, whatever becomes of the column (%s)',
    async (policy) => {
      await run('ask')
      await addColour()
      const decided = [{ ...colour, decision: 'rejected' }] as const
      expect(await run(policy, decided)).toMatchObject({ status: 'completed' })
      expect(await pair.rows('item')).toEqual(['(1,one)', '(2,two)', '(3,three)'])
      await pair.source.query(
        `ALTER TABLE item ALTER COLUMN colour TYPE varchar(40); UPDATE item SET name = E'a\\tb' WHERE id = 1; DELETE FROM item WHERE id = 2`,
      )
      expect(await run(policy, decided)).toMatchObject({ status: 'completed' })
      expect(await pair.rows('item')).toEqual(['(1,"a\tb")', '(3,three)'])
      expect(reportedChanges.filter(({ status }) => status === 'applied')).toEqual([])
    },
  )

  test('that widens a column and was rejected leaves its values as they were; once it is accepted they are those of the source', async () => {
    await pair.source.query('ALTER TABLE item ALTER COLUMN name TYPE varchar(5)')
    await run('ask')
    await pair.source.query('ALTER TABLE item ALTER COLUMN name TYPE varchar(50)')
    const wider = { table: 'item', column: 'name', after: 'character varying(50)' } as const
    await run('ask', [{ ...wider, decision: 'rejected' }])
    await pair.source.query(
      `INSERT INTO item VALUES (3, 'three and more'); UPDATE item SET name = 'one and more' WHERE id = 1`,
    )
    await run('ask', [{ ...wider, decision: 'rejected' }])
    expect(await pair.rows('item')).toEqual(['(1,one)', '(2,two)', '(3,)'])
    await run('ask', [{ ...wider, decision: 'accepted' }])
    expect(await pair.rows('item')).toEqual(['(1,"one and more")', '(2,two)', '(3,"three and more")'])
  })

  test('stops the run before anything moves under the policy stop, and the fault names it', async () => {
    await run('stop')
    await addColour()
    await pair.source.query('INSERT INTO other VALUES (2)')
    expect(await run('stop')).toMatchObject({
      status: 'failed',
      fault: { kind: 'settings', code: 'engine.schema_changed', notice: expect.stringContaining('column colour') },
    })
    expect(await pair.rows('other')).toEqual(['(1)'])
    expect(await run('stop', [{ ...colour, decision: 'accepted' }])).toMatchObject({ status: 'completed' })
    expect(await pair.rows('other')).toEqual(['(1)', '(2)'])
  })

  test('may be a new table, which needs a decision after the first completed run, and is skipped if rejected', async () => {
    await pair.source.query('CREATE TABLE broken (id integer PRIMARY KEY)')
    await pair.target.query('CREATE SCHEMA shop; CREATE TABLE shop.broken (theirs text)')
    expect(await run('ask')).toMatchObject({ status: 'failed' })
    await pair.source.query('DROP TABLE broken')
    expect(await run('ask')).toMatchObject({ status: 'completed' })
    expect(reportedChanges).toEqual([])
    await pair.source.query('CREATE TABLE late (id integer PRIMARY KEY)')
    await run('ask')
    expect(reportedChanges).toEqual([{ stream: 'public.late', column: null, status: 'pending' }])
    const decided = { table: 'late', column: null, after: 'new table' } as const
    await run('ask', [{ ...decided, decision: 'rejected' }])
    await expect(pair.rows('late')).rejects.toThrow('does not exist')
    await run('ask', [{ ...decided, decision: 'accepted' }])
    expect(await pair.rows('late')).toEqual([])
    expect(reportedChanges.at(-1)).toEqual({ stream: 'public.late', column: null, status: 'applied' })
  })

  test('that makes a column nullable needs no decision', async () => {
    await pair.source.query('ALTER TABLE item ALTER COLUMN name SET NOT NULL')
    await run('ask')
    await pair.source.query('ALTER TABLE item ALTER COLUMN name DROP NOT NULL')
    expect(await run('ask')).toMatchObject({ status: 'completed' })
    expect(reportedChanges).toEqual([])
  })
})
