import { groups } from '@tributary/contract/groups'
import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { planningStructure } from '@tributary/contract/planning-structure'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import {
  LoadClient,
  loadDatabases,
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
const d = (written: string): SheetCell => ({ d: written })
const budget = (...amounts: readonly string[]): TestSheet => ({
  columns: ['Line', 'Amount'],
  rows: amounts.map((amount, at) => [`line ${at}`, n(amount)]),
})
const table = 'B2SBudget2026'

describe.each(loadDatabases)('in $name', ({ open }) => {
  test('[ENG-5] a sheet arrives exactly: decimals to the last digit, leap days, dates before 1900, timestamps, unchanged text', async () => {
    const { rowsOf } = await open(app)
    const numbers = ['0.30000000000000004', '12345678901234567.12345678901', '-0', '1E-3', '9.99e5', '-1234.50']
    const dates = ['2024-02-29', '1899-12-31', '1900-03-01', '2026-12-31', '1066-10-14', '2000-02-29']
    const texts = ['=1+1', ' spaced ', 'tab\there', 'line\nbreak', String.raw`back\slash`, '✓ 漢字 🙂']
    const rows = numbers.map((number, at): SheetCell[] => [
      n(number),
      d(dates[at] ?? ''),
      d(`${dates[at]}T13:05:00.5`),
      texts[at] ?? '',
      at % 2 === 0,
    ])
    const receipt = await user.load(
      { versionId: plan.versionId },
      { columns: ['Amount', 'Day', 'At', 'Note', 'Is sure'], rows },
    )
    expect(receipt).toMatchObject({ Status: 'LOADED', Rows: 6, RowsBefore: 0, TableName: table, MayUndo: true })
    const found = await rowsOf(table, ['Amount', 'Day', 'Note', 'Entity', 'Milestone', 'LoadedBy'])
    const exact = ['0.30000000000000004', '12345678901234567.12345678901', '0', '0.001', '999000', '-1234.5']
    const expected = exact.map((amount, at) => [amount, dates[at], texts[at], 'One', 'June', 'user@demo.example'])
    const withoutZeros = (amount: string | null | undefined) => (amount ?? '').replace(/\.0*$|(\.\d*?[1-9])0+$/u, '$1')
    expect(found.map(([amount, ...rest]) => [withoutZeros(amount), ...rest])).toEqual(expect.arrayContaining(expected))
    const total = receipt.Totals[0]
    expect(total).toEqual({ Column: 'Amount', Before: '0', After: '12345678902232332.92445678901000004' })
  })

  test('[ENG-5] loading again replaces exactly the slices of the sheet, also those of other users; undo restores the former rows', async () => {
    const { rowsOf } = await open(app)
    await user.load({ versionId: plan.versionId }, budget('1', '2'))
    await user.load({ versionId: plan.versionId }, budget('7'), { ...defaultSlice, milestone: 'July' })
    const second = await admin.load({ versionId: plan.versionId }, budget('1', '5', '6'))
    expect(second.Slices).toMatchObject([{ Milestone: 'June', Rows: 3, FormerRows: 2, FormerBy: 'Ulla Berg' }])
    expect(second.Totals).toEqual([{ Column: 'Amount', Before: '3', After: '12' }])
    const there = async () =>
      (await rowsOf(table, ['Milestone', 'Amount', 'LoadedBy']))
        .map(([milestone, amount, by]) => `${milestone} ${Number(amount)} ${by}`)
        .toSorted()
    expect(await there()).toEqual([
      'July 7 user@demo.example',
      'June 1 admin@demo.example',
      'June 5 admin@demo.example',
      'June 6 admin@demo.example',
    ])
    const changes = await app.as.admin.call(loads.changes, { params: { loadId: second.Id } })
    expect(changes.body).toMatchObject([
      { Kind: 'changed', Cell: 'B3', Column: 'Amount', Old: '2', New: '5' },
      { Kind: 'added', Cell: 'A4', New: 'Line: line 2; Amount: 6' },
    ])
    const undone = await admin.undo(second.Id, 'addin')
    expect([undone.status, undone.body]).toMatchObject([
      200,
      { Status: 'LOADED', Source: 'addin', Undoes: second.Id, Rows: 2, RowsBefore: 3 },
    ])
    expect(await admin.read(second.Id)).toMatchObject({ Status: 'UNDONE', UndoneBy: undone.body.Id, MayUndo: false })
    const event = {
      actorId: app.idOf('admin'),
      organisationId: app.harbour.id,
      outcome: 'success',
      objectId: undone.body.Id,
    }
    expect(await findAuditEvents(app.store, 'load.undone')).toMatchObject([
      { ...event, detail: { table, rows: 2, undoes: second.Id } },
    ])
    expect(await there()).toEqual([
      'July 7 user@demo.example',
      'June 1 admin@demo.example',
      'June 2 admin@demo.example',
    ])
  })

  test('[ENG-5] undo changes nothing if another user has loaded since, and names the user', async () => {
    const { rowsOf } = await open(app)
    const first = await user.load({ versionId: plan.versionId }, budget('1'))
    await admin.load({ versionId: plan.versionId }, budget('2'))
    const refused = await user.undo(first.Id)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'undoConflict',
      expect.stringContaining('Amara Okafor'),
    ])
    expect((await rowsOf(table, ['Amount'])).map(([amount]) => Number(amount))).toEqual([2])
  })

  test('[ENG-5] a load of another user between check and commit is not overwritten', async () => {
    await open(app)
    const loadId = await user.begin({ versionId: plan.versionId }, budget('1'))
    const { Seen } = await user.check(loadId)
    await admin.load({ versionId: plan.versionId }, budget('2'))
    const refused = await user.commit(loadId, Seen)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'sliceChanged',
      expect.stringContaining('Amara Okafor'),
    ])
    const again = await user.check(loadId)
    expect(again.Slices).toMatchObject([{ FormerRows: 1, FormerBy: 'Amara Okafor' }])
    expect((await user.commit(loadId, again.Seen)).body).toMatchObject({ Status: 'LOADED' })
  })
})

