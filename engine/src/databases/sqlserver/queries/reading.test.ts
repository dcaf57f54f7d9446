import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { startTdsStub, type StubAnswer, type TdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import { expect, test } from 'vitest'
import { sqlServerReading } from './reading.ts'

const limits = { rows: 3, bytes: 1_000_000, timeMs: 60_000 }
const signal = () => new AbortController().signal
const denied = (error: number): StubAnswer => ({ error, message: 'The permission was denied.' })

async function open(stub: TdsStub) {
  const { user, password } = stub.reach
  const settings = { ...stub.reach, user: 'the loader', password: 'of the loader', schema: 'dbo' }
  return sqlServerReading.open(settings, { user, password }, connectionContext())
}

test('[SEE-5] a login of SQL Server is asked for rights, and every attempt to write is rolled back', async () => {
  await using stub = await startTdsStub({
    answer: (sql) => {
      if (sql.includes('fn_my_permissions')) return { rows: [], columns: 1 }
      if (sql.includes('SELECT TOP 1')) return { rows: [['[dbo].[orders]', '[id]']] }
      if (/^(?:CREATE|INSERT|UPDATE)/u.test(sql)) return denied(sql.startsWith('CREATE') ? 262 : 229)
      return undefined
    },
  })
  await using reader = await open(stub)
  expect([await reader.findWriteRights(), await reader.attemptToWrite()]).toEqual([[], []])
  const attempts = stub.statements.filter((sql) => /^(?:CREATE|INSERT|UPDATE)/u.test(sql))
  expect(attempts).toEqual([
    'CREATE TABLE [dbo].tributary_reading_check (x int)',
    'INSERT INTO [dbo].[orders] ([id]) SELECT [id] FROM [dbo].[orders] WHERE 1 = 0',
    'UPDATE [dbo].[orders] SET [id] = [id] WHERE 1 = 0',
  ])
  for (const attempt of attempts) {
    const at = stub.statements.indexOf(attempt)
    expect([stub.statements[at - 1], stub.statements[at + 1]]).toEqual([
      'BEGIN TRANSACTION',
      'IF @@TRANCOUNT > 0 ROLLBACK',
    ])
  }
})

test('[SEE-5] rights that the catalogue finds, a write that succeeds, and a refusal for another reason are reported', async () => {
  await using stub = await startTdsStub({
    answer: (sql) => {
      if (sql.includes('fn_my_permissions'))
        return { rows: [['is a member of db_datawriter'], ['has INSERT on dbo.orders']] }
      if (sql.includes('SELECT TOP 1')) return { rows: [['[dbo].[orders]', '[id]']] }
      if (sql.startsWith('CREATE')) return { error: 3_906, message: 'The database is read-only.' }
      return sql.startsWith('INSERT') ? denied(229) : undefined
    },
  })
  await using reader = await open(stub)
  expect(await reader.findWriteRights()).toEqual(['is a member of db_datawriter', 'has INSERT on dbo.orders'])
  expect(await reader.attemptToWrite()).toEqual([
    expect.stringContaining('was not refused for lack of rights'),
    'may run UPDATE [dbo].[orders] SET [id] = [id] WHERE 1 = 0',
  ])
})

test('[SEE-5] tables and columns of SQL Server are listed for completion, with their descriptions', async () => {
  await using stub = await startTdsStub({
    answer: (sql) =>
      sql.includes('HAS_PERMS_BY_NAME') && sql.includes("'COLUMN'")
        ? {
            rows: [
              ['dbo', 'orders', 'What was sold', 'id', null],
              ['dbo', 'orders', 'What was sold', 'amount', 'Without tax'],
              ['hr', 'orders', null, 'id', null],
            ],
          }
        : undefined,
  })
  await using reader = await open(stub)
  const id = { name: 'id', description: null }
  expect(await reader.listTables()).toEqual([
    {
      schema: 'dbo',
      name: 'orders',
      description: 'What was sold',
      columns: [id, { name: 'amount', description: 'Without tax' }],
    },
    { schema: 'hr', name: 'orders', description: null, columns: [id] },
  ])
})

test.each([
  "EXEC xp_cmdshell N'dir'",
  "SELECT * FROM OPENROWSET('SQLNCLI', 'Server=x;', 'SELECT 1')",
  "SELECT * FROM OPENQUERY(linked, 'DELETE FROM t')",
  'SELECT 1 DROP TABLE dbo.orders',
  'SELECT * INTO dbo.copy FROM dbo.orders',
  'SELECT 1; DELETE FROM dbo.orders',
  'WITH x AS (SELECT 1 AS a) DELETE FROM x',
  "SELECT 1 WAITFOR DELAY '00:10'",
  'DECLARE @x int',
])('[SEE-5] SQL Server never gets %s', async (statement) => {
  await using stub = await startTdsStub()
  await using reader = await open(stub)
  await expect(reader.query(statement, limits, signal())).rejects.toMatchObject({ name: 'QueryRefused' })
  expect(stub.statements).toEqual([])
})

test('[SEE-5] rows of SQL Server end at the limit, and a refused statement keeps its number', async () => {
  await using stub = await startTdsStub({
    answer: (sql) => {
      if (sql.startsWith('SELECT wrong')) return { error: 207, message: "Invalid column name 'wrong'." }
      return sql.startsWith('SELECT n') ? { rows: [[1], [2], [3], [4], [5]] } : undefined
    },
  })
  await using reader = await open(stub)
  const result = await reader.query('SELECT n FROM numbers -- all', limits, signal())
  expect([result.rows, result.reached]).toEqual([[['1'], ['2'], ['3']], 'rows'])
  await using other = await open(stub)
  await expect(other.query('SELECT wrong', limits, signal())).rejects.toMatchObject({
    name: 'QueryRefused',
    code: '207',
  })
})

test('[SEE-5] a query that is cancelled ends on SQL Server', async () => {
  const left = new AbortController()
  await using stub = await startTdsStub({
    answer(sql) {
      if (!sql.startsWith('SELECT slow')) return undefined
      setImmediate(() => left.abort())
      return 'endless'
    },
  })
  await using reader = await open(stub)
  await expect(reader.query('SELECT slow FROM numbers', limits, left.signal)).rejects.toThrow('Canceled')
  expect(stub.cancelled()).toBe(1)
})
