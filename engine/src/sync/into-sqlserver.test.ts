/**
 * From every source that is really here, or simulated, to a server that speaks SQL Server's protocol: what it is sent
 * is what the source has.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Table } from '../ports/model.ts'
import { sources } from '../registry.ts'
import type { OpenSource } from '../ports/source.ts'
import { sqlServerTarget } from '../databases/sqlserver/target.ts'
import { cin7Differences } from '@tributary/testing/engine/apis/cin7-connector.ts'
import { differencesOf } from '@tributary/testing/engine/databases/differences.ts'
import { type TableContents, type DatabaseEnd, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { simulateCin7 as simulatedCin7, tinySize as tinyCin7 } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import {
  simulateUniconta as simulatedUniconta,
  tinySize as tinyUniconta,
} from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { simulateXero as simulatedXero } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { type BulkLoaded, startTdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import { tinySize as tinyXero } from '@tributary/testing/engine/apis/small-xero.ts'
import { unicontaDifferences } from '@tributary/testing/engine/apis/uniconta-connector.ts'
import { xeroDifferences } from '@tributary/testing/engine/apis/xero-connector.ts'
import { sync } from './run.ts'

/** What a server that had nothing was sent for each table: its staging, loaded in bulk. */
async function intoSqlServer(source: OpenSource): Promise<Pick<DatabaseEnd, 'read'>> {
  const writer = { connectorId: randomUUID(), runId: randomUUID(), fence: 7 }
  await using stub = await startTdsStub({
    answer: (sql) => (sql.includes('CONVERT(varchar(20), fence)') ? { rows: [['7', writer.runId]] } : undefined),
  })
  const around = connectionContext()
  await using target = await sqlServerTarget.open({ ...stub.reach, schema: 'reports' }, around)
  const quiet = (): void => {}
  const usual = { source, target, writer, syncMode: 'incremental', report: quiet, log: quiet, ...around } as const
  const sent = new Map<string, TableContents>()
  for (const { name, table, children } of await source.streams()) {
    const before = stub.bulks.length
    expect(await sync({ ...usual, streams: [name] })).toMatchObject({ status: 'completed', fault: null })
    const bulks = stub.bulks.slice(before)
    for (const [place, each] of [table, ...children].entries())
      sent.set(each.name, loaded(each, bulks.filter(intoStage(place))))
  }
  return { read: async (table) => sent.get(table) ?? { columns: [], rows: [] } }
}

const intoStage =
  (place: number) =>
  ({ sql }: BulkLoaded): boolean =>
    sql.startsWith(`insert bulk [#tributary_stage_${place}](`)

function loaded({ columns }: Table, bulks: readonly BulkLoaded[]): TableContents {
  const names = columns.map(({ name }) => name)
  return {
    columns: names,
    rows: bulks.flatMap((bulk) => bulk.rows.map((row) => names.map((name) => row[bulk.columns.indexOf(name)] ?? null))),
  }
}

test.each(['postgres', 'mysql'] as const)(
  'what SQL Server is sent of a %s source is all that is there, exactly',
  async (kind) => {
    await using end = await makeEnd(kind, 'source')
    const q = (name: string): string => end.quote(name)
    const moment = kind === 'mysql' ? 'datetime(6)' : 'timestamp'
    await end.run(
      `CREATE TABLE ${q('order')} (${q('select')} varchar(20) PRIMARY KEY, ${q('it\'s "odd"')} decimal(38,9), at ${moment}, paid boolean)`,
    )
    await end.run(
      `INSERT INTO ${q('order')} VALUES ('a', 12345678901234567890123456789.123456789, '1969-07-20 20:17:40.123456', true), ('it''s 🦀', NULL, NULL, false), ('', -0.000000001, '1000-01-01 00:00:00', NULL)`,
    )
    await end.run('CREATE TABLE nothing (id integer PRIMARY KEY)')
    await end.run('CREATE TABLE keyless (a integer)')
    await end.run('INSERT INTO keyless VALUES (1), (1), (NULL)')
    const found = sources.find(({ type }) => type === kind)
    await using source = await found?.open(found.parse(end.properties), connectionContext())
    if (source === undefined) throw new Error(`There is no source ${kind}.`)
    const sent = await intoSqlServer(source)
    for (const table of ['order', 'nothing', 'keyless']) {
      const { columns, rows } = await end.read(table)
      const records = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])))
      expect(await differencesOf(sent, new Map([[table, records]]))).toEqual([])
    }
  },
)

test('what SQL Server is sent of a cin7 source is all that is there, exactly', async () => {
  await using there = await simulatedCin7({ size: tinyCin7 })
  await using source = await there.open()
  expect(await cin7Differences(there.sim, await intoSqlServer(source))).toEqual([])
})

test('what SQL Server is sent of a uniconta source is all that is there, exactly', async () => {
  await using there = await simulatedUniconta({ companies: 1, size: tinyUniconta })
  await using source = await there.open()
  expect(await unicontaDifferences(there.sim, await intoSqlServer(source))).toEqual([])
})

test('what SQL Server is sent of a xero source is all that is there, exactly', async () => {
  await using there = await simulatedXero({ size: tinyXero })
  await using source = await there.open()
  const { sim, tenantId, clock } = there
  const target = await intoSqlServer(source)
  expect(await xeroDifferences(sim, tenantId, { now: clock.now(), withJournals: false }, { target })).toEqual([])
})
