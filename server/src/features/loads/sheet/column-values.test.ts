import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { planningStructure } from '@tributary/contract/planning-structure'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import {
  LoadClient,
  planForLoads,
  type PlanFixture,
  saveDatabase,
  selectRows,
  type TestSheet,
  defaultSlice,
} from '@tributary/testing/server/excel/load-sheets.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let plan: PlanFixture
let user: LoadClient
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
  user = new LoadClient(app.as.user)
})
afterEach(() => app[Symbol.asyncDispose]())

const n = (written: string): SheetCell => ({ n: written })
const d = (written: string): SheetCell => ({ d: written })

test('[ENG-5] a column named after a helper table accepts only values of its first column', async () => {
  const rates: TestSheet = {
    columns: ['Code', 'Rate'],
    rows: [
      ['full', n('0.2')],
      ['low', n('0.07')],
    ],
  }
  await user.load({ helperTableId: plan.ratesId }, rates)
  const sheet: TestSheet = {
    columns: ['rates', 'Amount'],
    rows: [
      ['FULL', n('1')],
      ['none', n('2')],
    ],
  }
  const { Errors } = await user.check(await user.begin({ versionId: plan.versionId }, sheet))
  expect(Errors).toMatchObject([{ Cell: 'A3', Value: 'none', Message: expect.stringContaining('‘Rates’') }])
  await app.as.admin.call(planningStructure.changeHelperTable, {
    params: { helperTableId: plan.ratesId },
    body: { statusId: statusIds.locked },
  })
  const refused = await app.as.user.call(loads.begin, {
    body: { helperTableId: plan.ratesId, source: 'portal', workbook: 'w', sheet: 's', columns: ['Code'] },
  })
  expect([
    refused.status,
    (await app.as.user.call(loads.tables)).body.find(({ Kind }) => Kind === 'helperTable')?.MayWrite,
  ]).toEqual([422, false])
})

test('[ENG-5] an account must be active in the chart of accounts that a connector moved', async () => {
  const { connection, settings } =
    await sourceDatabase(`CREATE SCHEMA books; CREATE TABLE books.account (code text, status text);
    INSERT INTO books.account VALUES ('200', 'ACTIVE'), ('310', 'ARCHIVED')`)
  const { host, port, user: login, password, database } = settings as Record<string, string>
  const own = {
    connector: 'postgres',
    host: `${host}:${port}`,
    database,
    schema: 'plan',
    user: login,
    password,
    encryption: 'off',
  }
  await saveDatabase(app, own)
  const organisationId = app.harbour.id
  const books = {
    organisationId,
    key: 'books',
    type: 'xero',
    name: 'Books',
    originalName: 'Books',
    status: 'CONNECTED',
  } as const
  await app.store.within(organisationId, (db) => db.insertInto('connector').values(books).execute())
  const sheet: TestSheet = {
    columns: ['Account code', 'Amount'],
    rows: [
      [n('200'), n('1')],
      ['310', n('2')],
      ['999', n('3')],
    ],
  }
  const { Errors } = await user.check(await user.begin({ versionId: plan.versionId }, sheet))
  expect(Errors.map(({ Cell: cell, Message }) => [cell, Message.includes('chart of accounts')])).toEqual([
    ['A3', true],
    ['A4', true],
  ])
  expect(await selectRows(connection, 'SELECT count(*) FROM plan."B2SBudget2026"')).toEqual([['0']])
})

test('[ENG-5] a date column becomes a timestamp column when times arrive, and keeps its dates', async () => {
  const columns = ['When', 'Amount']
  await user.load({ versionId: plan.versionId }, { columns, rows: [[d('2026-01-31'), n('1')]] })
  const { Columns, Seen, Errors } = await (async () => {
    const loadId = await user.begin(
      { versionId: plan.versionId },
      { columns, rows: [[d('2026-02-01T08:30:00'), n('1')]] },
      { ...defaultSlice, milestone: 'July' },
    )
    const checked = await user.check(loadId)
    expect((await user.commit(loadId, checked.Seen)).status).toBe(200)
    return checked
  })()
  expect([Columns[0], Errors, Seen.length > 0]).toMatchObject([
    { Name: 'When', Type: 'moment', IsNew: false, IsWidened: true },
    [],
    true,
  ])
  const same = await user.load({ versionId: plan.versionId }, { columns, rows: [[d('2026-01-31'), n('1')]] })
  expect(same.Changes).toBe(0)
})