test('[ENG-5] cells without permission are refused one by one: a foreign area, a pair that is not granted, another entity, a locked milestone', async () => {
  await app.as.admin.call(planningStructure.changeMilestone, {
    params: { milestoneId: plan.juneId },
    body: { statusId: statusIds.locked },
  })
  const columns = ['Entity', 'Area', 'Subarea', 'Milestone', 'Amount']
  const rows: SheetCell[][] = [
    ['one', ' KITCHEN ', 'bar', 'July', n('1')],
    ['One', 'Hidden', 'Bar', 'July', n('1')],
    ['One', 'Kitchen', 'Cellar', 'July', n('1')],
    ['Two', 'Kitchen', 'Bar', 'July', n('1')],
    ['One', 'Kitchen', 'Bar', 'June', n('1')],
    ['One', 'Kitchen', null, 'July', n('1')],
  ]
  const loadId = await user.begin({ versionId: plan.versionId }, { columns, rows }, {})
  const { Errors, Seen } = await user.check(loadId)
  expect(Errors.map(({ Cell: cell, Value }) => [cell, Value])).toEqual([
    ['B3', 'Hidden'],
    ['C4', 'Cellar'],
    ['A5', 'Two'],
    ['D6', 'June'],
    ['C7', null],
  ])
  const refused = await user.commit(loadId, Seen)
  expect([refused.status, refused.body.code]).toEqual([422, 'loadRefused'])
  expect((await user.read(loadId)).Status).toBe('RECEIVING')
})

test('[ENG-5] a milestone locked, a permission removed or a version archived between check and commit refuses the commit', async () => {
  const changes = [
    () =>
      app.as.admin.call(planningStructure.changeMilestone, {
        params: { milestoneId: plan.juneId },
        body: { statusId: statusIds.locked },
      }),
    () => app.as.admin.call(groups.setStatus, { body: { groupId: plan.groupId, statusId: statusIds.locked } }),
    () =>
      app.as.admin.call(planningStructure.changeVersion, {
        params: { versionId: plan.versionId },
        body: { statusId: statusIds.archived },
      }),
  ]
  const begun: { loadId: string; Seen: string }[] = []
  for (const _ of changes) {
    const loadId = await user.begin({ versionId: plan.versionId }, budget('1'))
    begun.push({ loadId, Seen: (await user.check(loadId)).Seen })
  }
  for (const [at, change] of changes.entries()) {
    expect((await change()).status).toBe(200)
    const refused = await user.commit(begun[at]?.loadId ?? '', begun[at]?.Seen ?? '')
    expect([at, refused.status, refused.body.code]).toEqual([at, 422, 'loadRefused'])
  }
})

test('[ENG-5] invalid cells are reported with their addresses: sheet errors, numbers out of range, invalid dates, text among numbers', async () => {
  await user.load({ versionId: plan.versionId }, budget('1'))
  const rows: SheetCell[][] = [
    ['a', { e: '#REF!' }],
    ['b', n('1234567890123456789')],
    ['c', n('0.000000000000000000001')],
    ['d', 'abc'],
    ['e', d('2026-01-01')],
    [null, null],
    ['f', n('2'), 'beside'],
  ]
  const loadId = await user.begin({ versionId: plan.versionId }, { columns: ['line', 'AMOUNT'], rows })
  const { Errors, ErrorCount, Rows, Columns } = await user.check(loadId)
  expect([Errors.map(({ Cell: cell }) => cell), ErrorCount, Rows]).toEqual([['B2', 'B3', 'B5', 'B6', 'C8'], 5, 6])
  expect(Columns).toMatchObject([
    { Name: 'Line', Type: 'text', IsNew: false, IsWidened: false },
    { Name: 'Amount', Type: 'number', IsNew: false, IsWidened: false },
  ])
  const headed = await user.begin(
    { versionId: plan.versionId },
    { columns: ['A', 'a', '', 'LoadId', 'Day'], rows: [['x', 'y', 'z', 'w', d('2026-02-30')]] },
  )
  expect((await user.check(headed)).Errors.map(({ Cell: cell }) => cell)).toEqual(['B1', 'C1', 'D1', 'E2'])
})
