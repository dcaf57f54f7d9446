/** Types of new columns: inferred by majority, shown, chosen, and enforced. */
import type { FaultReply } from '@tributary/contract/faults'
import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  uploadFile,
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
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
  user = new LoadClient(app.as.user)
})
afterEach(() => app[Symbol.asyncDispose]())

const n = (written: string): SheetCell => ({ n: written })
const withOneBadCell: TestSheet = {
  columns: ['Line', 'Amount'],
  rows: [
    ['a', n('1.5')],
    ['b', 'n/a'],
    ['c', n('3')],
  ],
}

test('[ENG-5] [ISSUE 20 C14] one bad cell does not make a new column text: it is reported by its address, and nothing can be loaded until it is corrected', async () => {
  const loadId = await user.begin({ versionId: plan.versionId }, withOneBadCell)
  const { Columns, Errors, Seen } = await user.check(loadId)
  expect(Columns[1]).toEqual({
    Name: 'Amount',
    Type: 'number',
    IsNew: true,
    IsWidened: false,
    Kinds: [
      { Kind: 'text', Cells: 1, FirstCell: 'B3', FirstValue: 'n/a' },
      { Kind: 'number', Cells: 2, FirstCell: 'B2', FirstValue: '1.5' },
    ],
  })
  const message =
    'Most cells of this new column hold numbers, and this is text. Correct the cell, or choose Text for the column.'
  expect(Errors).toEqual([{ Cell: 'B3', Column: 'Amount', Value: 'n/a', Message: message }])
  expect((await user.commit(loadId, Seen)).status).toBe(422)
})

test('[ENG-5] [ISSUE 20 C14] a chosen type applies to the check and the commit, and later loads find it in the table', async () => {
  const { rowsOf } = (await loadDatabases[2]?.open(app)) ?? expect.unreachable()
  const types = [{ column: ' AMOUNT ', type: 'text' }]
  const receipt = await user.load({ versionId: plan.versionId }, withOneBadCell, { ...defaultSlice, types })
  expect(receipt.Status).toBe('LOADED')
  expect((await rowsOf('B2SBudget2026', ['Amount'])).flat().toSorted()).toEqual(['1.5', '3', 'n/a'])
  const { body: tables } = await app.as.user.call(loads.tables)
  expect(tables.map(({ Name, Columns }) => [Name, Columns])).toEqual([
    [
      'Budget 2026',
      [
        { Name: 'Line', Type: 'text' },
        { Name: 'Amount', Type: 'text' },
      ],
    ],
    ['Rates', []],
  ])
  const again = await user.check(
    await user.begin({ versionId: plan.versionId }, withOneBadCell, {
      ...defaultSlice,
      types: [{ column: 'Amount', type: 'number' }],
    }),
  )
  expect([again.Errors, again.Columns[1]]).toMatchObject([[], { Type: 'text', IsNew: false }])
  expect(again.Notices).toEqual([
    'The table already has a column ‘Amount’. It keeps its type; the type that you chose is ignored.',
  ])
})

test('[ENG-5] [ISSUE 20 C14] cells that do not fit a chosen type are reported; dates fit a column of dates with a time', async () => {
  const sheet: TestSheet = {
    columns: ['When', 'Amount'],
    rows: [
      [{ d: '2026-01-31' }, n('1')],
      [{ d: '2026-02-01' }, true],
    ],
  }
  const types = [
    { column: 'When', type: 'moment' },
    { column: 'Amount', type: 'truth' },
  ]
  const { Errors, Columns } = await user.check(
    await user.begin({ versionId: plan.versionId }, sheet, { ...defaultSlice, types }),
  )
  expect(Columns.map(({ Type }) => Type)).toEqual(['moment', 'truth'])
  const message =
    'You chose TRUE or FALSE for this new column, and this is a number. Correct the cell, or choose Text for the column.'
  expect(Errors).toEqual([{ Cell: 'B2', Column: 'Amount', Value: '1', Message: message }])
})

test('[ENG-5] [ISSUE 20 C14] a type for a column that the sheet does not have is refused', async () => {
  const body = {
    versionId: plan.versionId,
    ...defaultSlice,
    source: 'portal',
    workbook: 'w',
    sheet: 's',
    columns: ['Amount'],
  }
  const begin = (types: unknown) => app.as.user.send<FaultReply>('POST', '/api/loads', { body: { ...body, types } })
  const other = await begin([{ column: 'Price', type: 'text' }])
  expect([other.status, other.body.fields]).toEqual([400, { types: 'names ‘Price’, which is not one of the columns' }])
  expect((await begin([{ column: 'Amount', type: 'decimal' }])).status).toBe(400)
})

test('[ENG-5] [ISSUE 20 C14] a date column of the table becomes a timestamp if a cell has a time, even if another cell is invalid', async () => {
  const columns = ['When']
  await user.load({ versionId: plan.versionId }, { columns, rows: [[{ d: '2026-01-31' }]] })
  const rows = [[{ d: '2026-02-01T08:30:00' }], ['soon']]
  const { Columns, Errors } = await user.check(await user.begin({ versionId: plan.versionId }, { columns, rows }))
  expect([Columns[0], Errors.map(({ Cell: cell }) => cell)]).toMatchObject([
    { Type: 'moment', IsWidened: true },
    ['A3'],
  ])
})

test('[ENG-5] [ISSUE 20 C14] the column types of a file are shown before a load, over all rows below the headings, and only to its owner', async () => {
  const lines = Array.from({ length: 2_500 }, (_, at) => `line ${at},${at === 2_000 ? 'n/a' : `${at}.5`},0${at},`)
  const { Id } = await uploadFile(
    app,
    'plan.csv',
    Buffer.from(`Planned by Finance\nLine,Amount,Code,Nothing\n${lines.join('\n')}\n`),
  )
  const query = { sheet: 'CSV', firstRow: '2' }
  const columns = await app.as.user.call(loads.fileColumns, { params: { fileId: Id }, query })
  expect(columns.body).toEqual([
    { Type: 'text', Kinds: [{ Kind: 'text', Cells: 2_500, FirstCell: 'A3', FirstValue: 'line 0' }] },
    {
      Type: 'number',
      Kinds: [
        { Kind: 'text', Cells: 1, FirstCell: 'B2003', FirstValue: 'n/a' },
        { Kind: 'number', Cells: 2_499, FirstCell: 'B3', FirstValue: '0.5' },
      ],
    },
    { Type: 'text', Kinds: [{ Kind: 'text', Cells: 2_500, FirstCell: 'C3', FirstValue: '00' }] },
  ])
  const below = await app.as.user.call(loads.fileColumns, {
    params: { fileId: Id },
    query: { ...query, firstRow: '2003' },
  })
  expect(below.body[1]).toMatchObject({ Type: 'number', Kinds: [{ Kind: 'number', Cells: 499, FirstCell: 'B2004' }] })
  for (const [who, status] of [
    [app.as.admin, 404],
    [app.as.otherAdmin, 404],
    [app.as.guest, 403],
  ] as const)
    expect((await who.call(loads.fileColumns, { params: { fileId: Id }, query })).status).toBe(status)
})
