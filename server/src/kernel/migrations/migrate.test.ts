import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
import { findStoreProblems } from '../store/production-checks.ts'
import { StartRefused } from '../start-error.ts'
import { cloneDatabase, createEmptyDatabase } from '@tributary/testing/server/app/test-database.ts'

async function query<T extends pg.QueryResultRow>(connection: pg.ClientConfig, sql: string): Promise<T[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

test('several processes that start at once migrate once', async () => {
  const connection = await createEmptyDatabase()
  const ran = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
  expect(ran.flat()).toEqual(readMigrations().map(({ name }) => name))
  expect(await migrate(connection)).toEqual([])
})

test('a failed migration is rolled back, and the next start retries it', async () => {
  const connection = await createEmptyDatabase()
  const first = readMigrations().slice(0, 1)
  const broken = { name: '0002_broken', checksum: 'x', text: 'CREATE TABLE half (id int); SELECT 1/0' }
  await expect(migrate(connection, [...first, broken])).rejects.toThrow('0002_broken')
  expect(await query(connection, `SELECT to_regclass('half') AS half`)).toEqual([{ half: null }])
  expect(await migrate(connection, [...first, { ...broken, text: 'CREATE TABLE half (id int)' }])).toEqual([
    '0002_broken',
  ])
})

test('a changed migration, and a database of a newer version, are refused in one line', async () => {
  const connection = await cloneDatabase()
  const migrations = readMigrations()
  await expect(
    migrate(
      connection,
      migrations.map((one) => ({ ...one, checksum: 'other' })),
    ),
  ).rejects.toThrow(StartRefused)
  await expect(migrate(connection, migrations.slice(0, -1))).rejects.toThrow('newer Tributary')
})

test('a database with another encoding is refused before any change, with the remedy', async () => {
  const connection = await createEmptyDatabase(
    `ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
  )
  const problem = /the database holds text as SQL_ASCII.* ENCODING 'UTF8' TEMPLATE template0\.$/
  await expect(migrate(connection)).rejects.toSatisfy(
    (error) => error instanceof StartRefused && problem.test(error.message),
  )
  expect(await query(connection, `SELECT to_regclass('migration') AS made`)).toEqual([{ made: null }])
  expect(await findStoreProblems(connection, [])).toEqual([expect.stringMatching(problem)])
})

test('forced row level security applies to the owner of every organisation table', async () => {
  const connection = await cloneDatabase()
  const rows = await query<{ name: string }>(
    connection,
    `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attname = 'organisation_id' AND relname <> 'session'
       AND NOT (relrowsecurity AND relforcerowsecurity)`,
  )
  expect(rows).toEqual([])
  expect(await query(connection, `SELECT count(*)::int AS seen FROM membership`)).toEqual([{ seen: 0 }])
  expect(await query(connection, `SELECT count(*)::int AS seen FROM organisation`)).toEqual([{ seen: 0 }])
})

test('production refuses a superuser, BYPASSRLS and trial accounts', async () => {
  const connection = await cloneDatabase()
  expect(await findStoreProblems(connection, ['admin@demo.example'])).toEqual([
    expect.stringContaining('trial accounts'),
  ])
  expect(await findStoreProblems(connection, [])).toEqual([])
  expect(await findStoreProblems({ ...inject('postgres'), database: 'postgres' }, [])).toEqual([
    expect.stringContaining('superuser'),
  ])
  const [problem] = await findStoreProblems({ ...connection, password: 'canary-wrong' }, [])
  expect(problem).toContain('cannot be reached')
  expect(problem).not.toContain('canary')
})

interface DeclaredColumn {
  readonly kind: string
  readonly nullable: boolean
  readonly hasDefault: boolean
}

test('the schema files match the migrations exactly', async () => {
  const connection = await cloneDatabase()
  const rows = await query<{ table: string; column: string; kind: string; nullable: boolean; default: boolean }>(
    connection,
    `SELECT table_name AS table, column_name AS column, udt_name AS kind, is_nullable = 'YES' AS nullable,
            column_default IS NOT NULL OR is_identity = 'YES' AS default
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'migration' ORDER BY 1, ordinal_position`,
  )
  const made = rows.map((row) => [
    `${camel(row.table)}.${camel(row.column)}`,
    { kind: kinds[row.kind], nullable: row.nullable, hasDefault: row.default },
  ])
  // PostgreSQL calls every column of a view nullable.
  const views = await query<{ name: string }>(
    connection,
    `SELECT table_name AS name FROM information_schema.views WHERE table_schema = 'public'`,
  )
  const isOfView = (column: string) => views.some(({ name }) => column.startsWith(`${camel(name)}.`))
  expect(Object.fromEntries(declared().filter(([column]) => !isOfView(column)))).toEqual(Object.fromEntries(made))
})

const kinds: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  bool: 'boolean',
  timestamptz: 'time',
  jsonb: 'json',
  bytea: 'Buffer',
  // Kept as PostgreSQL's text: numbers are exact, and times have no zone.
  numeric: 'string',
  date: 'string',
  _text: 'string[]',
  _uuid: 'string[]',
  _int2: 'number[]',
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase())
}

/** Reads the interfaces of the schema files as text, because types do not exist at run time. */
function declared(): [string, DeclaredColumn][] {
  const files = readdirSync(join(import.meta.dirname, '../store/schema'))
  const source = files
    .map((name) => readFileSync(join(import.meta.dirname, '../store/schema', name), 'utf8'))
    .join('\n')
  const shared = new Map([...source.matchAll(/interface (\w+) \{\n([^}]+)\}/gu)].map(([, name, body]) => [name, body]))
  // `table: { columns }`, `table: Shared` or `table: Shared & Other & { columns }`.
  const tables = [...source.matchAll(/^ {2}(\w+): ((?:[A-Z]\w+ &\s+)*)(?:([A-Z]\w+)|\{\n([^}]+)\})$/gmu)]
  return tables.flatMap(([, table = '', bases = '', base = '', own = '']) => {
    const names = [...bases.split('&'), base].map((name) => name.trim())
    const body = names.map((name) => shared.get(name) ?? '').join('') + own
    return [...body.matchAll(/^ +(\w+): (.+)$/gmu)].map(([, column, type = '']): [string, DeclaredColumn] => [
      `${table}.${column}`,
      columnOf(type),
    ])
  })
}

function columnOf(type: string): DeclaredColumn {
  const inner = /^Generated(?:Always)?<(.+)>$/u.exec(type)?.[1] ?? type
  const bare = inner.replace(/ \| null$/u, '')
  const isChoice = bare.startsWith("'") || bare === 'StreamPhase' || bare === 'HistoryReason'
  const kind = isChoice
    ? 'string'
    : bare.includes('TimeColumn')
      ? 'time'
      : bare.startsWith('JsonColumn')
        ? 'json'
        : bare.replace('TokenScope[]', 'string[]')
  return {
    kind,
    nullable: inner !== bare || type === 'NullableTimeColumn',
    hasDefault: inner !== type || /WithDefault(?:<|$)/u.test(type),
  }
}
