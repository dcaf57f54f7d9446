/** History in SQL Server: which statements are sent, on a server that understands none. `npm run programme -- tsql` parses them. */
import { expect, test } from 'vitest'
import type { OpenTarget } from '../../../ports/target.ts'
import { batch, column, stream, table, yielding } from '@tributary/testing/engine/sync/fixtures.ts'
import { type AnswerStatement, withSqlServerTarget } from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'
import type { TdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'

const code = column('code', { kind: 'text', maxLength: 9 }, false)
const changed = column('changed', { kind: 'instant', digits: 6 })
const invoice = table(
  'invoice',
  [
    code,
    column('total', { kind: 'decimal', precision: 18, scale: 4 }),
    column('note', { kind: 'text' }),
    column('photo', { kind: 'bytes' }),
    column('weight', { kind: 'double' }),
    changed,
  ],
  ['code'],
)
const line = {
  ...table('line', [code, column('number', { kind: 'integer', bytes: 4 }, false)], ['code', 'number']),
  parentKey: ['code'],
}
const tag = { ...table('tag', [code, column('text', { kind: 'text' })], []), parentKey: ['code'] }
const family = stream(invoice, { children: [line, tag], changedAtColumn: 'changed' })
const keyless = stream(table('log', [column('at', { kind: 'date' }), column('text', { kind: 'text' })], []))
const rows = [['a', '1.5', 'x', String.raw`\x00`, '1e300', '2026-11-28 06:00:00.123456+00']]
const cutOff = String.raw`CAST\('\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}' AS datetime2\(6\)\)`

/** The statements of `work` that begin like this. */
async function sentBy(stub: TdsStub, work: () => Promise<unknown>, start: RegExp = /./su): Promise<readonly string[]> {
  const from = stub.statements.length
  await work()
  return stub.statements.slice(from).filter((sql) => start.test(sql))
}

const load = (target: OpenTarget, kind: 'merge' | 'replace') => async (): Promise<void> => {
  await using open = await target.load(family, kind === 'merge' ? { kind } : { kind, resume: false })
  await open.write(batch(invoice, rows))
  await open.write(batch(line, [['a', '1']]))
  await open.write(batch(tag, [['a', 'new']]))
  if (kind === 'merge') await open.write({ ...batch(invoice, [['b']]), deletes: true })
  await open.finish({ page: 1 })
}

test('[TRUST-6] history of SQL Server has a table, an index over current versions and a function for each table', async () => {
  await withSqlServerTarget(async (target, stub) => {
    const sent = await sentBy(stub, () => target.prepare(family, 'on'))
    const created = sent.find((sql) => sql.startsWith('CREATE TABLE [reports].[invoice__history]')) ?? ''
    expect(created).toContain('[code] nvarchar(18) COLLATE Latin1_General_100_BIN2 NULL')
    expect(created).toContain(
      '[valid_from] datetime2(6) NULL, [valid_to] datetime2(6) NULL, [run_id] nvarchar(100) NULL',
    )
    const indexes = sent.flatMap(
      (sql) => /CREATE INDEX \[tributary_current_[0-9a-f]{12}\] ON (.*)$/u.exec(sql)?.[1] ?? [],
    )
    expect(indexes).toEqual([
      '[reports].[invoice__history] ([code]) WHERE [valid_to] IS NULL',
      '[reports].[line__history] ([code], [number]) WHERE [valid_to] IS NULL',
      '[reports].[tag__history] ([row_hash], [row_number]) WHERE [valid_to] IS NULL',
    ])
  })
  const permitted: AnswerStatement = (sql) =>
    sql.includes('HAS_PERMS_BY_NAME') ? { rows: [['1', 'CREATE']] } : undefined
  await withSqlServerTarget(async (target, stub) => {
    const functions = await sentBy(stub, () => target.prepare(family, 'on'), /^CREATE FUNCTION/u)
    expect(functions).toHaveLength(3)
    expect(functions[0]).toMatch(
      /^CREATE FUNCTION \[reports\]\.\[invoice__as_of\]\(@moment datetime2\(6\)\) RETURNS TABLE AS RETURN \(SELECT h\.\[code\]/u,
    )
  }, permitted)
})

test('[TRUST-6] history of SQL Server is kept in the transaction of the change: versions are closed, then new ones added', async () => {
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(family, 'on')
    const sent = await sentBy(stub, load(target, 'merge'))
    const order = [
      /^BEGIN TRANSACTION/u,
      /^INSERT INTO \[reports\]\.\[tag\]/u,
      new RegExp(
        String.raw`^UPDATE h SET \[valid_to\] = ${cutOff} FROM \[reports\]\.\[invoice__history\] h JOIN \[#tributary_touched\] k .* INTERSECT `,
        'su',
      ),
      new RegExp(String.raw`^INSERT INTO \[reports\]\.\[invoice__history\] .* SELECT .*${cutOff}, N'run-1'`, 'su'),
      /^UPDATE h SET .* FROM \[reports\]\.\[line__history\] h/su,
      /^INSERT INTO \[reports\]\.\[tag__history\] .*HASHBYTES\('SHA2_256'/su,
      /^COMMIT/u,
    ].map((pattern) => sent.findIndex((sql) => pattern.test(sql)))
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    // The same run again: what it wrote itself was never valid.
    const again = await sentBy(stub, load(target, 'merge'), /^DELETE h FROM/u)
    expect(again).toHaveLength(3)
    for (const sql of again) expect(sql).toContain(`h.[run_id] = N'run-1'`)
  })
})

test('[TRUST-6] a full refresh of SQL Server is compared from the shadow table before the swap', async () => {
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(family, 'on')
    const sent = await sentBy(stub, load(target, 'replace'))
    const close = sent.findIndex((sql) =>
      /^UPDATE h SET .* FROM \[reports\]\.\[tributary_new_[0-9a-f_]+\] t /su.test(sql),
    )
    const swap = sent.findIndex((sql) => sql.startsWith('EXEC sp_rename'))
    expect(close).toBeGreaterThan(-1)
    expect(swap).toBeGreaterThan(close)
    await target.prepare(keyless, 'on')
    const lines = await sentBy(
      stub,
      async () => {
        await using open = await target.load(keyless, { kind: 'replace', resume: false })
        await open.write(batch(keyless.table, [['2026-11-28', 'a']]))
        await open.finish(null)
      },
      /log__history/u,
    )
    expect(lines.some((sql) => sql.includes('ROW_NUMBER() OVER (PARTITION BY'))).toBe(true)
  })
})

