import { describe, expect, test } from 'vitest'
import type { Table } from '../../ports/model.ts'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import {
  type AnswerStatement,
  withSqlServerTarget,
  writer,
} from '@tributary/testing/engine/sqlserver/sqlserver-bench.ts'
import type { TdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 5 })
const total = column('total', { kind: 'decimal', precision: 9, scale: 2 })
const at = column('at', { kind: 'instant', digits: 6 })
const invoice = table('invoice', [id, name, total, at])
const lines: Table = {
  name: 'line',
  columns: [
    { ...id, name: 'invoice' },
    { ...id, name: 'number' },
  ],
  key: ['invoice', 'number'],
  parentKey: ['invoice'],
}
/** What each statement of the last transaction is about, in order. */
function lastTransaction(stub: TdsStub): readonly string[] {
  const from = stub.statements.findLastIndex((sql) => sql.startsWith('BEGIN TRANSACTION'))
  return stub.statements.slice(from).map((sql) => labels.find(([, pattern]) => pattern.test(sql))?.[0] ?? sql)
}

const labels: readonly (readonly [label: string, pattern: RegExp])[] = [
  ['begin', /^BEGIN TRANSACTION/],
  ['lock', /sp_getapplock/],
  ['delete gone lines', /^DELETE kept FROM \[reports\]\.\[line\] AS kept WHERE \(/],
  ['delete listed lines', /^DELETE kept FROM \[reports\]\.\[line\]/],
  ['delete listed', /^DELETE kept FROM \[reports\]\.\[invoice\]/],
  ['update', /^UPDATE kept .* FROM \[reports\]\.\[invoice\]/],
  ['insert', /^INSERT INTO \[reports\]\.\[invoice\]/],
  ['insert beside', /^INSERT INTO \[reports\]\.\[tributary_new_/],
  ['update beside', /^UPDATE kept .* FROM \[reports\]\.\[tributary_new_/],
  ['delete beside', /^DELETE kept FROM \[reports\]\.\[tributary_new_/],
  ['insert lines', /^INSERT INTO \[reports\]\.\[line\]/],
  ['count', /COUNT_BIG/],
  ['grants', /database_permissions/],
  ['comments', /sys\.extended_properties/],
  ['drop', /^DROP TABLE \[reports\]\.\[invoice\]$/],
  ['rename', /^EXEC sp_rename N'reports\.tributary_new_[0-9a-f]{12}_7', N'invoice', 'OBJECT'$/],
  ['patience', /^SET LOCK_TIMEOUT/],
  ['read state', /^SELECT checkpoint_json/],
  ['write state', /\[tributary_state\]/],
  ['write freshness', /\[tributary_freshness\]/],
  ['settle rejects', /\[tributary_reject\]/],
  ['fence', /CONVERT\(varchar\(20\), fence\)/],
  ['commit', /^COMMIT/],
  ['empty', /^TRUNCATE TABLE/],
]

describe('a merge into SQL Server', () => {
  test('sends every value exactly, in bulk', async () => {
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(invoice))
      await using load = await target.load(stream(invoice), { kind: 'merge' })
      await load.write(
        batch(invoice, [
          ['1', 'a\tb\n', '90071.93', '2024-03-31 01:30:00.123456+00'],
          ['2', '', null, null],
          ['3', '🦀', '-0.10', null],
        ]),
      )
      await load.finish({ page: 1 })
      expect(stub.bulks).toEqual([
        {
          sql: 'insert bulk [#tributary_stage_0]([id] int, [name] nvarchar(10), [total] decimal(38, 2), [at] datetime2(6)) WITH (KEEP_NULLS,TABLOCK)',
          columns: ['id', 'name', 'total', 'at'],
          rows: [
            ['1', 'a\tb\n', '90071.93', '2024-03-31 01:30:00.123456'],
            ['2', '', null, null],
            ['3', '🦀', '-0.10', null],
          ],
        },
      ])
    })
  })

  test('takes long texts, JSON and bytes as they are', async () => {
    const wide = table('wide', [
      id,
      column('note', { kind: 'text' }),
      column('detail', { kind: 'json' }),
      column('photo', { kind: 'bytes' }),
    ])
    const row = ['1', 'x'.repeat(100_000), `{"n": 1.50, "t": "${'y'.repeat(9_000)}"}`, `\\x${'ab'.repeat(20_000)}`]
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(wide))
      await using load = await target.load(stream(wide), { kind: 'merge' })
      await load.write(batch(wide, [row]))
      await load.finish(null)
      expect(stub.bulks[0]?.rows).toEqual([row])
    })
  })

  test('is one transaction: what has gone, what differs, what is new, the state, and the fence last', async () => {
    const family = stream(invoice, { children: [lines] })
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(family)
      await using load = await target.load(family, { kind: 'merge' })
      await load.write(batch(invoice, [['1', 'a', '1.00', null]]))
      await load.write(batch(lines, [['1', '1']]))
      await load.write({ ...batch(invoice, [['9']]), deletes: true })
      await load.finish({ page: 1 })
      const order = [
        'begin',
        'lock',
        'delete listed lines',
        'delete listed',
        'delete gone lines',
        'update',
        'insert',
        'insert lines',
        'read state',
        'count',
        'write freshness',
        'write freshness',
        'write freshness',
        'write freshness',
        'write state',
        'write state',
        'fence',
        'commit',
        'empty',
        'empty',
        'empty',
      ]
      expect(lastTransaction(stub)).toEqual(order)
      expect(stub.bulks.map((bulk) => [bulk.columns, bulk.rows])).toContainEqual([['id'], [['9']]])
    })
  })

  test('counts what was inserted, updated and deleted', async () => {
    const affected: AnswerStatement = (sql) => {
      if (sql.startsWith('UPDATE kept')) return { affected: 2 }
      return sql.startsWith('INSERT INTO [reports].[invoice]') ? { affected: 3 } : undefined
    }
    const counts = await withSqlServerTarget(async (target) => {
      await target.prepare(stream(invoice))
      await using load = await target.load(stream(invoice), { kind: 'merge' })
      return await load.finish({ page: 1 })
    }, affected)
    expect(counts).toEqual({ inserted: 3, updated: 2, deleted: 0 })
  })

  test('of a writer that was declared dead is not committed', async () => {
    let isOverrun = false
    const fence: AnswerStatement = (sql) =>
      isOverrun && sql.includes('CONVERT(varchar(20), fence)') ? { rows: [['8']] } : undefined
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(invoice))
      await using load = await target.load(stream(invoice), { kind: 'merge' })
      await load.write(batch(invoice, [['1', 'a', '1.00', null]]))
      isOverrun = true
      await expect(load.finish({ page: 1 })).rejects.toMatchObject({ name: 'FencedError' })
      expect(lastTransaction(stub)).not.toContain('commit')
      await expect(target.begin(writer)).rejects.toMatchObject({ name: 'FencedError' })
    }, fence)
  })
})

