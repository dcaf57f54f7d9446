import { randomUUID } from 'node:crypto'
import { describe, expect, inject, test } from 'vitest'
import { connectMysql, type MysqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import type { MysqlReach } from '../settings.ts'
import type { Checkpoint } from '../../../ports/model.ts'
import type { OpenSource, Stream } from '../../../ports/source.ts'
import { readAll, type SourceUnderTest, testSource } from '@tributary/testing/conformance/source/source-suite.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { safeBound } from './safe-bound.ts'
import { mysqlSource } from './source.ts'

interface Shop extends AsyncDisposable {
  readonly reach: MysqlReach
  readonly connection: MysqlConnection
}

async function makeShop(statements: readonly string[]): Promise<Shop> {
  const reach: MysqlReach = { ...inject('mariadb'), database: 'mysql', tls: 'off' }
  const connection = await connectMysql(reach, connectionContext(), `SET SESSION time_zone = '+00:00', sql_mode = ''`)
  const database = `source_${randomUUID().slice(0, 8)}`
  for (const sql of [
    `CREATE DATABASE ${quote(database)} CHARACTER SET utf8mb4`,
    `USE ${quote(database)}`,
    ...statements,
  ])
    await connection.run(sql)
  return {
    reach: { ...reach, database },
    connection,
    async [Symbol.asyncDispose]() {
      await connection.run(`DROP DATABASE ${quote(database)}`)
      await connection[Symbol.asyncDispose]()
    },
  }
}

function open(reach: MysqlReach, signal?: AbortSignal): Promise<OpenSource> {
  return mysqlSource.open({ ...reach, tables: [], excludedColumns: [] }, connectionContext(signal))
}

async function streamNamed(source: OpenSource, name: string): Promise<Stream> {
  const found = (await source.streams()).find((stream) => stream.name === name)
  if (found === undefined) throw new Error(`There is no stream ${name}.`)
  return found
}

const invoices = `CREATE TABLE invoice (id INT PRIMARY KEY, total DECIMAL(18,4), note TEXT,
  updated_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6))`

testSource('MariaDB as a source', async (): Promise<SourceUnderTest> => {
  const shop = await makeShop([
    invoices,
    `INSERT INTO invoice (id, total, note) SELECT seq, seq / 7, REPEAT('tab\t newline\n backslash \\\\ Ω 🦀', 20) FROM seq_1_to_2000`,
    `CREATE TABLE line (invoice_id INT, number SMALLINT UNSIGNED, product VARCHAR(40), PRIMARY KEY (invoice_id, number))`,
    `INSERT INTO line SELECT seq, 1, 'chair' FROM seq_1_to_50`,
    `CREATE TABLE log (said TEXT)`,
    `INSERT INTO log VALUES ('twice'), ('twice')`,
    `CREATE VIEW due AS SELECT id, total FROM invoice WHERE id < 4`,
  ])
  return {
    open: (signal) => open(shop.reach, signal),
    openRefused: () => open({ ...shop.reach, password: 'canary-wrong-password' }),
    async change() {
      await shop.connection.run('UPDATE invoice SET total = total + 1 WHERE id = 7')
      return ['invoice']
    },
    rows: { invoice: 2_000, line: 50, log: 2, due: 3 },
    secrets: [shop.reach.password, 'canary-wrong-password'],
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
})

const columns: readonly (readonly [definition: string, value: string, type: object, text: string | null])[] = [
  ['TINYINT(1)', '1', { kind: 'boolean' }, 't'],
  ['BIT(1)', `b'0'`, { kind: 'boolean' }, 'f'],
  ['TINYINT UNSIGNED', '255', { kind: 'integer', bytes: 2 }, '255'],
  ['SMALLINT UNSIGNED', '65535', { kind: 'integer', bytes: 4 }, '65535'],
  ['MEDIUMINT', '-8388608', { kind: 'integer', bytes: 4 }, '-8388608'],
  ['INT UNSIGNED', '4294967295', { kind: 'integer', bytes: 8 }, '4294967295'],
  ['INT(8) ZEROFILL', '42', { kind: 'integer', bytes: 8 }, '42'],
  ['BIGINT', '-9223372036854775808', { kind: 'integer', bytes: 8 }, '-9223372036854775808'],
  ['BIGINT UNSIGNED', '18446744073709551615', { kind: 'decimal', precision: 20, scale: 0 }, '18446744073709551615'],
  ['YEAR', '2026', { kind: 'integer', bytes: 2 }, '2026'],
  [
    'DECIMAL(38,10)',
    `'-1234567890123456789012345678.0123456789'`,
    { kind: 'decimal', precision: 38, scale: 10 },
    '-1234567890123456789012345678.0123456789',
  ],
  ['FLOAT', '16777217', { kind: 'double' }, '16777216'],
  ['DOUBLE', '0.1', { kind: 'double' }, '0.1'],
  ['DATE', `'2024-02-29'`, { kind: 'date' }, '2024-02-29'],
  ['DATE NOT NULL', `'0000-00-00'`, { kind: 'date' }, null],
  ['DATETIME(3)', `'1899-12-30 23:59:59.999'`, { kind: 'localTimestamp', digits: 3 }, '1899-12-30 23:59:59.999'],
  ['DATETIME', `'2024-00-12 10:00:00'`, { kind: 'localTimestamp', digits: 0 }, null],
  [
    'TIMESTAMP(6) NULL',
    `'2024-03-31 01:30:00.000001'`,
    { kind: 'instant', digits: 6 },
    '2024-03-31 01:30:00.000001+00',
  ],
  ['TIME', `'-838:59:59'`, { kind: 'text', maxLength: 17 }, '-838:59:59'],
  ['CHAR(5)', `'ä\t'`, { kind: 'text', maxLength: 5 }, 'ä\t'],
  ['VARCHAR(20) CHARACTER SET latin1', `'na\\0ïve'`, { kind: 'text', maxLength: 20 }, 'naïve'],
  ['LONGTEXT', `REPEAT('🦀', 100000)`, { kind: 'text' }, '🦀'.repeat(100_000)],
  [`ENUM('small', 'large')`, `'large'`, { kind: 'text' }, 'large'],
  [`SET('a', 'b')`, `'a,b'`, { kind: 'text' }, 'a,b'],
  ['JSON', `'{"n": 1.50}'`, { kind: 'json' }, '{"n": 1.50}'],
  ['UUID', `'6B1F0C52-0D5A-4C0B-9A51-3F0C6D2E7A10'`, { kind: 'guid' }, '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10'],
  ['VARBINARY(8)', `X'00FF5C0A'`, { kind: 'bytes' }, '\\x00ff5c0a'],
  ['BLOB', `''`, { kind: 'bytes' }, '\\x'],
  ['BIT(12)', `b'101'`, { kind: 'bytes' }, '\\x0005'],
  ['POINT', 'POINT(1, 2)', { kind: 'text' }, 'POINT(1 2)'],
  ['INET6', `'::1'`, { kind: 'text' }, '::1'],
]

describe('a MySQL column', () => {
  test.each(columns)('of type %s is read exactly', async (definition, value, type, text) => {
    await using shop = await makeShop([
      `CREATE TABLE one (id INT PRIMARY KEY, value ${definition})`,
      `INSERT INTO one VALUES (1, ${value})`,
    ])
    await using source = await open(shop.reach)
    const stream = await streamNamed(source, 'one')
    expect(stream.table.columns[1]?.type).toEqual(type)
    expect((await readAll(source, stream, null)).rows.get('one')).toEqual([['1', text]])
  })
})

describe('what has changed in a MySQL table', () => {
  test('is found by a column that the server keeps, else by one whose name says so; a table without either, or without a key, is read whole', async () => {
    await using shop = await makeShop([
      invoices,
      'CREATE TABLE programs (id INT PRIMARY KEY, LastModifiedDate DATETIME NOT NULL)',
      'CREATE TABLE maybe (id INT PRIMARY KEY, updated_at DATETIME NULL)',
      'CREATE TABLE keyless (id INT, updated_at TIMESTAMP NOT NULL)',
      'CREATE TABLE loosely (code VARCHAR(9) NOT NULL UNIQUE, modified_on DATETIME NOT NULL)',
      'CREATE VIEW shown AS SELECT * FROM programs',
    ])
    await using source = await open(shop.reach)
    const found = (await source.streams()).map((stream) => [stream.name, stream.reads, stream.table.key])
    expect(found).toEqual([
      ['invoice', 'since', ['id']],
      ['keyless', 'whole', []],
      ['loosely', 'since', ['code']],
      ['maybe', 'whole', ['id']],
      ['programs', 'since', ['id']],
      ['shown', 'whole', []],
    ])
    const reasons = (await source.streams()).flatMap(({ name, wholeReason }) =>
      wholeReason === undefined ? [] : [[name, wholeReason.split(/[.,]/u)[0]]],
    )
    expect(reasons).toEqual([
      ['keyless', 'It has no primary key'],
      ['maybe', 'No column tells when a row was changed'],
      ['shown', 'It is a view'],
    ])
  })

  test('a row whose transaction was still open during the last read comes with the next, and old rows do not', async () => {
    await using shop = await makeShop([
      invoices,
      `INSERT INTO invoice (id, updated_at) SELECT seq, '2020-01-01' FROM seq_1_to_100`,
    ])
    await using source = await open(shop.reach)
    const stream = await streamNamed(source, 'invoice')
    const { connection } = shop
    await connection.run('START TRANSACTION')
    await connection.run('UPDATE invoice SET total = 1 WHERE id = 5')
    const first = await readAll(source, stream, null)
    expect(first.rows.get('invoice')).toHaveLength(100)
    await connection.run('COMMIT')
    const second = await readAll(source, stream, first.checkpoint)
    expect(second.rows.get('invoice')?.map((row) => [row[0], row[1]])).toEqual([['5', '1.0000']])
  })

  test('a read that was cut short goes on behind the last key it gave, and promises no more than its beginning saw', async () => {
    await using shop = await makeShop([
      `CREATE TABLE wide (area VARCHAR(9), id INT, filling TEXT, updated_at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), PRIMARY KEY (area, id))`,
      `INSERT INTO wide (area, id, filling, updated_at) SELECT IF(seq % 2, 'it''s', 'b\\\\'), seq, REPEAT('x', 30000), '2020-01-01' FROM seq_1_to_2000`,
    ])
    await using source = await open(shop.reach)
    const stream = await streamNamed(source, 'wide')
    const half = await readHalf(source, stream)
    await shop.connection.run(`UPDATE wide SET filling = 'changed' WHERE id = 2`)
    const rest = await readAll(source, stream, half.checkpoint)
    expect(half.rows + (rest.rows.get('wide')?.length ?? 0)).toBe(2_000)
    const later = await readAll(source, stream, rest.checkpoint)
    expect(later.rows.get('wide')?.map((row) => [row[1], row[2]])).toEqual([['2', 'changed']])
  })
})

describe('the moment up to which changes have been seen', () => {
  test('lies before a transaction at work began, however long the questions to the server take', async () => {
    await using shop = await makeShop([invoices])
    await using reader = await connectMysql(shop.reach, connectionContext(), `SET SESSION time_zone = '+00:00'`)
    const [begun] = await shop.connection.rows('SELECT UTC_TIMESTAMP(6) AS at')
    await shop.connection.run('START TRANSACTION')
    await shop.connection.run('INSERT INTO invoice (id) VALUES (1)')
    let minutes = 0
    const slow: MysqlConnection = {
      ...reader,
      async rows(sql, values) {
        const answer = await reader.rows(sql, values)
        // On this session's clock every answer takes a minute.
        await reader.run(`SET SESSION timestamp = UNIX_TIMESTAMP('${begun?.['at']}') + ${++minutes * 60}`)
        return answer
      },
    }
    const { from } = await safeBound(slow, { name: 'updated_at', keptBy: 'server', clock: 'instant' })
    expect(from <= (begun?.['at'] ?? '')).toBe(true)
    await shop.connection.run('ROLLBACK')
  })
})

describe('the connection to a MySQL server', () => {
  test('is encrypted unless the settings say otherwise, and a server without encryption is refused before it learns the password', async () => {
    await using shop = await makeShop([])
    await using source = await open({ ...shop.reach, tls: 'verify' })
    await expect(source.streams()).rejects.toMatchObject({ kind: 'settings', code: 'mysql.no_tls' })
    const parsed = mysqlSource.parse({
      'source.connectionString': { host: 'db', port: '', database: 'd', user: 'u', password: 'p', tables: 'one\ntwo' },
    })
    expect(parsed).toEqual({
      host: 'db',
      port: 3306,
      database: 'd',
      user: 'u',
      password: 'p',
      tls: 'verify',
      tables: ['one', 'two'],
      excludedColumns: [],
    })
  })

  test.each([
    ['database', { database: 'no such database' }, 'mysql.database_unknown'],
    ['table', { tables: ['no such table'] }, 'mysql.tables_missing'],
  ])('names a wrong %s in its checks', async (_, change, code) => {
    await using shop = await makeShop([])
    const fault: unknown = await connectMysql({ ...shop.reach, ...change }, connectionContext(), 'SELECT 1').catch(
      (error: unknown) => error,
    )
    await using source = await mysqlSource.open(
      { ...shop.reach, tables: [], excludedColumns: [], ...change },
      connectionContext(),
    )
    const checks = await source.check()
    const failed = checks.find((check) => check.outcome === 'failed')
    expect(failed?.notice).toMatch(code === 'mysql.tables_missing' ? /no such table/ : /no database of that name/)
    if (code === 'mysql.database_unknown') expect(fault).toMatchObject({ kind: 'settings', code })
  })
})

describe('a read of a MySQL table', () => {
  const endless = [
    `CREATE TABLE endless (id INT PRIMARY KEY, filling TEXT)`,
    `INSERT INTO endless SELECT seq, REPEAT('x', 2000) FROM seq_1_to_20000`,
  ]

  test('ends with the reason when it is aborted in its midst', async () => {
    await using shop = await makeShop(endless)
    const stop = new AbortController()
    await using source = await open(shop.reach, stop.signal)
    const stream = await streamNamed(source, 'endless')
    const reading = source.read(stream, { since: null, encoding: 'text', log: () => {} })[Symbol.asyncIterator]()
    await reading.next()
    stop.abort(new Error('stopped by a person'))
    await expect(drain(reading)).rejects.toThrow('stopped by a person')
  })

  test('that loses its connection is a passing fault', async () => {
    await using shop = await makeShop(endless)
    await using source = await open(shop.reach)
    const stream = await streamNamed(source, 'endless')
    const reading = source.read(stream, { since: null, encoding: 'text', log: () => {} })[Symbol.asyncIterator]()
    await reading.next()
    const readers = await shop.connection.rows(
      'SELECT id FROM information_schema.processlist WHERE db = ? AND id <> CONNECTION_ID()',
      [shop.reach.database],
    )
    for (const { id } of readers) await shop.connection.run(`KILL ${Number(id)}`)
    await expect(drain(reading)).rejects.toMatchObject({ kind: 'passing', code: 'mysql.connection_lost' })
  })
})

async function drain(reading: AsyncIterator<unknown>): Promise<void> {
  for (let next = await reading.next(); next.done !== true; next = await reading.next());
}

/** Stops at the first checkpoint that comes before the end. */
async function readHalf(source: OpenSource, stream: Stream): Promise<{ rows: number; checkpoint: Checkpoint }> {
  let rows = 0
  for await (const batch of source.read(stream, { since: null, encoding: 'text', log: () => {} })) {
    rows += batch.rows
    if (batch.checkpoint?.['after'] !== undefined) return { rows, checkpoint: batch.checkpoint }
  }
  throw new Error('The read gave no checkpoint on its way.')
}
