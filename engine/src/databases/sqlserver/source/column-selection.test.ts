import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../../ports/model.ts'
import type { Stream } from '../../../ports/source.ts'
import { answerShop, asRestored, readStream, withShop } from '@tributary/testing/engine/sqlserver/sqlserver-shop.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { type StubAnswer, startTdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import { sqlServerSource } from './source.ts'

describe('columns left out of a SQL Server', () => {
  const leftOut = [
    'dbo.Customer.CreditLimit',
    'Order.Version',
    'sales.Order.Total',
    'dbo.Visit.LastModified',
    'dbo.Customer.Gone',
  ]

  test('are in no statement, neither of a whole read nor of tracked changes', async () => {
    await withShop(
      async (source, statements) => {
        const { checkpoint } = await readStream(source, 'dbo.Customer', null)
        await readStream(source, 'dbo.Customer', { ...checkpoint, version: '110' })
        expect(statements.filter((sql) => sql.includes('CHANGETABLE'))).toHaveLength(1)
        expect(statements.join('\n')).not.toContain('CreditLimit')
      },
      { excludedColumns: leftOut },
    )
  })

  test('may be those that tell of changes: they are compared, and not asked for', async () => {
    await withShop(
      async (source, statements) => {
        const { checkpoint = null } = await readStream(source, 'sales.Order', null)
        await readStream(source, 'sales.Order', checkpoint)
        await readStream(source, 'dbo.Visit', {
          method: 'cursor',
          column: 'LastModified',
          from: '2026-01-30 08:00:00.000',
          database: asRestored,
        })
        const asked = statements.filter((sql) => /FROM \[(sales|dbo)\]/u.test(sql)).map((sql) => sql.split(' FROM '))
        expect(asked.map(([list]) => list).join(' ')).not.toMatch(/Version|Total|LastModified/u)
        expect(asked.map(([, rest]) => rest).join(' ')).toMatch(/\[Version\] >= 0x.*\[LastModified\] >= CONVERT/su)
      },
      { excludedColumns: leftOut },
    )
  })

  test('are refused where they belong to a key, in the test of the connection, too', async () => {
    await withShop(
      async (source) => {
        const wrong = {
          kind: 'settings',
          field: 'source.connectionString.leftOut',
          notice: expect.stringContaining('dbo.Customer.Region'),
        }
        await expect(source.streams()).rejects.toMatchObject(wrong)
        expect((await source.check()).at(-1)).toMatchObject({ outcome: 'failed', notice: wrong.notice })
      },
      { excludedColumns: ['Customer.Region'] },
    )
  })
})

describe('what has changed in a SQL Server since a moment', () => {
  const moment = new Date('2026-01-31T12:00:00Z')
  async function from(name: string, answer = answerShop): Promise<Checkpoint | null | undefined> {
    await using stub = await startTdsStub({ answer })
    await using source = await sqlServerSource.open(
      { ...stub.reach, tables: [], excludedColumns: [] },
      connectionContext(),
    )
    const stream = (await source.streams()).find((each) => each.name === name) as Stream
    return await source.checkpointAt?.(stream, moment)
  }

  test('is read from the last version tracked a day before, which the next read can go on from', async () => {
    const checkpoint = await from('dbo.Customer')
    expect(checkpoint).toEqual({ method: 'tracking', version: '112', database: asRestored })
    const { deleted } = await withShop((source) => readStream(source, 'dbo.Customer', checkpoint ?? null))
    expect(deleted).toEqual([['SO', '7']])
  })

  test('is read from the column that tells of changes, a day back for a wall clock of no known zone', async () => {
    expect(await from('dbo.Visit')).toEqual({
      method: 'cursor',
      column: 'LastModified',
      from: '2026-01-30 12:00:00.000',
      database: asRestored,
    })
  })

  test.each([
    ['the versions of that time are forgotten', (): StubAnswer => ({ rows: [[null]] })],
    ['the login may not see them', (): StubAnswer => ({ error: 300 })],
  ])('cannot be told where %s; then the table is read whole', async (_, answer) => {
    expect(
      await from('dbo.Customer', (sql) => (sql.includes('dm_tran_commit_table') ? answer() : answerShop(sql))),
    ).toBeNull()
  })

  test('cannot be told by a rowversion, which has no time', async () => {
    expect(await from('sales.Order')).toBeNull()
  })
})
