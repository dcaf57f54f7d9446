import { expect, test } from 'vitest'
import { zeroRowCounts } from '../../../ports/run-report.ts'
import { FencedError, type RunReport } from '../../../ports/target.ts'
import { column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import {
  type AnswerStatement,
  withSqlServerTarget,
  writer,
} from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'

const startedAt = new Date('2026-11-20T08:00:00Z')
const note: RunReport = {
  status: 'completed',
  startedAt,
  endedAt: startedAt,
  notice: `it's done`,
  rows: { ...zeroRowCounts, read: 5, written: 3 },
}

test('a note to SQL Server adds to what earlier attempts noted, in one transaction with the fence last', async () => {
  const before: AnswerStatement = (sql) =>
    sql.includes('rows_read)') ? { rows: [['10', '1', '2', '3', '4']] } : undefined
  await withSqlServerTarget(async (target, stub) => {
    await target.reportRun(note)
    const from = stub.statements.findLastIndex((sql) => sql.startsWith('BEGIN TRANSACTION'))
    const [, read, write, broken, old, fence, commit] = stub.statements.slice(from)
    expect(read).toMatch(
      /^SELECT .* FROM \[reports\]\.\[tributary_run\] WHERE connector = N'connector-1' AND run_id = N'run-1'$/s,
    )
    expect(write).toContain(
      `status = N'completed', ended_at = CONVERT(datetime2(3), '2026-11-20T08:00:00.000', 126), rows_read = 15, rows_written = 4`,
    )
    expect(write).toContain(`N'it''s done'`)
    expect(broken).toMatch(/^UPDATE .* AND run_id <> N'run-1' AND status = 'running'$/s)
    expect(old).toMatch(/^DELETE .* AND started_at < CONVERT\(datetime2\(3\), '2026-08-22T08:00:00.000', 126\)$/)
    expect([fence?.includes('WITH (HOLDLOCK)'), commit]).toEqual([true, 'COMMIT TRANSACTION'])
  }, before)
})

test('a writer that SQL Server has declared dead notes nothing', async () => {
  let fence = String(writer.fence)
  const newer: AnswerStatement = (sql) =>
    sql.includes('CONVERT(varchar(20), fence)') ? { rows: [[fence, writer.runId]] } : undefined
  await withSqlServerTarget(async (target, stub) => {
    fence = '8'
    await expect(target.reportRun(note)).rejects.toBeInstanceOf(FencedError)
    expect(stub.statements.at(-1)).not.toMatch(/^COMMIT/)
  }, newer)
})

test('what would change in SQL Server is foreseen without a statement that changes anything', async () => {
  const main = table('invoice', [column('id', { kind: 'integer', bytes: 4 }, false)])
  await withSqlServerTarget(async (target, stub) => {
    const before = stub.statements.length
    expect(await target.previewChanges(stream(main))).toMatchObject([
      { column: null },
      { column: 'id', before: null, after: 'int' },
    ])
    expect(stub.statements.slice(before).filter((sql) => /\b(CREATE|ALTER|INSERT|DELETE|UPDATE)\b/.test(sql))).toEqual(
      [],
    )
  })
})
