/** Verification of a SQL Server target: which statements are sent, on a server that understands none. `npm run programme -- tsql` parses them. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { postgresSource } from '../databases/postgres/source/source.ts'
import { sqlServerTarget } from '../databases/sqlserver/target.ts'
import { sync } from '../sync/run.ts'
import { awkwardTables } from '@tributary/testing/conformance/verification/awkward-values.ts'
import { makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { createdTables } from '@tributary/testing/engine/sqlserver/created-tables.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { type StubAnswer, startTdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import type { StreamVerification } from '../ports/verification.ts'
import { verify } from './verify.ts'

test('[TRUST-1] a target in SQL Server is verified by checksums of ranges, then hashes of rows, then values, and repaired by a load', async () => {
  await using end = await makeEnd('postgres', 'source')
  for (const statement of awkwardTables.postgres.statements) await end.run(statement)
  await end.run('CREATE TABLE big (id varchar(20), part int, note text, PRIMARY KEY (id, part))')
  await end.run(`INSERT INTO big SELECT 'é ' || n % 100, n, 'x' FROM generate_series(1, 30000) n`)
  const writer = { connectorId: randomUUID(), runId: randomUUID(), fence: 7 }
  const remembered = createdTables(new Set(['id', 'part']))
  const answer = (sql: string): StubAnswer | undefined => {
    if (sql.includes('CONVERT(varchar(20), fence)')) return { rows: [['7', writer.runId]] }
    if (/fn_helpcollations|snapshot_isolation_state/u.test(sql)) return { rows: [['1']] }
    if (!sql.includes('TABLESAMPLE')) return remembered(sql)
    return { rows: Array.from({ length: 40 }, (_, at) => [`é ${at}`, String(at * 500)]) }
  }
  await using stub = await startTdsStub({ answer })
  const around = connectionContext()
  await using source = await postgresSource.open(postgresSource.parse(end.properties), around)
  await using target = await sqlServerTarget.open({ ...stub.reach, schema: 'reports' }, around)
  const quiet = (): void => {}
  const ends = { source, target, writer, report: quiet, log: quiet, ...around } as const
  expect(await sync({ ...ends, syncMode: 'incremental' })).toMatchObject({ status: 'completed' })
  const from = stub.statements.length
  const bulksBefore = stub.bulks.length
  const reported: StreamVerification[] = []
  await verify({ ...ends, repair: true, report: (each) => void reported.push(each) })
  // The server has no rows, so each one is missing there, also after it was written.
  expect(reported.map(({ table, rows, differenceCount }) => [table, rows, differenceCount])).toEqual([
    ['awkward', 6, 6],
    ['big', 30_000, 30_000],
  ])
  expect(reported[0]?.streamedColumns).toEqual(
    awkwardTables.postgres.streamedElsewhere.map((name) => `awkward.${name}`),
  )
  const repaired = stub.bulks.slice(bulksBefore).filter(({ sql }) => sql.includes('[a_text]'))
  // One has a number with more digits than SQL Server stores.
  expect(repaired.flatMap(({ rows }) => rows)).toHaveLength(5)
  const sent = stub.statements.slice(from)
  const order = [
    /^SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION$/u,
    /^SELECT CONVERT\(varchar\(max\), .* FROM \[reports\]\.\[big\] TABLESAMPLE SYSTEM/su,
    /^SELECT .* FROM \(SELECT CASE WHEN .*HASHBYTES\('MD5', .* FROM \[reports\]\.\[big\]\) AS x GROUP BY/su,
    /^SELECT .*HASHBYTES\('MD5', .* FROM \[reports\]\.\[big\] WHERE /su,
    /^SELECT .* FROM \[reports\]\.\[big\] WHERE \(\[id\] = N'é \d+' AND \[part\] = \d+\) OR /su,
    /^INSERT INTO \[reports\]\.\[big\]/u,
  ].map((pattern) => sent.findIndex((sql) => pattern.test(sql)))
  expect(order).not.toContain(-1)
  expect(order).toEqual(order.toSorted((one, other) => one - other))
}, 60_000)
