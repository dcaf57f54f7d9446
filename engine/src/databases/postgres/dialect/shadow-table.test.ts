import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { load, newWriter, writing } from '@tributary/testing/conformance/target/target-bench.ts'
import { quote } from '../types.ts'
import { makePostgresBench, type PostgresBench } from '@tributary/testing/engine/databases/postgres-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 20 })
const replace = { kind: 'replace', resume: false } as const

let bench: PostgresBench
beforeAll(async () => {
  bench = await makePostgresBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

const value = async (sql: string): Promise<unknown> =>
  Object.values((await bench.client.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0]

test('grants, comments and people’s own indexes survive a full refresh, and names stay as they were', async () => {
  const main = table('Swap me', [id, name])
  const role = `reader_${randomUUID().slice(0, 8)}`
  await writing(bench, async (target) => {
    await load(target, stream(main), { mode: replace, batches: [batch(main, [['1', 'old']])] })
    const at = await bench.find(main)
    await bench.client
      .query(`CREATE ROLE ${role}; GRANT SELECT ON ${at} TO ${role} WITH GRANT OPTION; GRANT SELECT ON ${at} TO PUBLIC;
      COMMENT ON TABLE ${at} IS 'it''s ours'; COMMENT ON COLUMN ${at}.name IS 'a name'; CREATE INDEX "by name" ON ${at} (lower(name) text_pattern_ops) WHERE name <> ''; CREATE UNIQUE INDEX once ON ${at} (name)`)
    const before = await value(`SELECT '${at}'::regclass::oid`)
    await load(target, stream(main), {
      mode: replace,
      batches: [
        batch(main, [
          ['1', 'new'],
          ['2', 'more'],
        ]),
      ],
    })
    expect(await value(`SELECT '${at}'::regclass::oid`)).not.toBe(before)
    expect(
      await value(
        `SELECT has_table_privilege('${role}', '${at}', 'SELECT WITH GRANT OPTION') AND obj_description('${at}'::regclass) = 'it''s ours' AND col_description('${at}'::regclass, 2) = 'a name'`,
      ),
    ).toBe(true)
    expect(
      await value(
        `SELECT string_agg(indexname, ',' ORDER BY indexname) FROM pg_indexes WHERE schemaname = '${bench.schema}' AND tablename = 'Swap me'`,
      ),
    ).toBe('Swap me_pkey,by name,once')
  })
  expect(await bench.rows(main)).toEqual([
    ['1', 'new'],
    ['2', 'more'],
  ])
  await bench.client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
})

test('[SEE-7] views on the table do not slow a full refresh down: they keep definition, options, grants, comments and readers', async () => {
  const [main, other] = [table('fast', [id, name]), table('fast other', [id])]
  const role = `reader_${randomUUID().slice(0, 8)}`
  await writing(bench, async (target) => {
    await load(target, stream(other), { mode: replace, batches: [batch(other, [['1']])] })
    await load(target, stream(main), { mode: replace, batches: [batch(main, [['1', 'old']])] })
    const [at, joined] = [await bench.find(main), await bench.find(other)]
    const schema = quote(bench.schema)
    await bench.client.query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA ${schema} TO ${role};
      CREATE VIEW ${schema}."inner view" WITH (security_invoker = true, security_barrier) AS SELECT m.id, m.name FROM ${at} m JOIN ${joined} o USING (id);
      CREATE VIEW ${schema}.outer_view AS SELECT count(*) AS rows, min(name) AS first FROM ${schema}."inner view";
      GRANT SELECT ON ${schema}."inner view" TO PUBLIC; GRANT SELECT ON ${schema}.outer_view TO ${role} WITH GRANT OPTION;
      COMMENT ON VIEW ${schema}.outer_view IS 'it''s a view'; COMMENT ON COLUMN ${schema}.outer_view.first IS 'the first'`)
    const described = `SELECT jsonb_build_array(pg_get_viewdef('${schema}."inner view"'::regclass), pg_get_viewdef('${schema}.outer_view'::regclass),
      (SELECT reloptions FROM pg_class WHERE oid = '${schema}."inner view"'::regclass), has_table_privilege('${role}', '${schema}.outer_view', 'SELECT WITH GRANT OPTION'),
      has_table_privilege('${role}', '${schema}."inner view"', 'SELECT'), obj_description('${schema}.outer_view'::regclass), col_description('${schema}.outer_view'::regclass, 2))`
    const [before, table] = [await value(described), await value(`SELECT '${at}'::regclass::oid`)]
    await using reader = await readRepeatedly(`SELECT first FROM ${schema}.outer_view`)
    for (let refresh = 0; refresh < 5; refresh += 1)
      await load(target, stream(main), { mode: replace, batches: [batch(main, [['1', `new ${refresh}`]])] })
    expect(await value(`SELECT '${at}'::regclass::oid`)).not.toBe(table)
    expect(await value(described)).toEqual(before)
    expect(await value(`SELECT first FROM ${schema}.outer_view`)).toBe('new 4')
    expect(await reader.stop()).toEqual({ failures: [], isConsistent: true })
  })
  await bench.client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
})

/** Reads a single value without a pause, as a report would. */
async function readRepeatedly(sql: string) {
  const client = new pg.Client({ ...inject('postgres'), database: bench.client.database })
  await client.connect()
  const failures: string[] = []
  const values = new Set<unknown>()
  const stopped = new AbortController()
  const reading = (async () => {
    while (!stopped.signal.aborted)
      await client.query<Record<string, unknown>>(sql).then(
        ({ rows }) => values.add(Object.values(rows[0] ?? {})[0]),
        (error: unknown) => failures.push(String(error)),
      )
  })()
  const stop = async () => {
    stopped.abort()
    await reading
    return { failures, isConsistent: !values.has(null) && !values.has(undefined) }
  }
  return { stop, [Symbol.asyncDispose]: async () => (await stop(), await client.end()) }
}

test('[SEE-7] a table with a materialised view, or with a view that has a trigger, is refilled and keeps it', async () => {
  const main = table('refilled', [id, name])
  await writing(bench, async (target) => {
    await load(target, stream(main), { mode: replace, batches: [batch(main, [['1', 'old']])] })
    const at = await bench.find(main)
    await bench.client.query(
      `CREATE VIEW plain_view AS SELECT name FROM ${at}; CREATE MATERIALIZED VIEW kept_view AS SELECT name FROM plain_view`,
    )
    const before = await value(`SELECT '${at}'::regclass::oid`)
    await load(target, stream(main), { mode: replace, batches: [batch(main, [['2', 'new']])] })
    expect(await value(`SELECT '${at}'::regclass::oid`)).toBe(before)
    await bench.client.query('REFRESH MATERIALIZED VIEW kept_view')
    expect(await value('SELECT name FROM kept_view')).toBe('new')
  })
})

test('a view on the table survives a full refresh and shows the new rows', async () => {
  const main = table('viewed', [id, name])
  await writing(bench, async (target) => {
    await load(target, stream(main), {
      mode: replace,
      batches: [
        batch(main, [
          ['1', 'old'],
          ['2', 'old'],
        ]),
      ],
    })
    await bench.client.query(`CREATE VIEW names AS SELECT name FROM ${await bench.find(main)}`)
    await load(target, stream(main), { mode: replace, batches: [batch(main, [['2', 'new']])] })
  })
  expect((await bench.client.query('SELECT * FROM names')).rows).toEqual([{ name: 'new' }])
})

test('a reader in the middle of a long query does not stop a full refresh, and reads the former rows to its end', async () => {
  const main = table('read for long', [id, name])
  await writing(bench, async (target) => {
    await load(target, stream(main), { mode: replace, batches: [batch(main, [['1', 'old']])] })
    const at = await bench.find(main)
    await bench.client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM ${at}`)
    const refreshed = load(target, stream(main), { mode: replace, batches: [batch(main, [['1', 'new']])] })
    // The reader ends once the refresh has been seen to wait for its lock.
    for (let waits = 0; waits === 0;)
      waits = Number(
        await value(`SELECT count(*)::int FROM pg_locks WHERE NOT granted AND relation = '${at}'::regclass`),
      )
    expect(await value(`SELECT name FROM ${at}`)).toBe('old')
    await bench.client.query('COMMIT')
    await refreshed
  })
  expect(await bench.rows(main)).toEqual([['1', 'new']])
})

test('a key of other columns loads the table anew under the new key', async () => {
  const line = column('line', { kind: 'integer', bytes: 4 }, false)
  const before = table('rekeyed', [id, line])
  const after = table('rekeyed', [id, line], ['id', 'line'])
  await writing(bench, async (target) => {
    await load(target, stream(before), { mode: replace, batches: [batch(before, [['1', '1']])] })
    await target.prepare(stream(after))
    expect((await target.state(stream(after))).checkpoint).toBeNull()
    await load(target, stream(after), {
      mode: replace,
      batches: [
        batch(after, [
          ['1', '1'],
          ['1', '2'],
        ]),
      ],
    })
    await load(target, stream(after), { batches: [batch(after, [['1', '3']])] })
  })
  expect(await bench.rows(after)).toHaveLength(3)
})

test('a key column that becomes text asks for a person, in words', async () => {
  const after = table('retyped', [column('id', { kind: 'text' }, false)])
  const before = table('retyped', [id])
  await writing(bench, async (target) => {
    await load(target, stream(before), { batches: [batch(before, [['1']])] })
    await expect(target.prepare(stream(after))).rejects.toMatchObject({
      kind: 'settings',
      notice: expect.stringContaining('‘id’'),
    })
  })
})

test('a table that somebody else made, or that another connector fills, is never touched', async () => {
  await bench.client.query(`CREATE TABLE ${quote(bench.schema)}.theirs (id integer)`)
  const theirs = table('theirs', [id])
  const mine = table('mine', [id])
  await writing(bench, (target) => load(target, stream(mine), { batches: [batch(mine, [['1']])] }))
  await writing(bench, async (target) => {
    await expect(target.prepare(stream(theirs))).rejects.toMatchObject({
      kind: 'settings',
      notice: expect.stringContaining('‘theirs’'),
    })
    await expect(target.prepare(stream(mine))).rejects.toMatchObject({
      kind: 'settings',
      notice: expect.stringContaining('Another connector'),
    })
  })
  expect(await bench.rows(mine)).toEqual([['1']])
})

test('a table that somebody has dropped is made again and read from the beginning', async () => {
  const main = table('dropped by hand', [id])
  const writer = newWriter()
  await writing(bench, (target) => load(target, stream(main), { batches: [batch(main, [['1']])] }), writer)
  await bench.client.query(`DROP TABLE ${await bench.find(main)}`)
  await writing(
    bench,
    async (target) => {
      await target.prepare(stream(main))
      expect((await target.state(stream(main))).checkpoint).toBeNull()
    },
    writer,
  )
})

test('refused rows are kept in the target with their reason until a replacement has answered for them', async () => {
  const main = table('refused', [id, name])
  const kept = (): Promise<unknown> =>
    value(
      `SELECT json_agg(json_build_array(column_name, row)) FROM ${quote(bench.schema)}.tributary_reject WHERE table_name = 'refused'`,
    )
  const writer = newWriter()
  await writing(
    bench,
    (target) =>
      load(target, stream(main), {
        batches: [
          batch(main, [
            ['x', 'one'],
            ['2', 'two'],
          ]),
        ],
      }),
    writer,
  )
  expect(await kept()).toEqual([['id', { id: 'x', name: 'one' }]])
  await writing(
    bench,
    (target) =>
      load(target, stream(main), {
        mode: replace,
        batches: [
          batch(main, [
            ['1', 'one'],
            ['2', 'two'],
          ]),
        ],
      }),
    { ...writer, runId: randomUUID(), fence: writer.fence + 1 },
  )
  expect(await kept()).toBeNull()
})
