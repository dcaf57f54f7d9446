/** An unreadable table or view at the source is reported with what to do, and every other table is moved. */
import { describe, expect, test } from 'vitest'
import type { DatabaseEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { faultsOf, makeDatabasePair, numbers } from '@tributary/testing/engine/databases/database-pair.ts'

describe('an object that the source cannot read', () => {
  test('is named with what to do, run after run, and every other table of MySQL arrives', async () => {
    await using pair = await makeDatabasePair('mysql', 'postgres', [
      ...numbers('a_first'),
      ...numbers('gone'),
      'CREATE VIEW b_broken AS SELECT id FROM gone',
      'DROP TABLE gone',
      ...numbers('c_last'),
      'CREATE VIEW d_subquery AS SELECT id, (SELECT id FROM c_last) AS other FROM a_first',
    ])
    const { target, run } = pair
    for (const _ of [1, 2]) {
      const outcome = await run()
      expect(faultsOf(outcome)).toEqual({
        a_first: null,
        b_broken: 'mysql.object_unreadable',
        c_last: null,
        d_subquery: 'mysql.object_unreadable',
      })
      expect(outcome).toMatchObject({
        status: 'failed',
        fault: {
          kind: 'settings',
          notice: expect.stringMatching(/b_broken: The source cannot read this view.*d_subquery: .*more than one row/u),
        },
      })
    }
    expect(await target.rows('c_last')).toHaveLength(2)
    expect(await target.read('b_broken')).toEqual({ columns: [], rows: [] })
  })

  test('is named with what to do, run after run, and every other table of PostgreSQL arrives', async () => {
    await using pair = await makeDatabasePair('postgres', 'postgres', [
      ...numbers('first'),
      'CREATE MATERIALIZED VIEW empty AS SELECT id FROM first WITH NO DATA',
      'CREATE VIEW divided AS SELECT 1 / (id - id) AS share FROM first',
      `CREATE FUNCTION complain() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'canary-complaint'; END $$`,
      'CREATE VIEW scolded AS SELECT complain() AS said FROM first',
      ...numbers('zuletzt'),
    ])
    const { source, target, run } = pair
    for (const _ of [1, 2]) {
      const outcome = await run()
      expect(faultsOf(outcome)).toEqual({
        'public.divided': 'postgres.object_unreadable',
        'public.empty': 'postgres.object_unreadable',
        'public.first': null,
        'public.scolded': 'postgres.object_unreadable',
        'public.zuletzt': null,
      })
      expect(outcome.fault).toMatchObject({
        kind: 'settings',
        notice: expect.stringMatching(/a division by zero \(error 22012\).*WITH NO DATA.*error P0001/su),
        remedy: 'REFRESH MATERIALIZED VIEW "public"."empty";',
      })
      expect(outcome.fault?.notice).not.toContain('canary')
    }
    expect(await target.rows('zuletzt')).toHaveLength(2)
    await source.run('REFRESH MATERIALIZED VIEW empty')
    expect(faultsOf(await run())).toMatchObject({ 'public.empty': null })
    expect(await target.rows('empty')).toHaveLength(2)
  })
})

test('a table with more columns than the target can have is named with what to do, and the others arrive', async () => {
  const wide = Array.from({ length: 1_100 }, (_, at) => `c${at} int`).join(', ')
  await using pair = await makeDatabasePair('postgres', 'mysql', [
    `CREATE TABLE a_wide (id int PRIMARY KEY, ${wide})`,
    ...numbers('zuletzt'),
  ])
  const { target, run } = pair
  for (const _ of [1, 2]) {
    const outcome = await run()
    expect(faultsOf(outcome)).toEqual({ 'public.a_wide': 'mysql.too_many_columns', 'public.zuletzt': null })
    expect(outcome.fault).toMatchObject({
      kind: 'settings',
      notice: expect.stringMatching(/a_wide.*1101 columns.*1017 at most.*Columns left out/u),
    })
  }
  expect(await target.rows('zuletzt')).toHaveLength(2)
})

test('where changes are asked about, what cannot be read or made stays a fault of its own table', async () => {
  const wide = Array.from({ length: 1_100 }, (_, at) => `c${at} int`).join(', ')
  await using pair = await makeDatabasePair('postgres', 'mysql', [
    `CREATE TABLE a_wide (id int PRIMARY KEY, ${wide})`,
    'CREATE MATERIALIZED VIEW b_empty AS SELECT 1 AS id WITH NO DATA',
    ...numbers('zuletzt'),
  ])
  for (const policy of ['ask', 'stop'] as const)
    expect(faultsOf(await pair.run({ schemaRules: { policy, decisions: [], reportChanges: () => {} } }))).toEqual({
      'public.a_wide': 'mysql.too_many_columns',
      'public.b_empty': 'postgres.object_unreadable',
      'public.zuletzt': null,
    })
})

test('what MySQL refuses for another reason belongs to its table, too', async () => {
  const texts = Array.from({ length: 900 }, (_, at) => `c${at} text`).join(', ')
  await using pair = await makeDatabasePair('postgres', 'mysql', [
    `CREATE TABLE a_texts (id int PRIMARY KEY, ${texts})`,
    ...numbers('zuletzt'),
  ])
  const { run } = pair
  expect(faultsOf(await run())).toEqual({ 'public.a_texts': 'mysql.table_refused', 'public.zuletzt': null })
})

test('a login refused by the target is distinguished from one refused by the source', async () => {
  await using pair = await makeDatabasePair('postgres', 'postgres', numbers('one'))
  const wrong = (end: DatabaseEnd, side: string): Readonly<Record<string, unknown>> => ({
    [`${side}.connectionString`]: {
      ...(end.properties[`${side}.connectionString`] as object),
      password: 'canary-wrong',
    },
  })
  const atTarget = await pair.run({}, wrong(pair.target, 'target'))
  const atSource = await pair.run({}, wrong(pair.source, 'source'))
  expect([atTarget.fault, atSource.fault]).toMatchObject([
    { kind: 'signIn', code: 'target.login_refused' },
    { kind: 'signIn', code: 'postgres.login_refused' },
  ])
})
