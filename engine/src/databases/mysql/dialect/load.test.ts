import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectMysql, type MysqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import type { MysqlReach } from '../settings.ts'
import { Rejects } from '../../sql-target/rejected-rows.ts'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { shadowName } from './shadow-table.ts'
import { MysqlLoader } from './bulk-load.ts'
import type { TargetColumn, TargetTable } from '../../sql-target/table-layout.ts'
import { mysqlSession } from './session.ts'
import { asLoadData, insertSender } from './row-sender.ts'
import { mysqlTarget } from '../target.ts'

const database = `load_${randomUUID().slice(0, 8)}`
const reach = (): MysqlReach => ({ ...inject('mariadb'), database, tls: 'off' })
let connection: MysqlConnection

beforeAll(async () => {
  const root = await connectMysql({ ...reach(), database: 'mysql' }, connectionContext(), 'SET SESSION autocommit = 1')
  await root.run(`CREATE DATABASE ${quote(database)}`)
  await root[Symbol.asyncDispose]()
  connection = await connectMysql(reach(), connectionContext(), `SET SESSION time_zone = '+00:00'`)
})
afterAll(async () => {
  await connection.run(`DROP DATABASE ${quote(database)}`)
  await connection[Symbol.asyncDispose]()
})

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const name = column('name', { kind: 'text', maxLength: 50 })

describe('COPY text on its way into LOAD DATA', () => {
  test.each([
    ['a\\fb\\vc', 'a\fb\vc'],
    ['back\\\\f\\\\v', 'back\\\\f\\\\v'],
    ['odd \\\\\\f', 'odd \\\\\f'],
    ['tab\\t \\b \\N', 'tab\\t \\b \\N'],
  ])('%s is sent as %j', (given, sent) => {
    expect(asLoadData(Buffer.from(given)).toString()).toBe(sent)
  })

  test('every escape that PostgreSQL writes comes out as the character it stands for', async () => {
    const main = table('escapes', [id, name])
    await using target = await mysqlTarget.open({ ...reach(), prefix: '' }, connectionContext())
    await target.begin({ connectorId: randomUUID(), runId: 'run', fence: 1 })
    await target.prepare(stream(main))
    await using load = await target.load(stream(main), { kind: 'merge' })
    await load.write({ table: 'escapes', bytes: Buffer.from('1\t\\b\\f\\v\\\\f \\\\N\\\\\\f\n'), rows: 1 })
    await load.finish(null)
    expect(await connection.rows('SELECT name FROM escapes')).toEqual([{ name: '\b\f\v\\f \\N\\\f' }])
  })
})

describe('text beyond ASCII on its way into MariaDB', () => {
  test('is measured in characters, comes out as it went in, and is refused where it does not fit', async () => {
    const main = table('alphabets', [
      id,
      column('short', { kind: 'text', maxLength: 3 }),
      column('long', { kind: 'text' }),
      column('document', { kind: 'json' }),
      column('guid', { kind: 'guid' }),
    ])
    await using target = await mysqlTarget.open({ ...reach(), prefix: '' }, connectionContext())
    await target.begin({ connectorId: randomUUID(), runId: 'run', fence: 1 })
    await target.prepare(stream(main))
    await using load = await target.load(stream(main), { kind: 'replace', resume: false })
    await load.write(
      batch(main, [
        ['1', 'äö😀', 'naïve 漢字 😀', '{"ключ": "😀"}', null],
        ['2', 'äöü😀', null, null, null],
        ['3', null, null, null, 'ä0000000-0000-0000-0000-000000000000'],
      ]),
    )
    await load.write({ table: 'alphabets', bytes: Buffer.from('4\t\xff\t\\N\t\\N\t\\N\n', 'latin1'), rows: 1 })
    await load.finish(null)
    expect(load.rejected.map((each) => [each.row['id'], each.column])).toEqual([
      ['2', 'short'],
      ['3', 'guid'],
    ])
    expect(await connection.rows('SELECT id, short, `long`, document FROM alphabets')).toEqual([
      { id: '1', short: 'äö😀', long: 'naïve 漢字 😀', document: '{"ключ": "😀"}' },
      { id: '4', short: '\ufffd', long: null, document: null },
    ])
  })
})

