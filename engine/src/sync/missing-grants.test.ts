/**
 * Missing privileges: every refusal contains the statement that grants them. Running these one after the other leads to
 * a working connection.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectMysql, type MysqlConnection } from '../databases/mysql/connection.ts'
import { quote } from '../databases/mysql/quoting.ts'
import type { ConnectionTestResult } from '../ports/settings.ts'
import { mysqlSource } from '../databases/mysql/source/source.ts'
import { postgresSource } from '../databases/postgres/source/source.ts'
import { mysqlTarget } from '../databases/mysql/target.ts'
import { postgresTarget } from '../databases/postgres/target.ts'
import { sqlServerTarget } from '../databases/sqlserver/target.ts'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { makePostgresPair, type PostgresPair } from '@tributary/testing/engine/databases/postgres-pair.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { load, newWriter } from '@tributary/testing/conformance/target/target-bench.ts'
import { startTdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'

const around = connectionContext()
const user = `poor "${randomUUID().slice(0, 8)}`
const password = 'canary-poor'
const main = table('item', [column('id', { kind: 'integer', bytes: 4 }, false)])

/** Does what each refusal says, and answers all that was said. */
async function grantUntilPassed(
  check: () => Promise<readonly ConnectionTestResult[]>,
  grant: (remedy: string) => Promise<unknown>,
): Promise<string[]> {
  const said: string[] = []
  for (let round = 0; round < 20; round++) {
    const remedy = (await check()).find(({ outcome }) => outcome === 'failed')?.remedy
    if (remedy === undefined) break
    said.push(remedy)
    await grant(remedy)
  }
  expect((await check()).filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  return said
}

describe('PostgreSQL', () => {
  let pair: PostgresPair
  const name = `"${user.replaceAll('"', '""')}"`
  beforeAll(async () => {
    pair = await makePostgresPair()
    await pair.source.query(
      `CREATE ROLE ${name} LOGIN PASSWORD '${password}'; CREATE SCHEMA "Odd one"; CREATE TABLE "Odd one"."it's" (id integer PRIMARY KEY)`,
    )
    await pair.target.query(
      `REVOKE ALL ON DATABASE ${pair.target.database} FROM PUBLIC; GRANT CONNECT ON DATABASE ${pair.target.database} TO ${name}`,
    )
  })
  afterAll(async () => {
    for (const client of [pair.source, pair.target]) await client.query(`DROP OWNED BY ${name}`)
    await pair.source.query(`DROP ROLE ${name}`)
    await pair[Symbol.asyncDispose]()
  })
  const as = (side: 'source' | 'target', rest: object = {}): Record<string, unknown> => ({
    [`${side}.connectionString`]: {
      ...(pair.properties[`${side}.connectionString`] as object),
      user,
      password,
      ...rest,
    },
    'target.schema': 'Reports',
  })

  test('as a target says which GRANT is missing, on database and schema, and then takes rows', async () => {
    await using target = await postgresTarget.open(postgresTarget.parse(as('target')), around)
    const said = await grantUntilPassed(
      () => target.check(),
      (remedy) => pair.target.query(remedy),
    )
    const to = `TO ${name};`
    expect(said).toEqual([
      `GRANT CREATE ON DATABASE "${pair.target.database}" ${to}\nGRANT TEMPORARY ON DATABASE "${pair.target.database}" ${to}`,
    ])
    await pair.target.query(`CREATE SCHEMA "Reports"`)
    expect(
      await grantUntilPassed(
        () => target.check(),
        (remedy) => pair.target.query(remedy),
      ),
    ).toEqual([`GRANT USAGE, CREATE ON SCHEMA "Reports" ${to}`])
    await pair.target.query(`CREATE TABLE "Reports".tributary_run (connector text, status text)`)
    await expect(target.begin(newWriter())).rejects.toMatchObject({
      kind: 'settings',
      code: 'postgres.not_allowed',
      remedy: `ALTER TABLE "Reports"."tributary_run" OWNER ${to}`,
    })
    await pair.target.query(`DROP TABLE "Reports".tributary_run`)
    await target.begin(newWriter())
    expect(await load(target, stream(main), { batches: [batch(main, [['1']])] })).toMatchObject({ inserted: 1 })
  })

  test('as a source says which tables may not be read', async () => {
    await using source = await postgresSource.open(
      postgresSource.parse(as('source', { tables: `Odd one.it's` })),
      around,
    )
    const said = await grantUntilPassed(
      () => source.check(),
      (remedy) => pair.source.query(remedy),
    )
    expect(said).toEqual([`GRANT USAGE ON SCHEMA "Odd one" TO ${name};\nGRANT SELECT ON "Odd one"."it's" TO ${name};`])
    const [odd] = await source.streams()
    if (odd === undefined) throw new Error('The table can be seen now.')
    await pair.source.query(
      `REVOKE SELECT ON "Odd one"."it's" FROM ${name}; GRANT SELECT (id) ON "Odd one"."it's" TO ${name}`,
    )
    await pair.source.query(`ALTER TABLE "Odd one"."it's" ADD COLUMN late text`)
    const keys = source.keys?.(odd)
    await expect(keys?.[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'passing' })
  })

  test.each([
    {
      what: 'one of two tables whose name alone was chosen',
      chosen: { tables: 'deal' },
      revoke: 'REVOKE SELECT ON TABLE crm.deal',
      lost: 'crm.deal',
      statements: ['GRANT SELECT ON crm.deal'],
    },
    {
      what: 'one of two schemas',
      chosen: { schemas: 'shop,crm' },
      revoke: 'REVOKE USAGE ON SCHEMA crm',
      lost: 'crm',
      statements: ['GRANT USAGE ON SCHEMA crm', 'GRANT SELECT ON ALL TABLES IN SCHEMA crm'],
    },
  ])(
    'as a source that may not read $what any more says which, and the GRANT, in the test and in every run',
    async ({ chosen, revoke, lost, statements }) => {
      await pair.source.query(
        `${['shop', 'crm'].map((schema) => `CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.deal (id integer PRIMARY KEY)`).join(';')};
       GRANT USAGE ON SCHEMA shop, crm TO ${name}; GRANT SELECT ON shop.deal, crm.deal TO ${name}`,
      )
      try {
        await using source = await postgresSource.open(postgresSource.parse(as('source', chosen)), around)
        expect([await source.missingSelections?.(), (await source.check()).at(-1)?.outcome]).toEqual([[], 'passed'])
        await pair.source.query(`${revoke} FROM ${name}`)
        const remedy = statements.map((statement) => `${statement} TO ${name};`).join('\n')
        expect((await source.streams()).map(({ name: stream }) => stream)).toEqual(['shop.deal'])
        expect(await source.missingSelections?.()).toEqual([{ name: lost, remedy }])
        expect((await source.check()).at(-1)).toMatchObject({
          outcome: 'failed',
          notice: expect.stringContaining(` ${lost}. `),
          remedy,
        })
      } finally {
        await pair.source.query('DROP SCHEMA shop, crm CASCADE')
      }
    },
  )

  test('as a source names a chosen schema that is not there', async () => {
    await pair.source.query(
      `CREATE SCHEMA shop; CREATE TABLE shop.deal (id integer PRIMARY KEY); GRANT USAGE ON SCHEMA shop TO ${name}; GRANT SELECT ON shop.deal TO ${name}`,
    )
    await using source = await postgresSource.open(postgresSource.parse(as('source', { schemas: 'shop,gone' })), around)
    expect(await source.missingSelections?.()).toEqual([{ name: 'gone' }])
    expect((await source.check()).at(-1)).toMatchObject({
      outcome: 'failed',
      notice: expect.stringContaining('cannot see the schema gone.'),
    })
    await pair.source.query('DROP SCHEMA shop CASCADE')
  })
})

describe('MariaDB', () => {
  const database = `grants ${randomUUID().slice(0, 8)}`
  const account = `'${user}'@'%'`
  let root: MysqlConnection
  beforeAll(async () => {
    root = await connectMysql(
      { ...inject('mariadb'), database: 'mysql', tls: 'off' },
      around,
      'SET SESSION autocommit = 1',
    )
    await root.run(`CREATE DATABASE ${quote(database)}`)
    await root.run(`CREATE TABLE ${quote(database)}.item (id INT PRIMARY KEY)`)
    await root.run(`CREATE USER ${account} IDENTIFIED BY '${password}'`)
  })
  afterAll(async () => {
    await root.run(`DROP DATABASE ${quote(database)}`)
    await root.run(`DROP USER ${account}`)
    await root[Symbol.asyncDispose]()
  })
  const reach = (): Parameters<typeof mysqlTarget.open>[0] => ({
    ...inject('mariadb'),
    user,
    password,
    database,
    tls: 'off',
    prefix: '',
  })

  test('as a source and as a target says which GRANT is missing, one after the other, and then takes rows', async () => {
    await using source = await mysqlSource.open({ ...reach(), tables: ['item'], excludedColumns: [] }, around)
    const reading = await grantUntilPassed(
      () => source.check(),
      (remedy) => root.run(remedy),
    )
    expect(reading).toEqual([`GRANT SELECT ON ${quote(database)}.* TO ${account};`])
    await using target = await mysqlTarget.open(reach(), around)
    const writing = await grantUntilPassed(
      () => target.check(),
      (remedy) => root.run(remedy),
    )
    const rights = ['CREATE', 'ALTER', 'INDEX', 'INSERT', 'UPDATE', 'CREATE TEMPORARY TABLES', 'DELETE', 'DROP']
    for (const remedy of writing)
      expect(remedy).toMatch(new RegExp(`^GRANT [A-Z, ]+ ON ${quote(database)}\\.\\* TO ${account};$`))
    expect(new Set(writing.flatMap((remedy) => /^GRANT ([A-Z, ]+) ON/.exec(remedy)?.[1]?.split(', ') ?? []))).toEqual(
      new Set(rights),
    )
    await target.begin(newWriter())
    const line = table('line', main.columns)
    expect(await load(target, stream(line), { batches: [batch(line, [['1']])] })).toMatchObject({ inserted: 1 })
  })
})

describe('SQL Server', () => {
  test.each([
    [
      229,
      `The INSERT permission was denied on the object 'it''s', database 'shop', schema 'dbo'.`,
      `GRANT INSERT ON [dbo].[it''s] TO [reader];`,
    ],
    [262, `CREATE TABLE permission denied in database 'shop'.`, 'GRANT CREATE TABLE TO [reader];'],
    [
      2760,
      `The specified schema name "reports" either does not exist or you do not have permission to use it.`,
      'GRANT ALTER ON SCHEMA::[reports] TO [reader];',
    ],
  ])('names the GRANT that error %d is about', async (error, message, remedy) => {
    await using stub = await startTdsStub({
      answer: (sql) => (sql.startsWith('CREATE TABLE') ? { error, message } : undefined),
    })
    await using target = await sqlServerTarget.open({ ...stub.reach, schema: 'reports' }, around)
    expect((await target.check()).at(-1)).toMatchObject({ outcome: 'failed', remedy })
  })
})
