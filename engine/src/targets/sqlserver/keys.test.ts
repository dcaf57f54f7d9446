import { describe, expect, test } from 'vitest'
import { batch, column, stream, table } from '../../testing/fixtures.ts'
import { type Answer, loading } from '../../testing/sqlserver-bench.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const total = column('total', { kind: 'decimal', precision: 9, scale: 2 })
const invoice = table('invoice', [id, total])

describe('a text key in SQL Server', () => {
  const byCode = table('rate', [column('code', { kind: 'text', maxLength: 9 }, false), total], ['code'])

  test('is compared byte for byte on its way, so that keys of other capitals or another width stay two rows', async () => {
    await loading(async (target, stub) => {
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
      expect(staging.length).toBeGreaterThan(2)
      for (const sql of staging) expect(sql).not.toMatch(/nvarchar\(\w+\) NULL/u)
    })
  })

  test('that differs only by blanks at the end is rejected with this reason, and never merged into the other row', async () => {
    const colliding: Answer = (sql) => (sql.startsWith('SELECT [code]') && sql.includes('DENSE_RANK') ? { rows: [['a ', '2']] } : undefined)
    await loading(async (target, stub) => {
      await target.prepare(stream(byCode))
      await using load = await target.load(stream(byCode), { kind: 'merge' })
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
          reason: 'Its key differs from that of another row only by blanks at the end. SQL Server takes the two for the same key.',
        },
      ])
      const statement = (start: string) => stub.statements.find((sql) => sql.startsWith(start)) ?? ''
      expect(statement('DELETE came FROM [#tributary_stage_0]')).toContain('DENSE_RANK')
      for (const start of ['UPDATE kept', 'INSERT INTO [reports].[rate]'])
        expect(statement(start)).toContain('came.[code] = kept.[code] AND DATALENGTH(came.[code]) = DATALENGTH(kept.[code])')
      expect(statement('WITH came AS')).toContain('PARTITION BY [code], DATALENGTH([code])')
    }, colliding)
  })
})

test('a binary in SQL Server that changes only by zero bytes at the end is written', async () => {
  const file = table('file', [id, column('content', { kind: 'bytes' })])
  await loading(async (target, stub) => {
    await target.prepare(stream(file))
    await using load = await target.load(stream(file), { kind: 'merge' })
    await load.write(batch(file, [['1', String.raw`\x0100`]]))
    await load.finish(null)
    expect(stub.statements.find((sql) => sql.startsWith('UPDATE kept'))).toContain('DATALENGTH(came.[content])')
  })
})

test('figures of rows are those of the server, also after a lock was taken', async () => {
  const affected: Answer = (sql) => (sql.startsWith('INSERT INTO [reports].[invoice]') ? { affected: 3 } : undefined)
  const counts = await loading(async (target) => {
    await target.prepare(stream(invoice))
    await using load = await target.load(stream(invoice), { kind: 'merge' })
    await load.commit({ page: 1 })
    return await load.finish({ page: 2 })
  }, affected)
  expect(counts.inserted).toBe(3)
})
