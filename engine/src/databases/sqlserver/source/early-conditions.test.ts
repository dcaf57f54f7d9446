/** Which conditions SQL Server applies before it sends rows. */
import { expect, test } from 'vitest'
import { withShop } from '@tributary/testing/engine/sqlserver/sqlserver-shop.ts'
import type { RowCondition } from '../../../ports/table-rules.ts'

const condition = (column: string, operator: RowCondition['operator'], ...values: readonly string[]): RowCondition => ({
  column,
  operator,
  values,
})

const cases: readonly (readonly [RowCondition, string | null])[] = [
  [condition('Id', 'isAtLeast', '7'), '[Id] >= 7'],
  [condition('Id', 'isOneOf', '7', '-8'), '[Id] IN (7, -8)'],
  // Comparing decimals of different precision may overflow.
  [condition('Id', 'isLess', '7.5'), null],
  [condition('CreditLimit', 'isGreater', '100'), null],
  // Other collations find more, which are decided after the rows have arrived; fewer for the opposite.
  [condition('Region', 'is', `o'b`), `[Region] IN (N'o''b')`],
  [condition('Region', 'isNot', 'a'), null],
  [condition('Region', 'isLess', 'a'), null],
  [condition('Region', 'startsWith', 'a'), null],
  [condition('Region', 'isNotEmpty'), '[Region] IS NOT NULL'],
  [condition('Region', 'isEmpty'), null],
  // Types round times differently, so days are compared.
  [condition('Seen', 'isAtMost', '2026-01-31 13:05'), `[Seen] < CONVERT(date, N'2026-02-01', 23)`],
  [condition('Seen', 'isGreater', '2026-01-31 13:05'), `[Seen] >= CONVERT(date, N'2026-01-31', 23)`],
  [condition('Seen', 'is', '2026-01-31'), null],
  [condition('Seen', 'isLess', '1753-01-01'), null],
  [condition('Active', 'is', 'true'), null],
]

test.each(cases)('[SRC-11] %j becomes %s, in a load of the table and in the list of its keys', async (one, where) => {
  await withShop(async (source, statements) => {
    const stream = (await source.streams()).find(({ name }) => name === 'dbo.Customer')
    if (stream === undefined) throw new Error('There is no such stream.')
    const conditions = [one]
    const request = { since: null, encoding: 'text', replaces: true, conditions, log: () => {} } as const
    for await (const _ of source.read(stream, request)) continue
    const loads = statements.findLast((sql) => sql.includes('FROM [dbo].[Customer]'))
    for await (const _ of source.keys?.(stream, { columns: ['Seen'], conditions }) ?? []) continue
    const lists = statements.findLast((sql) => sql.includes('FROM [dbo].[Customer]'))
    expect(lists).toContain('[Seen]')
    for (const sql of [loads, lists])
      expect(sql?.split('FROM [dbo].[Customer]')[1]).toBe(where === null ? '' : ` WHERE ${where}`)
  })
})
