import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
import { findStoreProblems } from '../store/production-checks.ts'
import { StartRefused } from '../start-error.ts'
import { cloneDatabase, emptyDatabase } from '@tributary/testing/server/app/test-database.ts'

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
  const connection = await emptyDatabase()
  const ran = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
  expect(ran.flat()).toEqual(readMigrations().map(({ name }) => name))
  expect(await migrate(connection)).toEqual([])
})

test('a migration that fails leaves nothing behind, and the next start tries it again', async () => {
  const connection = await emptyDatabase()
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

test('a database that cannot hold every name is refused before anything is made in it, with what to do', async () => {
  const connection = await emptyDatabase(`ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`)
  const told = /the database holds text as SQL_ASCII.* ENCODING 'UTF8' TEMPLATE template0\.$/
  await expect(migrate(connection)).rejects.toSatisfy(
    (error) => error instanceof StartRefused && told.test(error.message),
  )
  expect(await query(connection, `SELECT to_regclass('migration') AS made`)).toEqual([{ made: null }])
  expect(await findStoreProblems(connection, [])).toEqual([expect.stringMatching(told)])
})

test('every table of an organisation is shut to its own owner by forced row level security', async () => {
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

test('production refuses a superuser, a bypass of row level security and trial accounts', async () => {
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

interface Column {
  readonly kind: string
  readonly nullable: boolean
  readonly hasDefault: boolean
}

test('the schema files say exactly what the migrations make', async () => {
  const connection = await cloneDatabase()
  const rows = await query<{ table: string; column: string; kind: string; nullable: boolean; default: boolean }>(
    connection,
    `SELECT table_name AS table, column_name AS column, udt_name AS kind, is_nullable = 'YES' AS nullable,
            column_default IS NOT NULL OR is_identity = 'YES' AS default
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migration' ORDER BY 1, ordinal_position`,
  )
  const made = rows.map((row) => [
    `${camel(row.table)}.${camel(row.column)}`,
    { kind: kinds[row.kind], nullable: row.nullable, hasDefault: row.default },
  ])
  expect(Object.fromEntries(declared())).toEqual(Object.fromEntries(made))
})

const kinds: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  bool: 'boolean',
  timestamptz: 'time',
  jsonb: 'json',
  bytea: 'Buffer',
  // Exact, and without a zone: as the database writes them.
  numeric: 'string',
  date: 'string',
  _text: 'string[]',
  _uuid: 'string[]',
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase())
}

/** The interfaces of the schema files, read as text, for types are gone when it runs. */
function declared(): [string, Column][] {
  const files = readdirSync(join(import.meta.dirname, '../store/schema'))
  const source = files
    .map((name) => readFileSync(join(import.meta.dirname, '../store/schema', name), 'utf8'))
    .join('\n')
  const tables = [...source.matchAll(/interface (\w+)Table \{\n([^}]+)\}/gu)]
  return tables.flatMap(([, name = '', body = '']) => {
    const table = name.charAt(0).toLowerCase() + name.slice(1)
    return [...body.matchAll(/^ {2}(\w+): (.+)$/gmu)].map(([, column, type = '']): [string, Column] => [
      `${table}.${column}`,
      columnOf(type),
    ])
  })
}

function columnOf(type: string): Column {
  const inner = /^Generated(?:Always)?<(.+)>$/u.exec(type)?.[1] ?? type
  const bare = inner.replace(/ \| null$/u, '')
  const isChoice = bare.startsWith("'") || bare === 'StreamPhase'
  const kind = isChoice ? 'string' : bare.startsWith('Time') ? 'time' : bare.startsWith('Json') ? 'json' : bare
  return {
    kind,
    nullable: inner !== bare || type === 'TimeOrNull',
    hasDefault: inner !== type || type.endsWith('WithDefault'),
  }
}