test('[TRUST-6] a key comparison of SQL Server closes the versions of rows that are gone', async () => {
  const gone: AnswerStatement = (sql) =>
    sql.startsWith('SELECT (SELECT COUNT(*) FROM') ? { rows: [['5', '4']] } : undefined
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(family, 'on')
    const guard = { rows: 1_000, share: 1 }
    const compare = () => target.compareKeys(family, yielding(batch(invoice, [['a']])), guard)
    const closed = await sentBy(stub, compare, /^UPDATE h SET/u)
    expect(closed).toHaveLength(3)
    for (const sql of closed) expect(sql).toContain('NOT EXISTS (SELECT 1 FROM [reports].')
  }, gone)
})

test('[TRUST-6] old versions of SQL Server are removed, and sizes read without a special right', async () => {
  const removed: AnswerStatement = (sql) => (sql.startsWith('DELETE h FROM') ? { affected: 2 } : undefined)
  await withSqlServerTarget(async (target, stub) => {
    await target.prepare(family, 'on')
    const trim = { before: '2100-01-01T00:00:00.000000Z', keep: ['2026-11-28T06:00:00.123456Z'] }
    const trimmed = await sentBy(stub, () => target.trimHistory(family, trim), /^DELETE h FROM/u)
    expect(trimmed).toHaveLength(3)
    for (const sql of trimmed) expect(sql).toContain('AND NOT (h.[valid_from] <= CAST(')
    const sizes = await sentBy(stub, () => target.measureTables(family), /sys\.partitions/u)
    expect(sizes).toHaveLength(6)
  }, removed)
})

