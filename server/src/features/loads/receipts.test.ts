import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteExpired } from '../../security/retention/delete-expired.ts'
import {
  LoadClient,
  planForLoads,
  type PlanFixture,
  type TestSheet,
  defaultSlice,
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
const budget = (amount: string): TestSheet => ({ columns: ['Line', 'Amount'], rows: [['line', n(amount)]] })

test('[ENG-5] receipts are visible to their owner and to administrators; other organisations get notFound', async () => {
  const mine = await admin.load({ versionId: plan.versionId }, budget('1'))
  const theirs = await user.load({ versionId: plan.versionId }, budget('2'))
  const listed = async (who: 'user' | 'admin') => (await app.as[who].call(loads.list)).body.map(({ Id }) => Id)
  expect([await listed('user'), await listed('admin')]).toEqual([[theirs.Id], [theirs.Id, mine.Id]])
  const reading = { params: { loadId: mine.Id } }
  expect((await app.as.user.call(loads.read, reading)).status).toBe(404)
  expect((await app.as.otherAdmin.call(loads.read, reading)).status).toBe(404)
  expect((await app.as.guest.call(loads.read, reading)).status).toBe(403)
  const foreign = { versionId: plan.versionId, source: 'portal', workbook: 'w', sheet: 's', columns: ['A'] }
  expect((await app.as.otherAdmin.call(loads.begin, { body: foreign })).status).toBe(404)
  const provider = await app.as.superadmin.call(loads.begin, {
    body: { ...foreign, comOrganisationId: app.harbour.id },
  })
  expect(provider.status).toBe(422)
})

test('[ENG-5] totals sum measures, not numeric codes; added and removed rows are shown as text', async () => {
  const columns = ['Account no.', 'Fiscal year', 'CostCentreCode', 'Number of days', 'Amount', 'Note', 'Is sure', 'Day']
  const row = (note: SheetCell, amount: string): SheetCell[] => [
    n('4000'),
    n('2026'),
    n('12'),
    n('3'),
    n(amount),
    note,
    true,
    { d: '2026-01-31' },
  ]
  await user.load({ versionId: plan.versionId }, { columns, rows: [row('a "quoted" {note}', '1.5'), row(null, '2')] })
  const { Id, Totals } = await user.load({ versionId: plan.versionId }, { columns, rows: [row('rent', '4')] })
  expect(Totals).toEqual([
    { Column: 'Number of days', Before: '6', After: '3' },
    { Column: 'Amount', Before: '3.5', After: '4' },
  ])
  const { body } = await app.as.user.call(loads.changes, { params: { loadId: Id } })
  const start = 'Account no.: 4000; Fiscal year: 2026; CostCentreCode: 12; Number of days: 3'
  expect(body.map(({ Kind, Old, New }) => [Kind, Old, New]).toSorted()).toEqual([
    ['added', null, `${start}; Amount: 4; Note: rent; Is sure: TRUE; Day: 2026-01-31`],
    ['removed', `${start}; Amount: 1.5; Note: a "quoted" {note}; Is sure: TRUE; Day: 2026-01-31`, null],
    ['removed', `${start}; Amount: 2; Is sure: TRUE; Day: 2026-01-31`, null],
  ])
  const file = await app.as.user.send<string>('GET', `/api/loads/${Id}/changes.csv`)
  expect(file.body).toContain(`,${start}; Amount: 4; Note: rent;`)
  expect(file.body).not.toContain('":"')
})

test('[ENG-5] an invalid cell is shown as the sheet shows it', async () => {
  await user.load({ helperTableId: plan.ratesId }, { columns: ['Rate'], rows: [[n('1')]] })
  const rows: SheetCell[][] = [[true], [{ d: '2026-01-31T13:05:00' }], ['x']]
  const { Errors } = await user.check(await user.begin({ helperTableId: plan.ratesId }, { columns: ['Rate'], rows }))
  expect(Errors.map(({ Value }) => Value)).toEqual(['TRUE', '2026-01-31 13:05:00', 'x'])
})

test('[SHELL-6] a receipt is readable only through its own organisation, even by a user who belongs to both', async () => {
  const { Id: loadId } = await admin.load({ versionId: plan.versionId }, budget('1'))
  const read = async (orgId: string) =>
    (await app.as.superadmin.call(loads.read, { params: { loadId }, query: { orgId } })).status
  expect([await read(app.harbour.id), await read(app.summit.id)]).toEqual([200, 404])
})

test('[ENG-5] loads are found by user, workbook, sheet, table and slice; uncommitted ones only by their owner', async () => {
  const theirs = await user.load({ versionId: plan.versionId }, budget('1'), { ...defaultSlice, milestone: 'July' })
  const mine = await admin.load({ versionId: plan.versionId }, budget('2'))
  const begun = await user.begin({ versionId: plan.versionId }, budget('3'))
  const find = async (who: 'user' | 'admin', search: string) => {
    const { body, headers } = await app.as[who].call(loads.list, { query: { search } })
    return [headers['x-total-count'], body.map(({ Id }) => Id)]
  }
  expect(await find('admin', 'ULLA ber')).toEqual(['1', [theirs.Id]])
  expect(await find('admin', 'july')).toEqual(['1', [theirs.Id]])
  expect(await find('admin', 'B2SBudget')).toEqual(['2', [mine.Id, theirs.Id]])
  expect(await find('admin', 'plan.xlsx')).toEqual(['2', [mine.Id, theirs.Id]])
  expect(await find('user', 'plan.xlsx')).toEqual(['2', [begun, theirs.Id]])
  expect(await find('admin', '%')).toEqual(['0', []])
  expect((await app.as.admin.call(loads.read, { params: { loadId: begun } })).status).toBe(404)
})

test('[ENG-5] the change log cannot be altered, and its file contains no formula; no cell of a sheet is in the server’s log', async () => {
  const canary = 'canary-7f3a'
  const rows: SheetCell[][] = ['=1+1', '+1', '-1', '@sum', '\ttab'].map((text) => [`${text}${canary}`, n('1')])
  const receipt = await user.load({ versionId: plan.versionId }, { columns: ['=Line', 'Amount'], rows })
  const { body } = await app.as.user.send<string>('GET', `/api/loads/${receipt.Id}/changes.csv`)
  const fields = body
    .split('\r\n')
    .slice(1)
    .flatMap((line) => line.split(','))
  expect(fields.filter((field) => /^"?[=+\-@\t]/u.test(field))).toEqual([])
  const change = app.store.within(app.harbour.id, (db) => db.updateTable('loadChange').set({ new: 'other' }).execute())
  await expect(change).rejects.toThrow('append-only')
  await expect(app.store.within(app.harbour.id, (db) => db.deleteFrom('loadChange').execute())).rejects.toThrow(
    'append-only',
  )
  expect(app.logLines.join('\n')).not.toContain(canary)
})

test('[ENG-5] cancelled, abandoned and interrupted loads lose their rows after a week; receipts stay', async () => {
  const done = await user.load({ versionId: plan.versionId }, budget('1'))
  const [given, left, cutOff] = [
    await user.begin({ versionId: plan.versionId }, budget('2')),
    await user.begin({ versionId: plan.versionId }, budget('3')),
    await user.begin({ versionId: plan.versionId }, budget('4')),
  ]
  expect((await app.as.user.call(loads.cancel, { params: { loadId: given } })).status).toBe(204)
  const again = await app.as.user.call(loads.chunk, { params: { loadId: given, number: '1' }, body: { rows: [] } })
  expect(again.status).toBe(409)
  await app.store.within(app.harbour.id, (db) =>
    db
      .updateTable('load')
      .set({ status: 'COMMITTING', committingAt: new Date(app.clock.now()) })
      .where('id', '=', cutOff)
      .execute(),
  )
  app.clock.advance(8 * 86_400_000)
  await deleteExpired(app.services)
  const states = await Promise.all(
    [done.Id, given, left, cutOff].map(
      async (loadId) =>
        (
          await app.store.within(app.harbour.id, (db) =>
            db.selectFrom('load').select('status').where('id', '=', loadId).executeTakeFirstOrThrow(),
          )
        ).status,
    ),
  )
  expect(states).toEqual(['LOADED', 'CANCELLED', 'CANCELLED', 'COMMITTING'])
  expect(await app.store.within(app.harbour.id, (db) => db.selectFrom('loadChunk').select('number').execute())).toEqual(
    [],
  )
})