describe('a row that does not fit SQL Server', () => {
  test('is found before it is rounded, cut or refused, and kept aside with its column', async () => {
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(invoice))
      await using load = await target.load(stream(invoice), { kind: 'merge' })
      const rows = [
        ['1', 'fine', '1.10000', null],
        ['2', 'much too long', '2', null],
        ['3', 'fine', '2.005', null],
        ['4', 'fine', '12345678.00', null],
        ['5', 'fine', 'NaN', 'infinity'],
      ]
      await load.write(batch(invoice, rows))
      await load.finish(null)
      expect(load.rejected.map((each) => [each.row['id'], each.column])).toEqual([
        ['2', 'name'],
        ['3', 'total'],
        ['4', 'total'],
        ['5', 'total'],
      ])
      expect(load.rejected.at(-1)?.reason).toContain('The target has no value for ‘NaN’.')
      expect(stub.bulks[0]?.rows).toEqual([['1', 'fine', '1.10', null]])
    })
  })

  test('is stored without the values that SQL Server does not know where that was chosen, and they are counted', async () => {
    await withSqlServerTarget(
      async (target, stub) => {
        await target.prepare(stream(invoice))
        await using load = await target.load(stream(invoice), { kind: 'merge' })
        await load.write(batch(invoice, [['5', 'fine', 'NaN', 'infinity']]))
        await load.finish(null)
        expect(stub.bulks[0]?.rows).toEqual([['5', 'fine', null, null]])
        expect([load.rejectedCount, load.nulledCount]).toEqual([0, 2])
      },
      undefined,
      { unknownValues: 'null' },
    )
  })

  test('is kept aside where its key is not whole', async () => {
    await withSqlServerTarget(async (target) => {
      await target.prepare(stream(invoice))
      await using load = await target.load(stream(invoice), { kind: 'merge' })
      await load.write(batch(invoice, [[null, 'a', null, null]]))
      await load.finish(null)
      expect(load.rejected).toMatchObject([{ column: 'id', reason: 'A column of the key has no value.' }])
    })
  })
})

