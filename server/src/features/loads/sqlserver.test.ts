/** Loads into a stub of SQL Server: the statements that are sent, and how replies are read. */
import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { type StubAnswer, startTdsStub, type TdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import { expect, test } from 'vitest'
import { LoadClient, planForLoads, saveDatabase } from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'

const password = 'canary-sqlserver-password'
const columns = ['Note', 'Amount', 'Day', 'At', 'Is sure']
const rows: SheetCell[][] = [
  ['it’s 🙂', { n: '0.30000000000000004' }, { d: '1899-12-31' }, { d: '2026-01-31T13:05:00.5' }, true],
]

/** Keeps the fencing token of the last writer, and returns the slice that was bulk-loaded last. */
function answering(stub: () => TdsStub | undefined): (sql: string) => StubAnswer | undefined {
  let writer: readonly string[] = []
  return (sql) => {
    const taken = /SET fence = (\d+), run_id = N'([^']+)'/u.exec(sql)
    if (taken !== null) writer = taken.slice(1)
    if (sql.includes('CONVERT(varchar(20), fence)')) return { rows: [writer] }
    if (sql.includes('[tributary_slice_B2SBudget2026] AS kept')) return { rows: [[slicesIn(stub())]] }
    if (sql.includes('FROM [plan].[B2SBudget2026] AS kept')) return { rows: [[null]] }
    return sql.startsWith('SELECT') && !sql.includes('OBJECT_ID(') ? { rows: [], columns: 6 } : undefined
  }
}

/** Values in the JSON format of SQL Server. */
function slicesIn(stub: TdsStub | undefined): string | null {
  const bulk = stub?.bulks.findLast(({ columns: names }) => names.includes('Rows'))
  const asWritten = (value: unknown) =>
    typeof value === 'string' && /^[0-9a-f-]{36}$/u.test(value) ? value.toUpperCase() : value
  const rows = bulk?.rows.map((row) => Object.fromEntries(row.map((value, at) => [`v${at}`, asWritten(value)])))
  return rows === undefined ? null : JSON.stringify(rows)
}

test('[ENG-5] a load into SQL Server is one transaction with the fencing token, values arrive exactly, and its undo empties the slice', async () => {
  let made: TdsStub | undefined
  await using stub = await startTdsStub({ user: 'loader', password, answer: answering(() => made) })
  made = stub
  await using app = await testApp({ env: { TRIBUTARY_ALLOW_HOSTS: `${stub.reach.host}:${stub.reach.port}` } })
  const plan = await planForLoads(app)
  const host = `${stub.reach.host},${stub.reach.port}`
  await saveDatabase(app, {
    connector: 'mssql',
    host,
    database: 'planning',
    schema: 'plan',
    user: 'loader',
    password,
    encryption: 'off',
  })
  const user = new LoadClient(app.as.user)
  const receipt = await user.load({ versionId: plan.versionId }, { columns, rows })
  expect(receipt).toMatchObject({ Status: 'LOADED', Rows: 1, RowsBefore: 0, Changes: 1, TableName: 'B2SBudget2026' })

  const own = stub.bulks.find((bulk) => bulk.columns.includes('Amount'))
  expect(own?.rows.map((row) => row.slice(-columns.length))).toEqual([
    ['it’s 🙂', '0.30000000000000004000', '1899-12-31', '2026-01-31 13:05:00.500', '1'],
  ])
  const created = stub.statements.findLast(
    (sql) => /^(?:CREATE|ALTER) TABLE \[plan\]\.\[B2SBudget2026\]/u.test(sql) && sql.includes('[Amount]'),
  )
  expect(created).toContain('[Amount] decimal(38,20)')
  const transaction = stub.statements.slice(stub.statements.findLastIndex((sql) => sql.startsWith('BEGIN TRANSACTION')))
  const order = [
    /^DELETE kept FROM \[plan\]\.\[B2SBudget2026\]/u,
    /\[plan\]\.\[tributary_slice_B2SBudget2026\]/u,
    /^INSERT INTO \[plan\]\.\[B2SBudget2026\]/u,
    /CONVERT\(varchar\(20\), fence\)/u,
    /^COMMIT/u,
  ]
  const places = order.map((pattern) => transaction.findIndex((sql) => pattern.test(sql)))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((one, other) => one - other))

  const undone = await user.undo(receipt.Id)
  expect([undone.status, undone.body.Rows]).toEqual([200, 0])
  expect(stub.bulks.findLast((bulk) => bulk.columns.includes('Rows'))?.rows[0]?.slice(1, 6)).toEqual([
    'One',
    'Kitchen',
    'Bar',
    'June',
    '0',
  ])
  expect((await app.as.user.call(loads.changes, { params: { loadId: undone.body.Id } })).body).toEqual([])
})