describe('a MySQL server that takes no LOAD DATA LOCAL', () => {
  const columns: readonly (readonly [TargetColumn, definition: string])[] = [
    [{ name: 'id', type: 'int', values: { kind: 'integer', bytes: 4 }, isKey: true }, 'int PRIMARY KEY'],
    [{ name: 'note', type: 'varchar(9)', values: { kind: 'text', maxLength: 9 }, isKey: false }, 'varchar(9)'],
    [{ name: 'paid', type: 'tinyint(1)', values: { kind: 'boolean' }, isKey: false }, 'tinyint(1)'],
    [{ name: 'at', type: 'datetime(6)', values: { kind: 'instant', digits: 6 }, isKey: false }, 'datetime(6)'],
    [{ name: 'photo', type: 'longblob', values: { kind: 'bytes' }, isKey: false }, 'longblob'],
  ]

  test('gets the same rows by INSERT, keeps the last of each key, and names the rows that do not fit', async () => {
    await connection.run(
      `CREATE TABLE inserted (${columns.map(([{ name: each }, definition]) => `${each} ${definition}`).join(', ')})`,
    )
    const main = table(
      'inserted',
      columns.map(([{ name: each, values }]) => column(each, values)),
    )
    const target: TargetTable = {
      table: main,
      schema: '',
      name: 'inserted',
      columns: columns.map(([each]) => each),
      key: ['id'],
      parentKey: [],
    }
    const rejects = new Rejects()
    await connection.run(`SET SESSION autocommit = 0, sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE'`)
    // Small enough that a segment takes several statements.
    const sender = insertSender(connection, 300)
    const loader = new MysqlLoader(mysqlSession(connection), sender, {
      staged: { target, stage: 'inserted', into: 'inserted', distinct: false },
      loaded: 'inserted',
      encoding: 'text',
      rejects,
      isDiscardable: () => false,
    })
    const good = Array.from({ length: 40 }, (_, at) => [
      String(at),
      `it's \\ ${at}`,
      at % 2 === 0 ? 't' : 'f',
      '2024-03-31 01:30:00.123456+00',
      '\\x00ff',
    ])
    const bad = [
      ['90', 'much too long', 't', null, null],
      ['91', 'fine', 'maybe', null, null],
      ['92', 'fine', null, '2024-13-01 00:00:00+00', null],
    ]
    await loader.write(batch(main, [...good, ...bad, ['0', 'last', null, null, null]]))
    await loader.flush()
    await connection.run('COMMIT')
    expect(rejects.kept.map((each) => [each.row['id'], each.column])).toEqual([
      ['90', 'note'],
      ['91', 'paid'],
      ['92', 'at'],
    ])
    expect(
      await connection.rows(
        `SELECT COUNT(*) AS n, SUM(paid) AS paid, MAX(note) AS note, MAX(at) AS at, MAX(HEX(photo)) AS photo FROM inserted WHERE id > 0`,
      ),
    ).toEqual([{ n: '39', paid: '19', note: `it's \\ 9`, at: '2024-03-31 01:30:00.123456', photo: '00FF' }])
    expect(await connection.rows('SELECT note FROM inserted WHERE id = 0')).toEqual([{ note: 'last' }])
    await connection.run('SET SESSION autocommit = 1')
  })
})

