/** The suite of every source, and each column type, on the SQL Server that `TRIBUTARY_TEST_SQLSERVER` names. */
import { describe, expect, test } from 'vitest'
import type { SqlServerReach } from '../settings.ts'
import type { OpenSource } from '../../../ports/source.ts'
import { readAll, type SourceUnderTest, testSource } from '@tributary/testing/conformance/source/source-suite.ts'
import { lacks, makeServerDatabase } from '@tributary/testing/engine/sqlserver/sqlserver-server.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { sqlServerSource } from './source.ts'

function open(reach: SqlServerReach, signal?: AbortSignal): Promise<OpenSource> {
  return sqlServerSource.open({ ...reach, tables: [], excludedColumns: [] }, connectionContext(signal))
}

const numbers =
  'FROM (SELECT TOP 2000 ROW_NUMBER() OVER (ORDER BY a.object_id) AS n FROM sys.all_columns a CROSS JOIN sys.all_columns b) AS numbered'

testSource('SQL Server as a source', async (): Promise<SourceUnderTest> => {
  const version = lacks('minActiveRowversion') ? '' : ', version rowversion'
  const { reach, connection, ...database } = await makeServerDatabase([
    'CREATE TABLE invoice (id int PRIMARY KEY, total decimal(18,4), note nvarchar(max), last_modified datetime2(6) NOT NULL DEFAULT SYSUTCDATETIME())',
    `INSERT INTO invoice (id, total, note) SELECT n, n / 7.0, REPLICATE(N'tab\t newline\n backslash \\ Ω 🦀', 20) ${numbers}`,
    `CREATE TABLE line (invoice_id int, number smallint, product varchar(40)${version}, PRIMARY KEY (invoice_id, number))`,
    `INSERT INTO line (invoice_id, number, product) SELECT n, 1, 'chair' ${numbers} WHERE n <= 50`,
    'CREATE TABLE log (said nvarchar(max))',
    `INSERT INTO log VALUES ('twice'), ('twice')`,
    'CREATE VIEW due AS SELECT id, total FROM invoice WHERE id < 4',
    ...(lacks('changeTracking') ? [] : tracked),
  ])
  return {
    open: (signal) => open(reach, signal),
    openRefused: () => open({ ...reach, password: 'canary-wrong-password' }),
    async change() {
      await connection.run('UPDATE invoice SET total = total + 1, last_modified = SYSUTCDATETIME() WHERE id = 7')
      return ['dbo.invoice']
    },
    rows: { 'dbo.invoice': 2_000, 'dbo.line': 50, 'dbo.log': 2, 'dbo.due': 3 },
    secrets: [reach.password, 'canary-wrong-password'],
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
})

const tracked = [
  'ALTER DATABASE CURRENT SET CHANGE_TRACKING = ON',
  'CREATE TABLE visit (id int PRIMARY KEY)',
  'ALTER TABLE visit ENABLE CHANGE_TRACKING',
  'INSERT INTO visit VALUES (1), (2)',
]

// What this server lacks runs against the stub instead.
if (lacks('changeTracking') || lacks('minActiveRowversion') || lacks('ticks')) {
  describe('changeTracking, minActiveRowversion and ticks, on the stub', async () => {
    await import('./source.test.ts')
  })
}

const columns: readonly (readonly [definition: string, value: string, type: object, text: string | null])[] = [
  ['tinyint', '255', { kind: 'integer', bytes: 2 }, '255'],
  ['smallint', '-32768', { kind: 'integer', bytes: 2 }, '-32768'],
  ['int', '-2147483648', { kind: 'integer', bytes: 4 }, '-2147483648'],
  ['bigint', '-9223372036854775808', { kind: 'integer', bytes: 8 }, '-9223372036854775808'],
  ['bit', '1', { kind: 'boolean' }, 't'],
  [
    'decimal(38,10)',
    '-1234567890123456789012345678.0123456789',
    { kind: 'decimal', precision: 38, scale: 10 },
    '-1234567890123456789012345678.0123456789',
  ],
  ['numeric(9,2)', '-0.10', { kind: 'decimal', precision: 9, scale: 2 }, '-0.10'],
  ['money', '-922337203685477.5807', { kind: 'decimal', precision: 19, scale: 4 }, '-922337203685477.5807'],
  ['smallmoney', '214748.3647', { kind: 'decimal', precision: 10, scale: 4 }, '214748.3647'],
  ['float', '0.1', { kind: 'double' }, '0.1'],
  ['real', '16777216', { kind: 'double' }, '16777216'],
  ['char(5)', `'ab'`, { kind: 'text', maxLength: 5 }, 'ab   '],
  ['varchar(20)', `'tab\t'`, { kind: 'text', maxLength: 20 }, 'tab\t'],
  ['nchar(3)', `N'Ω'`, { kind: 'text', maxLength: 3 }, 'Ω  '],
  ['nvarchar(20)', `N'naïve 🦀 '`, { kind: 'text', maxLength: 20 }, 'naïve 🦀 '],
  ['nvarchar(max)', `REPLICATE(CONVERT(nvarchar(max), N'Ω'), 100000)`, { kind: 'text' }, 'Ω'.repeat(100_000)],
  ['text', `'long'`, { kind: 'text' }, 'long'],
  ['ntext', `N'Ω'`, { kind: 'text' }, 'Ω'],
  ['binary(4)', '0x00FF5C', { kind: 'bytes' }, '\\x00ff5c00'],
  ['varbinary(8)', '0x00FF5C0A', { kind: 'bytes' }, '\\x00ff5c0a'],
  ['varbinary(max)', '0x', { kind: 'bytes' }, '\\x'],
  ['image', '0x0100', { kind: 'bytes' }, '\\x0100'],
  [
    'uniqueidentifier',
    `'6B1F0C52-0D5A-4C0B-9A51-3F0C6D2E7A10'`,
    { kind: 'guid' },
    '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10',
  ],
  ['date', `'1899-12-30'`, { kind: 'date' }, '1899-12-30'],
  ['time(7)', `'23:59:59.999999'`, { kind: 'time' }, '23:59:59.9999990'],
  ['smalldatetime', `'2024-02-29 23:59:00'`, { kind: 'localTimestamp', digits: 0 }, '2024-02-29 23:59:00'],
  ['datetime', `'1969-07-20 20:17:40.123'`, { kind: 'localTimestamp', digits: 3 }, '1969-07-20 20:17:40.123'],
  ['datetime2(6)', `'9999-12-31 23:59:59.999999'`, { kind: 'localTimestamp', digits: 6 }, '9999-12-31 23:59:59.999999'],
  [
    'datetimeoffset(6)',
    `'2024-03-31 03:30:00.000001 +02:00'`,
    { kind: 'instant', digits: 6 },
    '2024-03-31 01:30:00.000001+00',
  ],
]

describe('a SQL Server column', () => {
  test.each(columns)('of type %s is read exactly', async (definition, value, type, text) => {
    await using database = await makeServerDatabase([
      `CREATE TABLE one (id int PRIMARY KEY, value ${definition})`,
      `INSERT INTO one VALUES (1, ${value}), (2, NULL)`,
    ])
    await using source = await open(database.reach)
    const [stream] = await source.streams()
    if (stream === undefined) throw new Error('The table was not found.')
    expect(stream.table.columns[1]?.type).toEqual(type)
    expect((await readAll(source, stream, null)).rows.get('one')?.toSorted()).toEqual([
      ['1', text],
      ['2', null],
    ])
  })
})
