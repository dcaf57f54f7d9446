/**
 * SQL Server as source and target on the server that `TRIBUTARY_TEST_SQLSERVER` names, compared with FreeTDS' `freebcp`
 * and a plain bulk load. `--rows=N` sets the number of rows.
 */
import { randomUUID } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlServerSource } from '@tributary/engine/databases/sqlserver/source/source'
import type { RowBatch, Table } from '@tributary/engine/ports/model'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import type { OpenTarget } from '@tributary/engine/ports/target'
import { sqlServerTarget } from '@tributary/engine/databases/sqlserver/target'
import { batch, column, stream, table } from '../../engine/sync/fixtures.ts'
import { bulkLoadText, makeServerDatabase } from '../../engine/sqlserver/sqlserver-server.ts'
import { connectionContext } from '../../engine/sync/source-context.ts'
import { compare, type Measured, readRowsOption, shell } from '../measure.ts'

const rows = readRowsOption(100_000)
await using database = await makeServerDatabase()
const { reach, connection } = database

const main = table('invoice', [
  column('id', { kind: 'integer', bytes: 4 }, false),
  column('reference', { kind: 'text', maxLength: 36 }),
  column('net', { kind: 'decimal', precision: 18, scale: 4 }),
  column('total', { kind: 'decimal', precision: 18, scale: 4 }),
  column('issued', { kind: 'instant', digits: 6 }),
  column('paid', { kind: 'boolean' }),
  column('note', { kind: 'text', maxLength: 100 }),
])

await sourceSpeed()
await targetSpeed()

async function sourceSpeed(): Promise<void> {
  await connection.run(
    `CREATE TABLE invoice (id int PRIMARY KEY, reference char(36), number varchar(20), net decimal(18,4), tax decimal(18,4), total decimal(18,4), issued datetime2(6), paid bit, note nvarchar(100), changed datetime2(6))`,
  )
  const many = 'SELECT TOP 1000 object_id FROM sys.all_columns'
  for (let from = 0; from < rows; from += 100_000) {
    await connection.run(
      `INSERT INTO invoice SELECT n, CONVERT(char(36), NEWID()), CONCAT('INV-', n), n / 7.0, n / 70.0, n / 6.0, SYSUTCDATETIME(), 1, REPLICATE(N'x', 60), SYSUTCDATETIME()
      FROM (SELECT TOP ${Math.min(rows - from, 100_000)} ${from} + ROW_NUMBER() OVER (ORDER BY a.object_id) AS n FROM (${many}) a CROSS JOIN (${many}) b) AS numbered`,
    )
  }
  const copied = join(tmpdir(), `tributary-bench-${process.pid}.txt`)
  const address = `-S ${reach.host}:${reach.port} -U '${reach.user}' -P '${reach.password}'`
  await using source = await sqlServerSource.open(
    { ...reach, tables: ['invoice'], excludedColumns: [] },
    connectionContext(),
  )
  const [invoices] = await source.streams()
  if (invoices === undefined) throw new Error('The table was not found.')
  await compare({
    title: `SQL Server as a source, ${rows.toLocaleString('en')} rows`,
    rows,
    cases: [
      {
        name: 'freebcp out',
        run: () => shell(`freebcp ${reach.database}.dbo.invoice out ${copied} -c ${address}`, { TDSVER: '7.4' }),
      },
      { name: 'Tributary reads', run: () => timed(() => readAll(source, invoices)) },
    ],
  })
  unlinkSync(copied)
}

/** Excludes the listing of tables, which happens once per run. */
async function readAll(source: OpenSource, invoices: Stream): Promise<void> {
  let read = 0
  for await (const { rows: some } of source.read(invoices, { since: null, encoding: 'text', log: () => {} }))
    read += some
  if (read !== rows) throw new Error(`${read} rows were read, not ${rows}.`)
}

async function targetSpeed(): Promise<void> {
  const values = Array.from({ length: rows }, (_, at) => [
    String(at),
    randomUUID(),
    `${at}.2500`,
    `${at}.5000`,
    '2026-01-31 10:00:00.123456+00',
    't',
    'x'.repeat(60),
  ])
  const names = main.columns.map(({ name }) => name)
  const batches = Array.from({ length: Math.ceil(rows / 2_000) }, (_, at) =>
    batch(main, values.slice(at * 2_000, (at + 1) * 2_000)),
  )
  await using target = await sqlServerTarget.open({ ...reach, schema: 'moved' }, connectionContext())
  await target.begin({ connectorId: randomUUID(), runId: randomUUID(), fence: 1 })
  let fresh = main
  // Creates the table before the measurement, because its cost does not depend on the number of rows.
  const prepare = async (): Promise<void> => {
    fresh = { ...main, name: `invoice ${randomUUID()}` }
    await target.prepare(stream(fresh))
  }
  await compare({
    title: `SQL Server as a target, ${rows.toLocaleString('en')} rows`,
    rows,
    cases: [
      { name: 'plain bulk load of the same text', run: () => timed(() => bulkLoadText(connection, names, values)) },
      { name: 'Tributary, full refresh', prepare, run: () => timed(() => loadAll(target, fresh, batches, 'replace')) },
      { name: 'Tributary, merge of the same rows', run: () => timed(() => loadAll(target, fresh, batches, 'merge')) },
    ],
  })
}

async function loadAll(
  target: OpenTarget,
  fresh: Table,
  batches: readonly RowBatch[],
  kind: 'merge' | 'replace',
): Promise<void> {
  await using load = await target.load(stream(fresh), kind === 'merge' ? { kind } : { kind, resume: false })
  for (const each of batches) await load.write({ ...each, table: fresh.name })
  await load.finish({ at: 'end' })
}

async function timed(work: () => Promise<void>): Promise<Measured> {
  const since = performance.now()
  await work()
  return { seconds: (performance.now() - since) / 1_000 }
}
