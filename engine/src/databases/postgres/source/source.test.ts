import type pg from 'pg'
import { expect, inject, test } from 'vitest'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { testSource, type SourceUnderTest } from '@tributary/testing/conformance/source/source-suite.ts'
import { makeDatabase } from '@tributary/testing/engine/databases/postgres.ts'
import { postgresSource } from './source.ts'

/** Every type with special handling, in tables, partitions, views and odd names. */
const shop = `
CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
CREATE DOMAIN amount AS numeric(12,3);
CREATE DOMAIN small_amount AS amount CHECK (VALUE < 100);
CREATE TYPE place AS (street text, number integer);
CREATE TABLE plain (id bigint PRIMARY KEY, name varchar(20), note text, price numeric(18,4), share double precision, open boolean,
  day date, hour time, wall timestamp, moment timestamptz, reference uuid, document jsonb, raw bytea);
INSERT INTO plain SELECT n, 'name ' || n, E'tab\\t newline\\n back\\\\slash', n * 1.2345, n / 7.0, n % 2 = 0, '2024-02-29'::date + n,
  '13:05:00.000001', '1969-07-20 20:17:40.123456', '1969-07-20 20:17:40.5+02', gen_random_uuid(), '{"a": [1, 2.50]}', '\\x00ff' FROM generate_series(1, 500) n;
CREATE TABLE odd (id integer NOT NULL, part text NOT NULL, mood mood, amount small_amount, cost money, tags text[], place place, span int4range,
  wait interval, code char(5), doc json, address inet, bits bit(3), zoned timetz, free numeric, wide numeric(3,-2), narrow numeric(2,4), single real, UNIQUE (part, id));
INSERT INTO odd VALUES (1, 'a', 'it''s ok', 1.5, '1234.50', '{x,"y,z",NULL}', ('Main "St"', 7), '[1,5)', '1 day 02:00', 'ab', '{"b":1}', '10.0.0.1', B'101', '10:00+02', 12345678901234567890.123, 1234, 0.0012, 0.1),
  (2, 'a', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'NaN', NULL, NULL, 'Infinity');
CREATE TABLE endless (id integer PRIMARY KEY, until date, moment timestamptz, wall timestamp);
INSERT INTO endless VALUES (1, 'infinity', '-infinity', 'infinity'), (2, '0044-03-15 BC', '10000-01-01', '0001-01-01');
CREATE TABLE part (id integer, month date, PRIMARY KEY (id, month)) PARTITION BY RANGE (month);
CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
CREATE TABLE part_2 PARTITION OF part FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
INSERT INTO part VALUES (1, '2024-01-05'), (2, '2024-02-05');
CREATE TABLE keyless (name text);
INSERT INTO keyless VALUES ('same'), ('same');
CREATE TABLE empty (id integer PRIMARY KEY);
CREATE SCHEMA sales;
CREATE TABLE sales."Order ""Lines""" ("Order Id" integer, "select" text, "naïve Ω" text, PRIMARY KEY ("Order Id", "select"));
INSERT INTO sales."Order ""Lines""" VALUES (1, 'a', NULL), (1, 'b', '');
CREATE VIEW expensive AS SELECT id, price FROM plain WHERE price > 100;
CREATE MATERIALIZED VIEW totals AS SELECT open, sum(price) AS price FROM plain GROUP BY open;`

async function make(): Promise<SourceUnderTest> {
  const client: pg.Client = await makeDatabase()
  await client.query(shop)
  const server = inject('postgres')
  const properties = (password: string): Record<string, unknown> => ({
    'source.connectionString': {
      ...server,
      port: String(server.port),
      password,
      database: client.database,
      sslmode: 'disable',
    },
  })
  const open = (password: string, signal?: AbortSignal): ReturnType<typeof postgresSource.open> =>
    postgresSource.open(postgresSource.parse(properties(password)), connectionContext(signal))
  return {
    open: (signal) => open(server.password, signal),
    openRefused: () => open('canary-wrong-password'),
    async change() {
      await client.query(
        `UPDATE plain SET name = 'changed' WHERE id = 7; UPDATE part SET month = '2024-01-06' WHERE id = 1; INSERT INTO empty VALUES (1)`,
      )
      return ['public.plain', 'public.part', 'public.empty']
    },
    rows: {
      'public.plain': 500,
      'public.odd': 2,
      'public.endless': 2,
      'public.part': 2,
      'public.keyless': 2,
      'public.empty': 0,
      'sales.Order "Lines"': 2,
      'public.expensive': 419,
      'public.totals': 2,
    },
    secrets: [server.password, 'canary-wrong-password'],
    [Symbol.asyncDispose]: () => client.end(),
  }
}

testSource('PostgreSQL as a source', make)

test('a table that is read whole says why', async () => {
  await using made = await make()
  await using source = await made.open()
  const reasons = (await source.streams()).flatMap(({ name, wholeReason }) =>
    wholeReason === undefined ? [] : [[name, wholeReason.split(/[.,]/u)[0]]],
  )
  expect(reasons).toEqual([
    ['public.expensive', 'It is a view'],
    ['public.keyless', 'It has no primary key'],
    ['public.totals', 'It is a view'],
  ])
})