describe('a replacement in MySQL that was killed between its decision and its end', () => {
  test.each([
    ['before the tables have changed places', false, false],
    ['before the tables have changed places, though a user has dropped the former one', false, true],
    ['after the tables have changed places, before that was noted', true, false],
  ])('%s is finished by the next run', async (_, isSwapped, isDropped) => {
    const main = table(`killed ${String(isSwapped)} ${String(isDropped)}`, [id, name])
    const writer = { connectorId: randomUUID(), runId: 'first', fence: 1 }
    const target = await mysqlTarget.open({ ...reach(), prefix: '' }, connectionContext())
    await target.begin(writer)
    await target.prepare(stream(main))
    await using half = await target.load(stream(main), { kind: 'replace', resume: false })
    await half.write(batch(main, [['1', 'new']]))
    await half.commit({ page: 1 })
    await decideSwap([main.name], writer, isSwapped)
    if (isDropped) await connection.run(`DROP TABLE ${quote(main.name)}`)

    await target.begin({ ...writer, runId: 'second', fence: 2 })
    await target.prepare(stream(main))
    expect(await target.state(stream(main))).toMatchObject({
      checkpoint: { page: 9 },
      replacement: null,
      finishedRun: 'first',
      rows: 1,
    })
    expect(await connection.rows(`SELECT id, name FROM ${quote(main.name)}`)).toEqual([{ id: '1', name: 'new' }])
    expect(await connection.rows(`SHOW TABLES LIKE 'tributary\\_old%'`)).toEqual([])
    expect(
      await connection.rows('SELECT fresh_at, rows_moved FROM tributary_freshness WHERE table_name = ?', [main.name]),
    ).toEqual([{ fresh_at: '2026-11-20 08:00:00.000', rows_moved: '1' }])
  })

  test('that cannot be finished keeps its own stream from being moved, and no other', async () => {
    const child = { ...table('stuck_line', [id, name]), parentKey: ['id'] }
    const [stuck, fine] = [table('stuck', [id, name]), table('fine', [id, name])]
    const both = { ...stream(stuck), children: [child] }
    const writer = { connectorId: randomUUID(), runId: 'first', fence: 1 }
    const target = await mysqlTarget.open({ ...reach(), prefix: '' }, connectionContext())
    await target.begin(writer)
    for (const each of [both, stream(fine)]) await target.prepare(each)
    await using half = await target.load(both, { kind: 'replace', resume: false })
    await half.write(batch(stuck, [['1', 'new']]))
    await half.commit({ page: 1 })
    await decideSwap([stuck.name, child.name], writer, false)
    await connection.run(`DROP TABLE ${quote(shadowName(writer.connectorId, child.name))}`)

    await target.begin({ ...writer, runId: 'second', fence: 2 })
    await expect(target.prepare(both)).rejects.toMatchObject({ code: 'mysql.changed_meanwhile' })
    expect(await target.prepare(stream(fine))).toEqual([])
  })

  /** Does by hand what a load's end does up to the kill. */
  async function decideSwap(
    names: readonly string[],
    writer: { connectorId: string; runId: string; fence: number },
    isSwapped: boolean,
  ): Promise<void> {
    const tables = names.map((name) => {
      const beside = shadowName(writer.connectorId, name)
      return { name, beside, former: beside.replace('tributary_new_', 'tributary_old_') }
    })
    const state = {
      checkpoint: { page: 9 },
      refresh: null,
      rows: 1,
      finishedRun: 'first',
      freshAt: '2026-11-20T08:00:00.000Z',
      sweptAt: null,
    }
    await connection.run('UPDATE tributary_state SET swap = ? WHERE connector = ?', [
      JSON.stringify({ state, tables }),
      writer.connectorId,
    ])
    await connection.run('COMMIT')
    if (!isSwapped) return
    for (const { name, beside, former } of tables)
      await connection.run(`RENAME TABLE ${quote(name)} TO ${quote(former)}, ${quote(beside)} TO ${quote(name)}`)
  }
})

describe('keys in MySQL', () => {
  test('that differ in capitals, accents or blanks at the end are different rows', async () => {
    const code = column('code', { kind: 'text', maxLength: 20 }, false)
    const main = table('codes', [code, name])
    await using target = await mysqlTarget.open({ ...reach(), prefix: 'shop' }, connectionContext())
    await target.begin({ connectorId: randomUUID(), runId: 'run', fence: 1 })
    await target.prepare(stream(main))
    await using load = await target.load(stream(main), { kind: 'merge' })
    await load.write(
      batch(main, [
        ['abc', '1'],
        ['ABC', '2'],
        ['abc ', '3'],
        ['äbc', '4'],
      ]),
    )
    expect(await load.finish(null)).toEqual({ inserted: 4, updated: 0, deleted: 0 })
    expect(await connection.rows('SELECT COUNT(*) AS n FROM shop_codes')).toEqual([{ n: '4' }])
  })
})
