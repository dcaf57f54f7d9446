/**
 * Runs into the SQL Server that `TRIBUTARY_TEST_SQLSERVER` names: from the databases that are really here, and from a
 * company at Xero.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openBoth } from '@tributary/testing/engine/databases/both-ends.ts'
import { differencesOf } from '@tributary/testing/engine/databases/differences.ts'
import { makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { makeSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-end.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'
import type { SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

const changed = {
  postgres: '',
  mysql: ', kept timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)',
} as const

test.each(['postgres', 'mysql'] as const)(
  'from %s every row arrives as it is, again and again, changed, new and gone',
  async (from) => {
    await using source = await makeEnd(from, 'source')
    await using target = await makeSqlServerTarget()
    const moment = from === 'mysql' ? 'datetime(6)' : 'timestamp'
    const collation = from === 'mysql' ? ' COLLATE utf8mb4_bin' : ''
    await source.run(
      `CREATE TABLE ledger (code varchar(20)${collation} PRIMARY KEY, amount decimal(38,9), at ${moment}, paid boolean${changed[from]})`,
    )
    await source.run(
      `INSERT INTO ledger (code, amount, at, paid) VALUES ('a', 12345678901234567890123456789.123456789, '1969-07-20 20:17:40.123456', true), ('A', -0.000000001, '2024-02-29 23:59:59.999999', false), ('it''s 🦀', NULL, NULL, NULL), ('', 0, '1000-01-01 00:00:00', true)`,
    )
    await source.run('CREATE TABLE nothing (id integer PRIMARY KEY)')
    await source.run('CREATE TABLE keyless (a integer, b varchar(9))')
    await source.run(`INSERT INTO keyless VALUES (1, 'same'), (1, 'same'), (NULL, NULL)`)
    const connectorId = randomUUID()
    let fence = 0
    const run = async (request: Partial<SyncRunRequest> = {}): Promise<SyncOutcome> => {
      const { signal = new AbortController().signal } = request
      await using ends = await openBoth(
        { from, to: 'sqlserver', properties: { ...source.properties, ...target.properties } },
        signal,
      )
      const quiet = (): void => {}
      const writer = { connectorId, runId: randomUUID(), fence: ++fence }
      return await sync({
        ...ends,
        writer,
        syncMode: 'incremental',
        report: quiet,
        log: quiet,
        clock: realClock,
        signal,
        ...request,
      })
    }
    const expectEqual = async (): Promise<void> => {
      for (const table of ['ledger', 'nothing', 'keyless']) {
        const { columns, rows } = await source.read(table)
        const records = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])))
        expect(await differencesOf(target, new Map([[table, records]]))).toEqual([])
      }
    }
    for (let times = 0; times < 2; times++) {
      expect(await run()).toMatchObject({ status: 'completed', fault: null })
      await expectEqual()
    }
    await source.run(`UPDATE ledger SET amount = 7 WHERE code = 'A'`)
    await source.run(`INSERT INTO ledger (code, amount) VALUES ('new', 1)`)
    await source.run(`DELETE FROM ledger WHERE code = ''`)
    expect(await run()).toMatchObject({ status: 'completed', fault: null })
    await expectEqual()
    expect(await run({ syncMode: 'full' })).toMatchObject({ status: 'completed', fault: null })
    await expectEqual()
  },
)

test('a company at Xero stands there cell for cell and ties out to the cent, and so do its changes', async () => {
  await using xero = await connectXero({ size: tinySize }, 'sqlserver')
  const expectTiedOut = async (): Promise<void> => {
    const outcome = await xero.run()
    expect(outcome).toMatchObject({ status: 'completed', fault: null, tieOut: { state: 'green' } })
    expect(outcome.tieOut?.lines.filter(({ difference }) => Number(difference) !== 0)).toEqual([])
  }
  await expectTiedOut()
  expect(await xero.differences()).toEqual([])
  xero.clock.advance(3_600_000)
  for (let steps = 0; steps < 4; steps += 1) xero.sim.tick(xero.tenantId)
  await expectTiedOut()
}, 900_000)
