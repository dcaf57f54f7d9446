/** Attacks by SQL under the logins of a person who reads one of two subareas. */
import { assignments } from '@tributary/contract/assignments'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLoginFor, observe, runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { structureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { ensureWarehouse } from '../warehouse/warehouse.ts'
import { ensurePrincipal } from './principals.ts'
import { principalRoles } from './role-names.ts'

const table = 'excel."B2SBudget2026"'
const hidden = '777777'

let app: TestApp
/** The connections of the person, by kind of login. */
const logins: Record<string, ClientConfig> = {}
const names = { writer: '', reader: '', admin: '', otherAccess: '', ownAccess: '', otherDatabase: '' }

beforeAll(async () => {
  app = await testApp()
  const plan = await planForLoads(app)
  const make = structureCalls(app)
  const everything = await make.group('Everything')
  const all = { organisationId: app.harbour.id, groupId: everything, areaId: null, subareaId: null }
  await app.store.within(app.harbour.id, (db) => db.insertInto('groupPair').values(all).execute())
  const ids = [plan.groupId, everything]
  await app.as.admin.call(assignments.setGroupsOfUser, { params: { userId: app.idOf('admin') }, body: { ids } })
  const admin = new LoadClient(app.as.admin)
  const sheet = (...amounts: number[]) => ({
    columns: ['Amount'],
    rows: amounts.map((amount) => [{ n: String(amount) }]),
  })
  await admin.load({ versionId: plan.versionId }, sheet(1, 2))
  const cellar = { entity: 'One', area: 'Kitchen', subarea: 'Cellar', milestone: 'June' }
  await admin.load({ versionId: plan.versionId }, sheet(Number(hidden)), cellar)
  await runAs(await writerOf(app), `ANALYZE ${table}`)
  const user = app.idOf('user')
  const sql = await createLoginFor(app, user)
  await createLoginFor(app, app.idOf('admin'))
  const roles = async (userId: string) => {
    const { principal, password } = await app.store.within(app.harbour.id, (db) =>
      ensurePrincipal(app.services, db, app.harbour.id, userId),
    )
    return { ...principalRoles(sql.database ?? '', principal.id), password }
  }
  const own = await roles(user)
  Object.assign(logins, { sql, portal: { ...sql, user: own.portal, password: own.password } })
  const { row } = await ensureWarehouse(app.services, app.harbour.id)
  const other = await ensureWarehouse(app.services, app.summit.id)
  Object.assign(names, {
    writer: row.writerName,
    reader: row.readerName,
    admin: app.services.warehouse.admin.user,
    otherAccess: (await roles(app.idOf('admin'))).access,
    ownAccess: own.access,
    otherDatabase: other.row.databaseName,
  })
})
afterAll(() => app[Symbol.asyncDispose]())

describe.each(['sql', 'portal'])('under the %s login', (kind) => {
  /** In read-write mode, which every login may switch to. */
  const send = (text: string) => observe({ ...logins[kind], options: '-c default_transaction_read_only=off' }, text)
  const attempt = async (text: string) => (await send(text)).rows

  /** The statements that did not fail for lack of a right, with what happened instead. */
  const listNotRefused = async (statements: readonly string[]) => {
    const refusal = /permission denied|must be (?:superuser|owner)|does not exist|would be affected/
    const found: string[] = []
    for (const statement of statements) {
      const outcome = await attempt(statement).then(() => 'done', String)
      if (!refusal.test(outcome)) found.push(`${statement}: ${outcome}`)
    }
    return found
  }

  test('[SEE-2] only the rows of the person’s slices are visible, however they are read', async () => {
    const shown = [{ Amount: '1' }, { Amount: '2' }]
    for (const query of [
      `SELECT "Amount"::int::text AS "Amount" FROM ${table} ORDER BY 1`,
      `SELECT "Amount"::int::text AS "Amount" FROM ${table} TABLESAMPLE SYSTEM (100) ORDER BY 1`,
      `SELECT "Amount"::int::text AS "Amount" FROM ${table} WHERE "Amount" > 0 OR "Amount" IS NULL OR true ORDER BY 1`,
      `SELECT DISTINCT a."Amount"::int::text AS "Amount" FROM ${table} a RIGHT JOIN ${table} b ON true WHERE a."Amount" IS NOT NULL ORDER BY 1`,
      `WITH all_rows AS MATERIALIZED (SELECT * FROM ${table}) SELECT "Amount"::int::text AS "Amount" FROM all_rows ORDER BY 1`,
      `SET ROLE ${names.ownAccess}; SELECT "Amount"::int::text AS "Amount" FROM ${table} ORDER BY 1`,
      `SELECT set_config('tributary.organisation', '*', false), set_config('row_security', 'on', false); SELECT "Amount"::int::text AS "Amount" FROM ${table} ORDER BY 1`,
      `SELECT unnest(xpath('//*[local-name() = ''Amount'']/text()', query_to_xml('SELECT "Amount"::int FROM ${table} ORDER BY 1', true, false, '')))::text AS "Amount"`,
    ]) {
      expect([query, await attempt(query)]).toEqual([query, shown])
    }
    expect(await attempt(`SELECT count(*)::int AS n FROM ${table}`)).toEqual([{ n: 2 }])
    expect(await attempt(`SELECT max("Amount")::int::text AS n FROM ${table}`)).toEqual([{ n: '2' }])
  })

  test('[SEE-2] operators and functions that raise errors never see a hidden value', async () => {
    // Neither divides by zero nor fails to cast, because hidden rows are filtered first.
    expect(
      await attempt(
        `SELECT "Amount"::int::text AS "Amount" FROM ${table} WHERE 1 / ("Amount" - ${hidden}) <> 5 ORDER BY 1`,
      ),
    ).toHaveLength(2)
    for (const condition of [
      `("Amount"::text || ' leaked')::int = 1`,
      `CAST('x' || "Amount" AS date) IS NOT NULL`,
      `pg_input_is_valid("Amount"::text, 'int') AND jsonb_path_exists(to_jsonb("Amount"), '$.a ? (@ == 1)') AND ("Amount" || 'x')::numeric > 0`,
    ]) {
      const error: unknown = await attempt(`SELECT 1 FROM ${table} WHERE ${condition}`).catch(
        (reason: unknown) => reason,
      )
      expect(JSON.stringify([String(error), error])).not.toContain(hidden)
    }
    const { notices } = await send(
      `DO $$ DECLARE r record; BEGIN FOR r IN SELECT * FROM ${table} LOOP RAISE NOTICE '%', r; END LOOP; END $$`,
    )
    expect(notices).toHaveLength(2)
    expect(notices.join(' ')).not.toContain(hidden)
  })

  test('[SEE-2] statistics, plans and the activity of others show no value of a hidden row', async () => {
    expect(await attempt(`SELECT * FROM pg_stats WHERE tablename = 'B2SBudget2026'`)).toEqual([])
    expect(await attempt(`SELECT * FROM pg_stats_ext`)).toEqual([])
    await expect(attempt('SELECT * FROM pg_statistic')).rejects.toThrow('permission denied')
    // A plan shows how many rows were filtered out, and never their values.
    expect(JSON.stringify(await attempt(`EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM ${table}`))).not.toContain(hidden)
    const activity = await attempt(`SELECT DISTINCT query FROM pg_stat_activity WHERE usename <> current_user`)
    expect(activity.every(({ query }) => query === '<insufficient privilege>')).toBe(true)
  })

  test('[SEE-2] the rights of others are neither readable nor changeable', async () => {
    expect(await attempt('SELECT count(*)::int AS n FROM tributary_access.my_slices')).toEqual([{ n: 1 }])
    expect(await attempt('SELECT * FROM tributary_access.me')).toEqual([{ reads_all: false }])
    const notRefused = await listNotRefused([
      'SELECT * FROM tributary_access.reader',
      'SELECT * FROM tributary_access.password',
      'UPDATE tributary_access.reader SET reads_all = true',
      'UPDATE tributary_access.me SET reads_all = true',
      'CREATE VIEW tributary_access.mine AS SELECT 1',
      'SELECT * FROM excel.tributary_row_right',
      'SELECT * FROM excel.tributary_pair_right',
      'SELECT * FROM excel.tributary_table',
      'SELECT * FROM excel."tributary_slice_B2SBudget2026"',
    ])
    expect(notRefused).toEqual([])
  })

  test('[SEE-2] the login takes no other role, and changes nothing', async () => {
    const notRefused = await listNotRefused([
      ...[names.writer, names.reader, names.admin, names.otherAccess].flatMap((role) => [
        `SET ROLE "${role}"`,
        `SET SESSION AUTHORIZATION "${role}"`,
        `SELECT set_config('role', '${role}', false)`,
        `SELECT set_config('session_authorization', '${role}', false)`,
        `GRANT "${names.ownAccess}" TO "${role}"`,
      ]),
      `GRANT "${names.otherAccess}" TO CURRENT_USER`,
      `SET row_security = off; SELECT * FROM ${table}`,
      'ALTER ROLE CURRENT_USER CONNECTION LIMIT 100',
      'ALTER ROLE CURRENT_USER SUPERUSER',
      `SET temp_file_limit = '40GB'`,
      `INSERT INTO ${table} ("Amount") VALUES (1)`,
      `UPDATE ${table} SET "Amount" = 0`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
      `BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
      `SELECT * FROM ${table} FOR UPDATE`,
      `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`,
      `DROP POLICY tributary_rows ON ${table}`,
      ...['excel', 'public', 'tributary_access'].flatMap((schema) => [
        `CREATE TABLE ${schema}.mine (id int)`,
        `CREATE FUNCTION ${schema}.leak(x numeric) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RAISE NOTICE ''%'', x; RETURN true; END'`,
      ]),
      'CREATE SCHEMA mine',
      'CREATE TEMP TABLE mine (id int)',
      `CREATE FUNCTION pg_temp.leak(x numeric) RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
      'CREATE EXTENSION dblink SCHEMA pg_catalog',
      `SELECT dblink('', 'SELECT 1')`,
      `COPY ${table} TO PROGRAM 'cat'`,
      `COPY ${table} TO '/tmp/rows'`,
      `COPY ${table} FROM '/etc/passwd'`,
      `SELECT pg_read_file('/etc/passwd')`,
      `SELECT pg_ls_dir('.')`,
      ...['lo_create(0)', 'lo_creat(-1)', `lo_from_bytea(0, 'x')`, `lo_import('/etc/passwd')`].map(
        (call) => `SELECT ${call}`,
      ),
      ...['pg_advisory_lock', 'pg_advisory_xact_lock', 'pg_try_advisory_lock'].map(
        (lock) => `SELECT ${lock}(hashtext('tributary'), hashtext('excel'))`,
      ),
      `SELECT pg_logical_emit_message(false, 'a', 'b')`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> current_user AND usename IS NOT NULL`,
    ])
    expect(notRefused).toEqual([])
    expect((await send(`COPY (SELECT "Amount"::int FROM ${table}) TO STDOUT`)).copied).toBe('1\n2\n')
  })

  test('[SEE-2] no other database opens: not another organisation’s, not the store', async () => {
    for (const database of [names.otherDatabase, 'postgres', 'template1'])
      await expect(runAs({ ...logins[kind], database }, 'SELECT 1')).rejects.toThrow(/permission denied for database/)
  })
})
