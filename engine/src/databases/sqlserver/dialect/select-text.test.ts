import { expect, test } from 'vitest'
import { type AnswerStatement, withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'

test('what SQL Server answers a selection comes with every digit, as text', async () => {
  const json =
    '[{"id":1,"amount":12345678901234567890.1200,"note":"it’s \\"5\\"","open":true,"day":"2026-03-31","none":null}]'
  const answer: AnswerStatement = (sql) => (sql.includes('FOR JSON') ? { rows: [[json]] } : undefined)
  await withSqlServerTarget(async (target, stub) => {
    const found = await target.select(({ view, month }) => `SELECT ${month('day')} AS month FROM ${view('a]b')}`)
    expect(found).toEqual([['1', '12345678901234567890.1200', 'it’s "5"', '1', '2026-03-31', null]])
    expect(stub.statements.at(-1)).toBe(
      'SELECT (SELECT * FROM (SELECT DATEFROMPARTS(YEAR(day), MONTH(day), 1) AS month FROM [reports].[a]]b]) AS answered FOR JSON PATH, INCLUDE_NULL_VALUES)',
    )
  }, answer)
})

test('a selection of no rows from SQL Server is empty', async () => {
  const answer: AnswerStatement = (sql) => (sql.includes('FOR JSON') ? { rows: [[null]] } : undefined)
  await withSqlServerTarget(async (target) => expect(await target.select(() => 'SELECT 1 AS one')).toEqual([]), answer)
})
