import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import { SnakeCaseStatements } from './snake-case.ts'

interface Tables {
  readonly runStream: { readonly id: string; readonly queuedAt: string }
}

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new PostgresIntrospector(one),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new SnakeCaseStatements()],
})

test('names are sent in snake_case, from the query builder and from raw SQL', () => {
  const longAgo = sql<boolean>`underWay.queuedAt < ${'2026-11-20'} AND ${sql.ref('underWay.id')} IS NOT NULL`
  const query = db.selectFrom('runStream as underWay').select('queuedAt').where(longAgo)
  expect(query.compile()).toMatchObject({
    sql: `select "queued_at" from "run_stream" as "under_way" where under_way.queued_at < $1 AND "under_way"."id" IS NOT NULL`,
    parameters: ['2026-11-20'],
  })
})

test('collations are renamed, too', () => {
  const query = db
    .selectFrom('runStream')
    .select('id')
    .orderBy('id', (by) => by.collate('naturalOrder'))
  expect(query.compile().sql).toBe('select "id" from "run_stream" order by "id" collate "natural_order"')
})

test.each([
  [
    `SELECT json_build_object('queuedAt', queuedAt) FROM runStream`,
    `SELECT json_build_object('queuedAt', queued_at) FROM run_stream`,
  ],
  ['SELECT id AS "queuedAt" FROM pg_locks', 'SELECT id AS "queuedAt" FROM pg_locks'],
  [
    `SELECT 'it''s aName' || xero2SqlProductId::timestamptz`,
    `SELECT 'it''s aName' || xero2_sql_product_id::timestamptz`,
  ],
])('text in quotes and names of PostgreSQL stay as they are: %s', (text, sent) => {
  expect(sql.raw(text).compile(db).sql).toBe(sent)
})

test('a reused template is sent unchanged', () => {
  const compile = (id: string) => sql`SELECT queuedAt FROM runStream WHERE id = ${id}`.compile(db)
  expect([compile('1').sql, compile('2').sql]).toEqual(Array(2).fill('SELECT queued_at FROM run_stream WHERE id = $1'))
})
