import { expect, test } from 'vitest'
import { type AnswerStatement, withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'
import type { TdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'

const made: AnswerStatement = (sql) =>
  sql.startsWith('SELECT source_name') ? { rows: [['B2SPlan', 'B2SPlan']] } : undefined
const since = ({ statements }: TdsStub) =>
  statements.slice(statements.findLastIndex((sql) => sql.startsWith('BEGIN TRANSACTION')))

test('a table of SQL Server gets its other name, and is known by it, in one transaction with the fence last', async () => {
  await withSqlServerTarget(async (target, stub) => {
    expect(await target.renameTables('record', [{ from: 'B2SPlan', to: 'B2S Forecast' }])).toEqual({ outcome: 'done' })
    const statements = since(stub)
    expect(statements).toContain(`EXEC sp_rename N'reports.B2SPlan', N'B2S Forecast', 'OBJECT'`)
    expect(
      statements.some((sql) => sql.startsWith(`UPDATE [reports].[tributary_table] SET name = N'B2S Forecast'`)),
    ).toBe(true)
    expect(statements.at(-2)).toContain('CONVERT(varchar(20), fence)')
    expect(statements.at(-1)).toMatch(/^COMMIT/u)
  }, made)
})

test('a name that another table of SQL Server has is left to it', async () => {
  const taken: AnswerStatement = (sql) => (sql.startsWith('SELECT CASE WHEN OBJECT_ID') ? { rows: [[1]] } : made(sql))
  await withSqlServerTarget(async (target, stub) => {
    expect(await target.renameTables('record', [{ from: 'B2SPlan', to: 'B2STaken' }])).toEqual({
      outcome: 'taken',
      name: 'B2STaken',
    })
    expect(since(stub).filter((sql) => sql.includes('sp_rename') || sql.startsWith('UPDATE'))).toEqual([])
  }, taken)
})
