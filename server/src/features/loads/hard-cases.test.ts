import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  LoadClient,
  loadDatabases,
  planForLoads,
  type PlanFixture,
  type TestSheet,
} from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let plan: PlanFixture
let user: LoadClient
let admin: LoadClient
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
  user = new LoadClient(app.as.user)
  admin = new LoadClient(app.as.admin)
})
afterEach(() => app[Symbol.asyncDispose]())

const n = (written: string): SheetCell => ({ n: written })
const amounts = (...those: readonly string[]): TestSheet => ({
  columns: ['Amount'],
  rows: those.map((amount) => [n(amount)]),
})
const table = 'B2SBudget2026'

describe.each(loadDatabases.slice(0, 2))('in $name', ({ name, open }) => {
  test('[ENG-5] one of several concurrent undos of a load succeeds, and the others receive an error', async () => {
    const { rowsOf } = await open(app)
    await user.load({ versionId: plan.versionId }, amounts('1'))
    const { Id } = await user.load({ versionId: plan.versionId }, amounts('2'))
    const replies = await Promise.all([admin.undo(Id), admin.undo(Id), user.undo(Id)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const messages = replies.flatMap(({ status, body }) => (status === 409 ? [body.message] : []))
    expect(messages).toEqual(Array(2).fill('This load has ended (it was undone). Begin another one.'))
    expect((await rowsOf(table, ['Amount'])).map(([amount]) => Number(amount))).toEqual([1])
    expect((await app.as.admin.call(loads.list)).body.map(({ Status }) => Status)).toEqual([
      'LOADED',
      'UNDONE',
      'LOADED',
    ])
  })

  test('[ENG-5] of a concurrent undo and load of the same slice one succeeds and the other receives an error; rows are never mixed', async () => {
    const { rowsOf } = await open(app)
    for (let race = 1; race <= 3; race++) {
      await user.load({ versionId: plan.versionId }, amounts('1'))
      const { Id } = await user.load({ versionId: plan.versionId }, amounts('2', '2'))
      const loadId = await admin.begin({ versionId: plan.versionId }, amounts('3', '3', '3'))
      const { Seen } = await admin.check(loadId)
      const [undone, loaded] = await Promise.all([user.undo(Id), admin.commit(loadId, Seen)])
      const outcome =
        undone.status === 200 ? [200, loaded.body.code, [1]] : [undone.body.code, loaded.status, [3, 3, 3]]
      expect([
        [200, 'sliceChanged', [1]],
        ['undoConflict', 200, [3, 3, 3]],
      ]).toContainEqual(outcome)
      expect((await rowsOf(table, ['Amount'])).map(([amount]) => Number(amount))).toEqual(outcome[2])
    }
  })

  test('[ENG-5] the longest cell, the widest sheet and the oldest dates arrive unchanged', async () => {
    const { rowsOf } = await open(app)
    const long = `${'🙂é'.repeat(10_922)}x`
    const names = Array.from({ length: 198 }, (_, at) => `Figure ${at}`)
    const row: SheetCell[] = [long, { d: '1900-02-28' }, ...names.map((_, at) => n(`${at}.5`))]
    const sheet = { columns: ['Note', 'Day', ...names], rows: [row, ['', { d: '1000-01-01' }]] }
    const receipt = await user.load({ versionId: plan.versionId }, sheet)
    expect([long.length, receipt.Status, receipt.Totals.length]).toEqual([32_767, 'LOADED', names.length])
    const found = await rowsOf(table, ['Note', 'Day', `Figure ${names.length - 1}`])
    expect(found.map(([note, day, figure]) => [note, day, figure === null ? null : Number(figure)])).toEqual(
      expect.arrayContaining([
        [long, '1900-02-28', names.length - 0.5],
        [null, '1000-01-01', null],
      ]),
    )
    expect((await user.load({ versionId: plan.versionId }, sheet)).Changes).toBe(0)
  })

  test('[ENG-5] a column whose type was changed in the database is named, and nothing is written', async () => {
    const { rowsOf, run } = await open(app)
    await user.load({ versionId: plan.versionId }, amounts('1'))
    const loadId = await user.begin({ versionId: plan.versionId }, amounts('2'))
    const { Seen } = await user.check(loadId)
    await run((at) =>
      name === 'PostgreSQL'
        ? `ALTER TABLE ${at(table)} ALTER COLUMN "Amount" TYPE date USING '2026-01-01'`
        : `ALTER TABLE ${at(table)} DROP COLUMN Amount, ADD COLUMN Amount date DEFAULT '2026-01-01'`,
    )
    const refused = await user.commit(loadId, Seen)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      422,
      'settingsWrong',
      expect.stringContaining('‘Amount’'),
    ])
    const checked = await app.as.user.call(loads.check, { params: { loadId } })
    expect(checked.status).toBe(422)
    expect(await rowsOf(table, ['Amount'])).toEqual([['2026-01-01']])
    await expect(rowsOf(table, ['Amount__text'])).rejects.toThrow(/not exist|was changed while/u)
  })

  test('[ENG-5] a column that was dropped in the database is restored by the next load', async () => {
    const { rowsOf, run } = await open(app)
    await user.load({ versionId: plan.versionId }, amounts('1'))
    await run((at) => `ALTER TABLE ${at(table)} DROP COLUMN ${name === 'PostgreSQL' ? '"Amount"' : 'Amount'}`)
    expect(await user.load({ versionId: plan.versionId }, amounts('2'))).toMatchObject({
      Status: 'LOADED',
      RowsBefore: 1,
    })
    expect((await rowsOf(table, ['Amount'])).map(([amount]) => Number(amount))).toEqual([2])
  })

  test('[ENG-5] a full target refuses the load with a message, keeps its rows, and accepts the load once it has space', async () => {
    const { rowsOf, run } = await open(app)
    await user.load({ versionId: plan.versionId }, amounts('1'))
    const loadId = await user.begin({ versionId: plan.versionId }, amounts('2'))
    const { Seen } = await user.check(loadId)
    if (name === 'PostgreSQL')
      await run(
        (
          at,
        ) => `CREATE FUNCTION plan.full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
          CREATE TRIGGER is_full BEFORE INSERT ON ${at(table)} FOR EACH ROW EXECUTE FUNCTION plan.full()`,
      )
    else
      await run(
        (at) =>
          `CREATE TRIGGER ${at('is_full')} BEFORE INSERT ON ${at(table)} FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full'`,
      )
    const refused = await user.commit(loadId, Seen)
    expect([refused.status, refused.body.code]).toEqual([422, 'settingsWrong'])
    expect(refused.body.message).not.toMatch(/unexpected/iu)
    expect((await user.read(loadId)).Status).toBe('FAILED')
    expect((await rowsOf(table, ['Amount'])).map(([amount]) => Number(amount))).toEqual([1])
    await run((at) =>
      name === 'PostgreSQL' ? `DROP TRIGGER is_full ON ${at(table)}` : `DROP TRIGGER ${at('is_full')}`,
    )
    expect(await user.load({ versionId: plan.versionId }, amounts('2'))).toMatchObject({
      Status: 'LOADED',
      RowsBefore: 1,
    })
  })
})

