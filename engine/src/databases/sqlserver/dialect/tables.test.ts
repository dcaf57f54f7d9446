import { describe, expect, test } from 'vitest'
import { encodeRows } from '../../../encoding/copy-text.ts'
import { batch, column, stream, table, yielding } from '@tributary/testing/engine/sync/fixtures.ts'
import { type AnswerStatement, withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { startTdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import { sqlServerTarget } from '../target.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 5 })
const total = column('total', { kind: 'decimal', precision: 9, scale: 2 })
const at = column('at', { kind: 'instant', digits: 6 })
const invoice = table('invoice', [id, name, total, at])

describe('a table in SQL Server', () => {
  test('is made with exact types, and text that tells capitals apart', async () => {
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(
        stream(
          table('a [b] table', [
            column('key]', { kind: 'text' }, false),
            column('flag', { kind: 'boolean' }),
            column('free', { kind: 'decimal' }),
          ]),
        ),
      )
      expect(stub.statements).toContain(
        'CREATE TABLE [reports].[a [b]] table] ([key)] nvarchar(440) COLLATE Latin1_General_100_BIN2 NOT NULL, [flag] bit NULL, [free] decimal(38,12) NULL, PRIMARY KEY ([key)]))',
      )
    })
  })

  test('gets new columns and wider ones, and a number that became text becomes text', async () => {
    const there: AnswerStatement = (sql) =>
      sql.includes('FROM sys.columns c')
        ? {
            rows: [
              ['id', 'int', 4, 10, 0, 1],
              ['name', 'nvarchar', 10, 0, 0, 0],
              ['total', 'int', 4, 10, 0, 0],
            ],
          }
        : undefined
    const grown = table('invoice', [
      id,
      { ...name, type: { kind: 'text', maxLength: 20 } },
      { ...total, type: { kind: 'text', maxLength: 9 } },
      at,
    ])
    await withSqlServerTarget(async (target, stub) => {
      const changes = await target.prepare(stream(grown))
      expect(changes.map((change) => [change.column, change.before])).toEqual([
        ['name', 'nvarchar'],
        ['total', 'int'],
        ['at', null],
      ])
      expect(stub.statements.filter((sql) => sql.startsWith('ALTER TABLE'))).toEqual([
        'ALTER TABLE [reports].[invoice] ALTER COLUMN [name] nvarchar(40) COLLATE Latin1_General_100_BIN2 NULL',
        'ALTER TABLE [reports].[invoice] ALTER COLUMN [total] nvarchar(max) COLLATE Latin1_General_100_BIN2 NULL',
        'ALTER TABLE [reports].[invoice] ADD [at] datetime2(6) NULL',
      ])
    }, there)
  })
})

describe('a sweep in SQL Server', () => {
  test.each([
    [{ rows: 2, share: 0.3 }, { outcome: 'refused', wouldDelete: 3, rows: 4 }, 0],
    [{ rows: 3, share: 0.3 }, { outcome: 'done', deleted: 3 }, 1],
  ])('under the guard %o ends with %o', async (guard, result, deletions) => {
    const counted: AnswerStatement = (sql) => {
      if (sql.startsWith('SELECT (SELECT COUNT(*)')) return { rows: [[4, 1]] }
      if (sql.startsWith('SELECT COUNT(*) FROM [#tributary_keys] AS listed WHERE NOT EXISTS')) return { rows: [[1]] }
      return sql.startsWith('SELECT TOP (100000) CONVERT(varchar(60), listed.[id]) FROM')
        ? { rows: [['7']] }
        : undefined
    }
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(invoice))
      const missing = { count: 1, rows: encodeRows([['7']]) }
      expect(await target.compareKeys(stream(invoice), yielding(batch(invoice, [['1']])), guard)).toEqual({
        ...result,
        missing,
      })
      expect(stub.bulks.map((bulk) => bulk.rows)).toEqual([[['1']]])
      expect(stub.statements.filter((sql) => sql.startsWith('DELETE kept'))).toHaveLength(deletions)
    }, counted)
  })
})

describe('a SQL Server target', () => {
  test('[API-7] takes the connection string’s own keys and the target schema', () => {
    const settings = sqlServerTarget.parse({
      'target.connectionString': {
        'data source': 'db.example.com,1500',
        'initial catalog': 'reports',
        'user id': 'writer',
        password: 'p',
        multipleActiveResultSets: false,
      },
      'target.schema': 'reports',
    })
    expect(settings).toMatchObject({
      host: 'db.example.com',
      port: 1500,
      database: 'reports',
      user: 'writer',
      encrypt: true,
      schema: 'reports',
    })
  })

  test('tells a refused login in its checks without the password', async () => {
    await using stub = await startTdsStub()
    await using target = await sqlServerTarget.open(
      { ...stub.reach, password: 'canary-wrong-password', schema: 'reports' },
      connectionContext(),
    )
    const checks = await target.check()
    expect(checks.map(({ outcome }) => outcome)).toEqual(['passed', 'failed', 'skipped', 'skipped'])
    expect(JSON.stringify(checks)).not.toContain('canary-wrong-password')
  })
})