test('[TRUST-6] a person is erased in SQL Server by the keys of the rows that had the value, children first', async () => {
  const names = JSON.stringify({ validFrom: 'valid_from', validTo: 'valid_to' })
  const since = '2026-11-28T06:00:00.123456Z'
  const histories = ['invoice', 'line'].map((name) => [
    name,
    `${name}__history`,
    family.name,
    names,
    since,
    null,
    'SELECT 1',
  ])
  const existing = ['code', 'note', 'text'].map((name) => [name, 'nvarchar', '18', '0', '0', '0'])
  const answer: AnswerStatement = (sql) => {
    if (sql.startsWith('SELECT table_name, history_name')) return { rows: histories }
    return sql.startsWith('SELECT c.name, y.name') ? { rows: existing } : undefined
  }
  await withSqlServerTarget(async (target, stub) => {
    const tables = [
      { table: 'invoice', key: ['code'], clear: ['note'] },
      { table: 'line', key: ['code'], clear: ['text'] },
    ]
    const search = { connectorId: 'any', column: 'note', value: 'Ada', tables }
    const erased = await sentBy(
      stub,
      () => target.erasePerson([search], []),
      /^UPDATE \[reports\]\.\[(?:invoice|line)__/u,
    )
    const asText = (name: string) => `CONVERT(nvarchar(max), ${name}) COLLATE Latin1_General_100_BIN2`
    const found = `SELECT DISTINCT [code] AS [person_key_0] FROM [reports].[invoice__history] WHERE ${asText('[note]')} = N'Ada'`
    const where = `WHERE EXISTS (SELECT 1 FROM (${found}) p WHERE p.[person_key_0] = [code] AND ${asText('p.[person_key_0]')} = ${asText('[code]')})`
    expect(erased).toEqual([
      `UPDATE [reports].[line__history] SET [text] = NULL ${where}`,
      `UPDATE [reports].[invoice__history] SET [note] = NULL ${where}`,
    ])
  }, answer)
})

test('[TRUST-6] switched off, the versions of SQL Server end and the functions go; what was kept stays', async () => {
  const names = { validFrom: 'valid_from', validTo: 'valid_to', runId: 'run_id', sourceChangedAt: 'source_changed_at' }
  const since = '2026-11-28T06:00:00.123456Z'
  const kept: AnswerStatement = (sql) =>
    sql.startsWith('SELECT table_name, history_name')
      ? { rows: [['invoice', 'invoice__history', family.name, JSON.stringify(names), since, null, 'SELECT 1']] }
      : undefined
  await withSqlServerTarget(async (target, stub) => {
    const sent = await sentBy(stub, () => target.prepare(family, 'off'), /invoice__|tributary_history/u)
    expect(sent.map((sql) => sql.split(' ', 2).join(' '))).toEqual([
      'UPDATE h',
      "IF OBJECT_ID(N'[reports].[invoice__as_of]')",
      'UPDATE [reports].[tributary_history]',
    ])
    expect(sent.some((sql) => sql.includes('DROP TABLE'))).toBe(false)
  }, kept)
})

test('[TRUST-6] the history of SQL Server gets the columns that its table gets, and wider types, without its index meanwhile', async () => {
  const short = table('invoice', [code, column('total', { kind: 'text', maxLength: 9 })], ['code'])
  const names = { validFrom: 'valid_from', validTo: 'valid_to', runId: 'run_id', sourceChangedAt: 'source_changed_at' }
  const narrow: AnswerStatement = (sql) => {
    if (sql.startsWith('SELECT table_name, history_name'))
      return { rows: [['invoice', 'invoice__history', 'invoice', JSON.stringify(names), '2026', null, 'SELECT 1']] }
    if (sql.startsWith('SELECT name FROM sys.indexes')) return { rows: [['tributary_current_012345678901']] }
    if (!sql.includes('FROM sys.columns c')) return undefined
    const own = ['code', 'nvarchar', 18, 0, 0, 1]
    if (!sql.includes('invoice__history')) return { rows: [own, ['total', 'nvarchar', 36, 0, 0, 0]] }
    return { rows: [own, ['total', 'nvarchar', 18, 0, 0, 0], ['valid_from', 'datetime2', 8, 26, 6, 0]] }
  }
  await withSqlServerTarget(async (target, stub) => {
    const sent = await sentBy(
      stub,
      () => target.prepare({ ...stream(short), name: 'invoice' }, 'on'),
      /invoice__history/u,
    )
    const order = [
      /^ALTER TABLE \[reports\]\.\[invoice__history\] ADD \[valid_to\] datetime2\(6\) NULL/u,
      /^DROP INDEX \[tributary_current_012345678901\] ON/u,
      /^ALTER TABLE \[reports\]\.\[invoice__history\] ALTER COLUMN \[total\]/u,
      /CREATE INDEX/u,
    ].map((pattern) => sent.findIndex((sql) => pattern.test(sql)))
    expect(order).not.toContain(-1)
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  }, narrow)
})