describe('a replacement in SQL Server', () => {
  test('is loaded beside the table and takes its place, its rights and its checkpoint in one transaction', async () => {
    const grants: AnswerStatement = (sql) =>
      sql.includes('database_permissions')
        ? { rows: [['GRANT SELECT ON [reports].[invoice] TO [analyst]']] }
        : undefined
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(invoice))
      await using load = await target.load(stream(invoice), { kind: 'replace', resume: false })
      await load.write(batch(invoice, [['1', 'a', '1.00', null]]))
      await load.finish({ page: 9 })
      expect(lastTransaction(stub)).toEqual([
        'begin',
        'lock',
        'delete beside',
        'insert beside',
        'read state',
        'count',
        'patience',
        'grants',
        'comments',
        'drop',
        'rename',
        'GRANT SELECT ON [reports].[invoice] TO [analyst]',
        'write freshness',
        'write freshness',
        'write state',
        'write state',
        'settle rejects',
        'fence',
        'commit',
        'empty',
        'empty',
      ])
      expect(stub.statements.find((sql) => sql.startsWith('INSERT INTO [reports].[tributary_state]'))).toContain(
        `N'{"page":9}'`,
      )
    }, grants)
  })

  test('clears away what earlier writers have left beside the table, and nothing of a successor', async () => {
    let names: readonly string[] = []
    const left: AnswerStatement = (sql) =>
      sql.startsWith('SELECT t.name FROM sys.tables') ? { rows: names.map((name) => [name]), columns: 1 } : undefined
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(invoice))
      names = [`tributary_new_0123456789ab_${writer.fence - 1}`, `tributary_new_0123456789ab_${writer.fence + 3}`]
      await using load = await target.load(stream(invoice), { kind: 'replace', resume: false })
      await load.finish(null)
      expect(stub.statements.filter((sql) => sql.startsWith('DROP TABLE [reports].[tributary_new_'))).toEqual([
        `DROP TABLE [reports].[${names[0]}]`,
      ])
    }, left)
  })

  test('keeps the columns that the source no longer fills, empty', async () => {
    const left: AnswerStatement = (sql) =>
      sql.includes('c.name NOT IN') ? { rows: [['[legacy] [nvarchar](50) NULL']] } : undefined
    await withSqlServerTarget(async (target, stub) => {
      await target.prepare(stream(invoice))
      await using load = await target.load(stream(invoice), { kind: 'replace', resume: false })
      await load.finish(null)
      expect(stub.statements.find((sql) => sql.startsWith('ALTER TABLE [reports].[tributary_new_'))).toMatch(
        / ADD \[legacy\] \[nvarchar\]\(50\) NULL$/u,
      )
    }, left)
  })
})
