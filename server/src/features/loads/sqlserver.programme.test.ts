/** Synchronises tables and loads a plan on the SQL Server that `TRIBUTARY_TEST_SQLSERVER` names. */
import type { SheetCell } from '@tributary/contract/cells'
import type { TableSync } from '@tributary/contract/table-sync'
import { lacks, makeServerDatabase, readText } from '@tributary/testing/engine/sqlserver/sqlserver-server.ts'
import { expect, test } from 'vitest'
import { LoadClient, planForLoads, saveDatabase } from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'

const columns = ['Note', 'Amount', 'Day', 'At', 'Is sure']
const sheet = (...rows: SheetCell[][]) => ({ columns, rows })
const first: SheetCell[] = [
  'it’s 🙂',
  { n: '0.30000000000000004' },
  { d: '1899-12-31' },
  { d: '2026-01-31T13:05:00.5' },
  true,
]
const second: SheetCell[] = ['=1+1', { n: '-1234.5' }, { d: '2024-02-29' }, { d: '2026-01-31T13:05:00' }, false]

test('[ENG-4] [ENG-5] tables are created once, a sheet arrives exactly, the next one replaces its slice, and undo restores the former rows', async () => {
  await using server = await makeServerDatabase()
  const { reach, connection } = server
  await using app = await testApp({ env: { TRIBUTARY_ALLOW_HOSTS: `${reach.host}:${reach.port}` } })
  const plan = await planForLoads(app)
  const encryption = reach.encrypt ? (reach.trustServerCertificate ? 'encrypt' : 'verify') : 'off'
  const { user: login, password, database } = reach
  const host = `${reach.host},${reach.port}`
  await saveDatabase(app, { connector: 'mssql', host, database, schema: 'planning', user: login, password, encryption })

  const synchronise = () =>
    app.as.admin.send<TableSync>('GET', `/api/organisations/${app.harbour.id}/database-table-sync`)
  const outcomes = ({ Tables }: TableSync) => Object.fromEntries(Tables.map(({ Table, Outcome }) => [Table, Outcome]))
  const made = await synchronise()
  expect(made).toMatchObject({ status: 200 })
  expect([made.status, outcomes(made.body)]).toMatchObject([
    200,
    { B2SBudget2026: 'created', B2SRates: 'created', tributary_row_right: 'written' },
  ])
  if (!lacks('alterView'))
    expect(outcomes((await synchronise()).body)).toMatchObject({ B2SBudget2026: 'unchanged', B2SRates: 'unchanged' })
  expect((await readText(connection, 'planning', 'tributary_row_right')).rows).toHaveLength(4)

  const there = async () => {
    const found = await readText(connection, 'planning', 'B2SBudget2026')
    const at = columns.map((name) => found.columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase()))
    return found.rows
      .map((row) => at.map((place) => row[place]?.replace(/(\.\d*?)0+$/u, '$1').replace(/\.$/u, '') ?? null))
      .toSorted()
  }
  const user = new LoadClient(app.as.user)
  const receipt = await user.load({ versionId: plan.versionId }, sheet(first, second))
  expect(receipt).toMatchObject({ Status: 'LOADED', Rows: 2, RowsBefore: 0, TableName: 'B2SBudget2026' })
  const both = [
    ['=1+1', '-1234.5', '2024-02-29', '2026-01-31 13:05:00', '0'],
    ['it’s 🙂', '0.30000000000000004', '1899-12-31', '2026-01-31 13:05:00.5', '1'],
  ]
  expect(await there()).toEqual(both)

  const later = await user.load({ versionId: plan.versionId }, sheet(second))
  expect(later).toMatchObject({ Rows: 1, RowsBefore: 2 })
  expect(await there()).toEqual(both.slice(0, 1))
  const undone = await user.undo(later.Id)
  expect([undone.status, undone.body]).toMatchObject([200, { Rows: 2, RowsBefore: 1 }])
  expect(await there()).toEqual(both)
})
