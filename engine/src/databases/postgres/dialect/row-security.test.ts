import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { load, writing } from '@tributary/testing/conformance/target/target-bench.ts'
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

test('[SEE-2] row level security, its policies and the grants survive a full refresh that swaps the table', async () => {
  const main = table('Limited rows', [id, name])
  const role = `reader_${randomUUID().slice(0, 8)}`
  const rowsOfRole = async () => {
    const at = await bench.find(main)
    await bench.client.query(`SET ROLE ${role}`)
    const { rows } = await bench.client.query(`SELECT name FROM ${at} ORDER BY id`)
    await bench.client.query('RESET ROLE')
    return rows
  }
  const refreshed = (target: Parameters<typeof load>[0], rows: string[][]) =>
    load(target, stream(main), { mode: replace, batches: [batch(main, rows)] })
  await writing(bench, async (target) => {
    await refreshed(target, [['1', 'shown']])
    const at = await bench.find(main)
    await bench.client
      .query(`CREATE ROLE ${role}; GRANT USAGE ON SCHEMA ${quote(bench.schema)} TO ${role}; GRANT SELECT ON ${at} TO ${role};
      ALTER TABLE ${at} ENABLE ROW LEVEL SECURITY; CREATE TABLE ${quote(bench.schema)}.shown (name text); GRANT SELECT ON ${quote(bench.schema)}.shown TO ${role};
      INSERT INTO ${quote(bench.schema)}.shown VALUES ('shown');
      CREATE POLICY "some rows" ON ${at} FOR SELECT TO PUBLIC USING (name IN (SELECT name FROM ${quote(bench.schema)}.shown));
      CREATE POLICY never ON ${at} AS RESTRICTIVE TO ${role} USING (id <> 9) WITH CHECK (id < 5)`)
    const before = await value(`SELECT '${at}'::regclass::oid`)
    await refreshed(target, [
      ['1', 'shown'],
      ['2', 'hidden'],
      ['9', 'shown'],
    ])
    expect(await value(`SELECT '${at}'::regclass::oid`)).not.toBe(before)
  })
  expect(await rowsOfRole()).toEqual([{ name: 'shown' }])
  const { rows } = await bench.client.query(
    `SELECT policyname, permissive, cmd, roles::text, with_check FROM pg_policies WHERE schemaname = $1 ORDER BY policyname`,
    [bench.schema],
  )
  expect(rows).toEqual([
    { policyname: 'never', permissive: 'RESTRICTIVE', cmd: 'ALL', roles: `{${role}}`, with_check: '(id < 5)' },
    { policyname: 'some rows', permissive: 'PERMISSIVE', cmd: 'SELECT', roles: '{public}', with_check: null },
  ])
  await bench.client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
})
