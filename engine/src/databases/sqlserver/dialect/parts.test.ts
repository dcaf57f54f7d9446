/** The statements by which SQL Server replaces and compares the rows of one company. */
import { expect, test } from 'vitest'
import { batch, column, stream, table, yielding } from '@tributary/testing/engine/sync/fixtures.ts'
import { withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'

const company = column('company_id', { kind: 'text', maxLength: 100 }, false)
const id = column('id', { kind: 'integer', bytes: 4 }, false)
const invoice = table('invoice', [company, id], ['company_id', 'id'])

const one = { column: 'company_id', values: ['b', "o'c"] }
const others = `WHERE [company_id] NOT IN (N'b', N'o''c')`

/** The statements that name the part, and the end of their transaction. */
const ofPart = (statements: readonly string[]): readonly string[] =>
  statements
    .filter((sql) => sql.includes('NOT IN') || /^(?:BEGIN|COMMIT) TRANSACTION/u.test(sql) || sql.includes('sp_rename'))
    .map((sql) => sql.replaceAll(/tributary_new_[0-9a-f]+_7/gu, 'shadow'))

test('[SRC-12] a replacement of one company gets the rows of the others, in the transaction of the swap', async () => {
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(invoice))
    await using load = await target.load(stream(invoice), { kind: 'replace', resume: false })
    await load.write(batch(invoice, [['b', '1']]))
    const from = stub.statements.length
    await load.finish({ page: 9 }, one)
    expect(ofPart(stub.statements.slice(from))).toEqual([
      'BEGIN TRANSACTION',
      `DELETE FROM [reports].[shadow] ${others}`,
      `INSERT INTO [reports].[shadow] ([company_id], [id]) SELECT [company_id], [id] FROM [reports].[invoice] ${others}`,
      `EXEC sp_rename N'reports.shadow', N'invoice', 'OBJECT'`,
      'COMMIT TRANSACTION',
    ])
  })
})

test('[SRC-12] the keys of the other companies come from the table, in the transaction that deletes', async () => {
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(invoice))
    const from = stub.statements.length
    const keys = yielding(batch(invoice, [['b', '1']]))
    await target.compareKeys(stream(invoice), keys, { rows: 1_000, share: 1 }, { ...one, isLast: false })
    expect(ofPart(stub.statements.slice(from))).toEqual([
      'BEGIN TRANSACTION',
      `INSERT INTO [#tributary_keys] ([company_id], [id]) SELECT [company_id], [id] FROM [reports].[invoice] ${others}`,
      'COMMIT TRANSACTION',
    ])
  })
})
