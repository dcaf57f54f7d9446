import { describe, expect, test } from 'vitest'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { type AnswerStatement, withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const total = column('total', { kind: 'decimal', precision: 9, scale: 2 })
const invoice = table('invoice', [id, total])

describe('a text key in SQL Server', () => {
  const byCode = table('rate', [column('code', { kind: 'text', maxLength: 9 }, false), total], ['code'])

  test('is compared byte for byte on its way, so that keys of other capitals or another width stay two rows', async () => {
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(byCode))
      await using load = await target.load(stream(byCode), { kind: 'merge' })
      await load.write(
        batch(byCode, [
          ['a', '1'],
          ['A', '2'],
          ['ａ', '3'],
        ]),
      )
      await load.finish(null)
      const staging = stub.statements.filter((sql) => sql.startsWith('CREATE TABLE [#'))
      expect(staging).toHaveLength(2)
      for (const sql of staging) expect(sql).not.toMatch(/nvarchar\(\w+\) NULL/u)
    })
  })

  test('that differs only by blanks at the end is rejected with this reason, and never merged into the other row', async () => {
    const colliding: AnswerStatement = (sql) =>
      sql.startsWith('SELECT [code], CAST([total] AS nvarchar(50)) FROM') && sql.includes('DENSE_RANK')
        ? { rows: [['a ', '2']] }
        : undefined
    const repeated = stream(byCode, { hasDistinctKeys: false })
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(repeated)
      await using load = await target.load(repeated, { kind: 'merge' })
      await load.write(
        batch(byCode, [
          ['a', '1'],
          ['a ', '2'],
        ]),
      )
      await load.finish(null)
      expect(load.rejected).toEqual([
        {
          table: 'rate',
          column: 'code',
          row: { code: 'a ', total: '2' },
          reason:
            'Its key differs from that of another row only by blanks at the end. SQL Server takes the two for the same key.',
        },
      ])
      const statement = (start: string) => stub.statements.find((sql) => sql.startsWith(start)) ?? ''
      expect(statement('DELETE came FROM [#tributary_stage_0]')).toContain('DENSE_RANK')
      for (const start of ['UPDATE kept', 'INSERT INTO [reports].[rate]'])
        expect(statement(start)).toContain(
          'came.[code] = kept.[code] AND DATALENGTH(came.[code]) = DATALENGTH(kept.[code])',
        )
      const superseded = stub.statements.find((sql) => sql.includes('AS later'))
      expect(superseded).toContain('later.[code] = came.[code] AND DATALENGTH(later.[code]) = DATALENGTH(came.[code])')
    }, colliding)
  })
})

test('a binary in SQL Server that changes only by zero bytes at the end is written', async () => {
  const file = table('file', [id, column('content', { kind: 'bytes' })])
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(file))
    await using load = await target.load(stream(file), { kind: 'merge' })
    await load.write(batch(file, [['1', String.raw`\x0100`]]))
    await load.finish(null)
    expect(stub.statements.find((sql) => sql.startsWith('UPDATE kept'))).toContain('DATALENGTH(came.[content])')
  })
})

test('figures of rows are those of the server, also after a lock was taken', async () => {
  const affected: AnswerStatement = (sql) =>
    sql.startsWith('INSERT INTO [reports].[invoice]') ? { affected: 3 } : undefined
  const counts = await withSqlServerTarget(async (target) => {
    await target.prepare(stream(invoice))
    await using load = await target.load(stream(invoice), { kind: 'merge' })
    await load.commit({ page: 1 })
    return await load.finish({ page: 2 })
  }, affected)
  expect(counts.inserted).toBe(3)
})

test('text takes as many characters as the source says, also those of two UTF-16 units', async () => {
  const short = table('short', [id, column('face', { kind: 'text', maxLength: 3 })])
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(short))
    await using load = await target.load(stream(short), { kind: 'merge' })
    await load.write(batch(short, [['1', '😀😀😀']]))
    await load.finish(null)
    expect([load.rejectedCount, stub.bulks[0]?.rows]).toEqual([0, [['1', '😀😀😀']]])
  })
})

test('a binary key is bounded as a text key is, and one that is longer is rejected', async () => {
  const byHash = table('file', [column('hash', { kind: 'bytes' }, false), total], ['hash'])
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(byHash))
    expect(stub.statements.find((sql) => sql.startsWith('CREATE TABLE [reports].[file]'))).toContain(
      '[hash] varbinary(880) NOT NULL',
    )
    await using load = await target.load(stream(byHash), { kind: 'merge' })
    await load.write(
      batch(byHash, [
        [String.raw`\x00ff`, '1'],
        [String.raw`\x` + '00'.repeat(881), '2'],
      ]),
    )
    await load.finish(null)
    expect(load.rejected.map(({ reason }) => reason)).toEqual(['The binary has 881 bytes; the column takes 880.'])
  })
})

test('a key column is widened with its constraint dropped and made again', async () => {
  const there: AnswerStatement = (sql) => {
    if (sql.includes('sys.key_constraints')) return { rows: [['PK__rate__1']] }
    return sql.includes('FROM sys.columns c')
      ? {
          rows: [
            ['code', 'nvarchar', 20, 0, 0, 1],
            ['total', 'decimal', 5, 9, 2, 0],
          ],
        }
      : undefined
  }
  const wider = table('rate', [column('code', { kind: 'text', maxLength: 20 }, false), total], ['code'])
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(wider))
    expect(stub.statements.filter((sql) => sql.startsWith('ALTER TABLE [reports].[rate]'))).toEqual([
      'ALTER TABLE [reports].[rate] DROP CONSTRAINT [PK__rate__1]',
      'ALTER TABLE [reports].[rate] ALTER COLUMN [code] nvarchar(40) COLLATE Latin1_General_100_BIN2 NOT NULL',
      'ALTER TABLE [reports].[rate] ADD PRIMARY KEY ([code])',
    ])
  }, there)
})

test('a full refresh asks for rights of single columns and those that may be passed on, too', async () => {
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(stream(invoice))
    await using load = await target.load(stream(invoice), { kind: 'replace', resume: false })
    await load.finish(null)
    const asked = stub.statements.find((sql) => sql.includes('database_permissions')) ?? ''
    expect(asked).toContain("p.state IN ('G', 'D', 'W')")
    expect(asked).toContain('WITH GRANT OPTION')
    expect(asked).not.toContain('minor_id = 0')
  })
})

describe('rows of one key that come together', () => {
  const superseded = (statements: readonly string[]): readonly string[] =>
    statements.filter((sql) => sql.includes('AS later'))

  test('become the last of them', async () => {
    const repeated = stream(invoice, { hasDistinctKeys: false })
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(repeated)
      await using load = await target.load(repeated, { kind: 'merge' })
      await load.write(batch(invoice, [['1', '2']]))
      await load.finish(null)
      expect(superseded(stub.statements)).toEqual([
        'DELETE came FROM [#tributary_stage_0] AS came WHERE EXISTS (SELECT 1 FROM [#tributary_stage_0] AS later WHERE later.[id] = came.[id] AND later.[tributary_seq] > came.[tributary_seq])',
      ])
    })
  })

  test('are not looked for where the source gives each key once', async () => {
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(invoice))
      await using load = await target.load(stream(invoice), { kind: 'merge' })
      await load.write(batch(invoice, [['1', '2']]))
      await load.finish(null)
      expect(superseded(stub.statements)).toEqual([])
    })
  })
})
