/** From an uploaded file to the rows in the organisation's database. */
import { loads } from '@tributary/contract/loads'
import type { SheetData } from 'write-excel-file/node'
import writeWorkbook from 'write-excel-file/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  uploadFile,
  LoadClient,
  loadDatabases,
  planForLoads,
  type PlanFixture,
  defaultSlice,
} from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let plan: PlanFixture
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
})
afterEach(() => app[Symbol.asyncDispose]())

const days = ['2024-02-29', '1900-03-01', '1999-12-31']
const amounts = [0.1 + 0.2, -1234.56, 1e-7]
const exact = ['0.30000000000000004', '-1234.56', '0.0000001']

/** Written by another library than the one that reads; the headings begin at B3. */
function workbook(): Promise<Buffer> {
  const cells = days.map((day, at) => [
    null,
    { value: `line ${at}` },
    { value: amounts[at] ?? 0 },
    { value: new Date(`${day}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' },
  ])
  const headings = [null, ...['Line', 'Amount', 'Day'].map((value) => ({ value }))]
  const data = [[null, { value: 'Planned by Finance' }], [], headings, ...cells] as SheetData
  return writeWorkbook(data, { sheet: 'Plan' }).toBuffer()
}

const text = () =>
  Buffer.from(`Line;Amount;Day\n${days.map((day, at) => `line ${at};${exact[at]};${day}`).join('\n')}\n`)

const files = [
  { kind: 'an .xlsx', name: 'plan.xlsx', sheet: 'Plan', bytes: workbook, firstRow: 3, firstColumn: 2 },
  { kind: 'a .csv', name: 'plan.csv', sheet: 'CSV', bytes: text, firstRow: 1, firstColumn: 1 },
]

test('an expired file is reported as such, so that the user chooses it again', async () => {
  const { Id: fileId } = await uploadFile(app, 'plan.csv', text())
  await app.store.within(app.harbour.id, (db) => db.deleteFrom('loadFile').where('id', '=', fileId).execute())
  const body = {
    versionId: plan.versionId,
    source: 'portal',
    fileId,
    workbook: 'plan.csv',
    sheet: 'CSV',
    columns: ['Amount'],
  }
  const refused = await app.as.user.send<{ message: string }>('POST', '/api/loads', { body })
  expect([refused.status, refused.body.message]).toEqual([
    422,
    'The file has expired: files are kept for an hour. Choose it again.',
  ])
})

describe.each(loadDatabases.slice(0, 2))('in $name', ({ open }) => {
  test.each(files)(
    '[ENG-5] $kind arrives exact, with a receipt and its cells in the change log, and is taken back',
    async (file) => {
      const { rowsOf } = await open(app)
      const { name, sheet, bytes, firstRow, firstColumn } = file
      const { Id: fileId } = await uploadFile(app, name, await bytes())
      const whole = {
        versionId: plan.versionId,
        ...defaultSlice,
        source: 'portal',
        fileId,
        workbook: name,
        sheet,
        firstRow,
        firstColumn,
      }
      const begun = await app.as.user.call(loads.begin, { body: { ...whole, columns: ['Line', 'Amount', 'Day'] } })
      const loadId = begun.body.Id
      const user = new LoadClient(app.as.user)
      const { Errors, Rows, Seen } = await user.check(loadId)
      expect([Errors, Rows]).toEqual([[], 3])
      expect((await user.commit(loadId, Seen)).body).toMatchObject({
        Status: 'LOADED',
        Workbook: name,
        Sheet: sheet,
        Rows: 3,
        By: 'Ulla Berg',
      })
      const found = await rowsOf('B2SBudget2026', ['Line', 'Amount', 'Day', 'Milestone'])
      const plain = (amount: string | null | undefined) => (amount ?? '').replace(/(\.\d*?[1-9])0+$/u, '$1')
      const loaded = found.map(([line, amount, day, milestone]) => [line, plain(amount), day, milestone])
      expect(loaded.toSorted()).toEqual(exact.map((amount, at) => [`line ${at}`, amount, days[at], 'June']))
      const { body: changes } = await app.as.user.call(loads.changes, { params: { loadId } })
      const first = firstColumn === 1 ? 'A' : 'B'
      expect(changes.map(({ Cell, Kind, By, Workbook }) => [Cell, Kind, By, Workbook])).toEqual(
        days.map((_, at) => [`${first}${firstRow + 1 + at}`, 'added', 'Ulla Berg', name]),
      )
      expect((await user.undo(loadId)).status).toBe(200)
      expect(await rowsOf('B2SBudget2026', ['Line'])).toEqual([])
    },
  )
})