test('[ENG-5] a read-only target refuses with a message before anything is changed', async () => {
  const { rowsOf, run } = (await loadDatabases[0]?.open(app)) ?? { rowsOf: () => [], run: () => undefined }
  await user.load({ versionId: plan.versionId }, amounts('1'))
  await run(
    () =>
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
  )
  const loadId = await user.begin({ versionId: plan.versionId }, amounts('2'))
  const refused = await app.as.user.send<{ code: string; message: string }>('POST', `/api/loads/${loadId}/check`)
  expect([refused.status, refused.body.code]).toEqual([422, 'settingsWrong'])
  expect(await rowsOf(table, ['Amount'])).toHaveLength(1)
})

test('[ENG-5] numbers out of range and blank headings are reported at their cells', async () => {
  await loadDatabases[0]?.open(app)
  const rows: SheetCell[][] = [
    [n('1e308'), 'x'],
    [n('-1.7976931348623157e+308'), null],
    [n('5e-324'), null],
  ]
  const loadId = await user.begin({ versionId: plan.versionId }, { columns: ['Amount', '  \u00a0 '], rows })
  const { Errors, Notices } = await user.check(loadId)
  expect(Errors.map(({ Cell: cell }) => cell)).toEqual(['B1', 'A2', 'A3'])
  expect(Notices).toEqual([expect.stringContaining('One number has more than 20 digits after the point')])
  const blank = await user.begin({ versionId: plan.versionId }, { columns: ['Amount', '   '], rows: [[n('1'), null]] })
  expect((await user.check(blank)).Errors).toEqual([])
})

test('[ENG-5] a sheet with accounts loads before a connected source has moved its chart of accounts, and the check says that accounts are not checked', async () => {
  await loadDatabases[0]?.open(app)
  const organisationId = app.harbour.id
  const books = {
    organisationId,
    key: 'new-books',
    type: 'xero',
    name: 'New books',
    originalName: 'New books',
    status: 'CONNECTED',
  } as const
  const { id } = await app.store.within(organisationId, (db) =>
    db.insertInto('connector').values(books).returning('id').executeTakeFirstOrThrow(),
  )
  const sheet: TestSheet = { columns: ['Account', 'Amount'], rows: [['200', n('1')]] }
  const loadId = await user.begin({ versionId: plan.versionId }, sheet)
  const { Errors, Notices, Seen } = await user.check(loadId)
  expect([Errors, Notices]).toEqual([
    [],
    [
      '‘New books’ has not loaded its chart of accounts yet. The accounts of this sheet are not checked against a chart of accounts. Refresh it first if you want the accounts to be checked.',
    ],
  ])
  expect((await user.commit(loadId, Seen)).status).toBe(200)
  await app.store.within(organisationId, (db) => db.deleteFrom('connector').where('id', '=', id).execute())
})
