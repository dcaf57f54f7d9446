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

test('[TRUST-6] the history of a table of SQL Server, and its function, get their other names in the same transaction', async () => {
  const names = { validFrom: 'valid_from', validTo: 'valid_to', runId: 'run_id', sourceChangedAt: 'source_changed_at' }
  const since = '2026-11-28T06:00:00.123456Z'
  const kept: AnswerStatement = (sql) => {
    if (sql.startsWith('SELECT table_name, history_name'))
      return { rows: [['B2SPlan', 'B2SPlan__history', 'record', JSON.stringify(names), since, null, 'SELECT 1']] }
    if (sql.includes('FROM sys.columns c')) return { rows: [['id', 'int', 4, 10, 0, 1]] }
    return sql.includes('HAS_PERMS_BY_NAME') ? { rows: [['1', 'CREATE']] } : made(sql)
  }
  await withSqlServerTarget(async (target, stub) => {
    expect(await target.renameTables('record', [{ from: 'B2SPlan', to: 'Plan' }])).toEqual({ outcome: 'done' })
    const all = stub.statements
    const work = all.slice(all.findLastIndex((sql) => sql.startsWith('BEGIN TRANSACTION')))
    const order = [
      /^INSERT INTO \[reports\]\.\[tributary_history\].*SELECT N'Plan', N'Plan__history'/su,
      /^EXEC sp_rename N'reports\.B2SPlan', N'Plan', 'OBJECT'$/u,
      /^EXEC sp_rename N'reports\.B2SPlan__history', N'Plan__history', 'OBJECT'$/u,
      /^DELETE FROM \[reports\]\.\[tributary_history\] WHERE table_name = N'B2SPlan'/u,
      /DROP FUNCTION \[reports\]\.\[B2SPlan__as_of\]$/u,
      /^CREATE FUNCTION \[reports\]\.\[Plan__as_of\]\(@moment datetime2\(6\)\).*FROM \[reports\]\.\[Plan__history\] h/su,
      /^COMMIT/u,
    ].map((pattern) => work.findIndex((sql) => pattern.test(sql)))
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  }, kept)
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
