/** Names and keys that a target does not accept unchanged: each gets a stable name there. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { faultsOf, makeDatabasePair, numbers } from '@tributary/testing/engine/databases/database-pair.ts'

describe('a key that MySQL indexes only where its length is bounded', () => {
  test('of bytes or JSON arrives from PostgreSQL, identifies changes and deletions, and is compared byte by byte', async () => {
    await using pair = await makeDatabasePair('postgres', 'mysql', [
      `CREATE TABLE token (id bytea PRIMARY KEY, note text); INSERT INTO token VALUES ('\\x01', 'one'), ('\\x0100', 'two'), ('\\x6100ff0a09', 'three')`,
      `CREATE TABLE pair (id bytea, tag text, kind jsonb, PRIMARY KEY (id, tag, kind)); INSERT INTO pair VALUES ('\\x00', 'A', '{"a": 1}'), ('\\x00', 'a', '[]')`,
    ])
    const { source, target, run } = pair
    expect(faultsOf(await run())).toEqual({ 'public.pair': null, 'public.token': null })
    await source.run(
      `UPDATE token SET note = 'changed' WHERE id = '\\x0100'; DELETE FROM token WHERE id = '\\x01'; DELETE FROM pair WHERE tag = 'a'`,
    )
    expect(faultsOf(await run())).toEqual({ 'public.pair': null, 'public.token': null })
    expect(await target.rows('token')).toEqual(['["0100","changed"]', '["6100FF0A09","three"]'])
    expect(await target.rows('pair')).toEqual(['["00","A","{\\"a\\": 1}"]'])
  })

  test('of BINARY(16) arrives from MySQL', async () => {
    await using pair = await makeDatabasePair('mysql', 'mysql', [
      'CREATE TABLE thing (id BINARY(16) PRIMARY KEY, note TEXT)',
      `INSERT INTO thing VALUES (UNHEX('000102030405060708090A0B0C0D0E00'), 'one'), (UNHEX('FF0102030405060708090A0B0C0D0EFF'), 'two')`,
    ])
    const { source, target, run } = pair
    expect(faultsOf(await run())).toEqual({ thing: null })
    await source.run(`DELETE FROM thing WHERE note = 'two'`)
    expect(faultsOf(await run())).toEqual({ thing: null })
    expect(await target.rows('thing')).toEqual(['["000102030405060708090A0B0C0D0E00","one"]'])
  })
})

describe('names that a MySQL target takes for the same', () => {
  test('of columns each get one of their own, and every value arrives in its column', async () => {
    await using pair = await makeDatabasePair('postgres', 'mysql', [
      'CREATE TABLE odd (id int PRIMARY KEY, name text, "name " text, "Name" text, "UPPER" text, upper text, café text, cafe text, "name_" text)',
      `INSERT INTO odd VALUES (1, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')`,
      ...numbers('zuletzt'),
    ])
    const { source, target, run } = pair
    for (const _ of [1, 2]) {
      expect(faultsOf(await run())).toEqual({ 'public.odd': null, 'public.zuletzt': null })
      const { columns, rows } = await target.read('odd')
      expect(rows).toEqual([['1', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']])
      expect(columns.map((name) => name.replace(/_[0-9a-f]{6}$/u, '_#'))).toEqual([
        'id',
        'name',
        'name_#',
        'Name_#',
        'UPPER',
        'upper_#',
        'café',
        'cafe_#',
        'name_',
      ])
    }
    await source.run(`UPDATE odd SET "name " = 'changed'`)
    expect(faultsOf(await run())).toMatchObject({ 'public.odd': null })
    expect((await target.read('odd')).rows[0]?.[2]).toBe('changed')
  })

  test('of tables each get one of their own with their own rows and checkpoints, now and in a target of an earlier version', async () => {
    const names = ['thing', 'thing ', 'Thing', 'THING']
    await using pair = await makeDatabasePair('postgres', 'mysql', [
      ...numbers('lonely'),
      ...names.flatMap((name, at) => [
        `CREATE TABLE "${name}" (id int PRIMARY KEY, said text)`,
        `INSERT INTO "${name}" VALUES (1, '${at}')`,
      ]),
    ])
    const { source, target, run } = pair
    await run({ streams: ['public.lonely'] })
    for (const table of ['writer', 'state', 'table'])
      await target.run(`ALTER TABLE tributary_${table} CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
    const all = { 'public.lonely': null, ...Object.fromEntries(names.map((name) => [`public.${name}`, null])) }
    expect(faultsOf(await run())).toEqual(all)
    for (const name of names) await source.run(`INSERT INTO "${name}" VALUES (2, 'more')`)
    expect(faultsOf(await run())).toEqual(all)
    const called = await Promise.all(names.map((name) => target.nameOf(`public.${name}`)))
    expect(new Set(called.map((name) => name.toLowerCase())).size).toBe(4)
    for (const [at, name] of called.entries())
      expect(await target.rows(name)).toEqual([`["1","${at}"]`, '["2","more"]'])
  })
})

test.each(['postgres', 'mysql'] as const)(
  'tables of %s with the names of Tributary’s own tables are moved under another name',
  async (kind) => {
    await using pair = await makeDatabasePair(kind, kind, [
      'CREATE TABLE tributary_state (id int PRIMARY KEY)',
      'INSERT INTO tributary_state VALUES (7)',
      'CREATE TABLE source_tributary_state (id int PRIMARY KEY)',
      'INSERT INTO source_tributary_state VALUES (8)',
    ])
    const { target, run } = pair
    const outcome = await run()
    expect(Object.values(faultsOf(outcome))).toEqual([null, null])
    const [, ours] = [target, kind === 'postgres' ? 'public.tributary_state' : 'tributary_state']
    expect(await target.rows(await target.nameOf(ours))).toEqual(['["7"]'])
    expect(await target.nameOf(ours)).toMatch(/^source_tributary_state/u)
    expect((await target.read('tributary_state')).columns).toContain('checkpoint')
  },
)

test('[ENG-1] a row whose key the target cannot store is rejected once; later runs complete, find what was deleted, and name what is missing', async () => {
  await using pair = await makeDatabasePair('postgres', 'mysql', [
    `CREATE TABLE item (id text PRIMARY KEY, note text); INSERT INTO item VALUES ('a', '1'), ('b', '2'), (repeat('x', 800), 'long')`,
  ])
  const { source, target, logLines: told, run } = pair
  expect(await run()).toMatchObject({
    status: 'completed',
    streams: [{ progress: { rowsWritten: 2, rowsRejected: 1 } }],
  })
  await source.run(`DELETE FROM item WHERE id = 'b'; UPDATE item SET note = 'changed' WHERE id = 'a'`)
  for (const _ of [1, 2]) expect(await run()).toMatchObject({ status: 'completed' })
  expect(await target.rows('item')).toEqual(['["a","changed"]'])
  expect(told.join('\n')).toMatch(/public\.item: one row of the source has a key that the target cannot store/u)
})

describe('names that differ only in capitals', () => {
  const odd = `CREATE TABLE odd (id int PRIMARY KEY, name text, "Name" text, "NAME" text)`

  test('[ENG-1] keep them in PostgreSQL, which distinguishes them', async () => {
    await using pair = await makeDatabasePair('postgres', 'postgres', [
      odd,
      `INSERT INTO odd VALUES (1, 'a', 'b', 'c')`,
    ])
    expect(faultsOf(await pair.run())).toEqual({ 'public.odd': null })
    expect(await pair.target.read('odd')).toEqual({
      columns: ['id', 'name', 'Name', 'NAME'],
      rows: [['1', 'a', 'b', 'c']],
    })
  })

  test('[ENG-1] keep the names that an earlier release gave them, which the run reports', async () => {
    await using pair = await makeDatabasePair('postgres', 'postgres', [
      odd,
      `INSERT INTO odd VALUES (1, 'a', 'b', 'c')`,
    ])
    const { source, target, run } = pair
    await run()
    const former = `Name_${createHash('sha256').update('Name').digest('hex').slice(0, 6)}`
    await target.run(`ALTER TABLE "Shop".odd RENAME COLUMN "Name" TO "${former}"`)
    await source.run(`INSERT INTO odd VALUES (2, 'd', 'e', 'f')`)
    const { streams } = await run()
    expect(streams.map(({ targetNames }) => [targetNames?.table, targetNames?.columns])).toEqual([
      ['odd', [{ table: 'odd', column: 'Name', name: former }]],
    ])
    const { columns, rows } = await target.read('odd')
    expect([columns, rows.at(-1)]).toEqual([
      ['id', 'name', former, 'NAME'],
      ['2', 'd', 'e', 'f'],
    ])
  })
})
