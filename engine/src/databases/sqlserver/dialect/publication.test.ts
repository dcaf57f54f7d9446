import { expect, test } from 'vitest'
import { column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'

const orders = table('orders', [column('id', { kind: 'integer', bytes: 4 }, false)])

test('[TRUST-12] a published view of SQL Server reads one publication in each statement, and changes with the switch in one transaction', async () => {
  await withSqlServerTarget(
    async (target, stub) => {
      const of = stream(orders)
      await target.prepare(of, 'on')
      await target.offerPublication('set', { streams: new Set([of.name]), views: [] })
      expect(stub.statements.join('\n')).toContain('[tributary_publication] c WITH (REPEATABLEREAD) JOIN')
      const from = stub.statements.length
      expect(
        await target.publish({ set: 'set', number: 1, runs: [{ connectorId: 'connector', runId: 'run' }] }),
      ).toEqual({ outcome: 'published' })
      const work = stub.statements.slice(from)
      const find = (pattern: RegExp): number => work.findIndex((sql) => pattern.test(sql))
      const order = [
        find(/^BEGIN TRANSACTION/u),
        find(/sp_getapplock/u),
        find(/^UPDATE \[published\]\.\[tributary_publication\] SET number = 1/u),
        find(/^(CREATE|ALTER) VIEW \[published\]\.\[orders\] AS SELECT 1 AS one/u),
        find(/^COMMIT TRANSACTION/u),
      ]
      expect(order).not.toContain(-1)
      expect(order).toEqual(order.toSorted((one, other) => one - other))
    },
    (sql) =>
      sql.startsWith('SELECT cut_off, views FROM')
        ? {
            rows: [
              [
                '2026-11-28T06:00:00.123456Z',
                JSON.stringify([{ relation: 'orders', name: 'orders', select: 'SELECT 1 AS one' }]),
              ],
            ],
          }
        : undefined,
  )
})
