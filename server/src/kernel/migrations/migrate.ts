/** Brings the store's tables up to date: the SQL files of `server/migrations` in order, each once, each whole or not at all. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { StartRefused } from '../start-error.ts'
import { listUnfit } from '../store/database-requirements.ts'
import { lockForSession } from '../store/locks.ts'

export interface Migration {
  readonly name: string
  readonly checksum: string
  readonly text: string
}

export function readMigrations(folder = join(import.meta.dirname, '../../../migrations')): readonly Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
  return files.map((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return { name: file.replace(/\.sql$/u, ''), checksum: createHash('sha256').update(text).digest('hex'), text }
  })
}

/** Returns the names of those it ran. Several processes may start at once: one migrates, the others wait for it. */
export async function migrate(connection: ClientConfig, migrations = readMigrations()): Promise<readonly string[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    // A start that finds nothing to do waits for nobody: a backup under way holds the lock for minutes.
    if ((await dueOf(client, migrations)).length === 0) return []
    for (const { found, remedy } of await listUnfit(client))
      throw new StartRefused(`The store cannot be here: ${found} ${remedy}`)
    await lockForSession(client, 'migrations')
    const due = await dueOf(client, migrations)
    for (const migration of due) await run(client, migration)
    return due.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

const makeList =
  'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())'

export interface Done {
  readonly name: string
  readonly checksum: string
  readonly ranAt: Date
}

/** What the database was brought to, in order; empty for a database of nobody's. */
export async function listDone(client: Client): Promise<readonly Done[]> {
  const there = await client.query<{ is_there: boolean }>(`SELECT to_regclass('migration') IS NOT NULL AS is_there`)
  if (there.rows[0]?.is_there !== true) return []
  const { rows } = await client.query<Done>('SELECT name, checksum, ran_at AS "ranAt" FROM migration ORDER BY name')
  return rows
}

async function dueOf(client: Client, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const done = await listDone(client)
  requireOurs(done, migrations)
  return migrations.filter(({ name }) => !done.some((one) => one.name === name))
}

/** Throws `StartRefused` where a newer Tributary, or one with other migrations, has been here. */
export function requireOurs(done: readonly Omit<Done, 'ranAt'>[], migrations: readonly Migration[]): void {
  const ours = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of done) {
    if (!ours.has(name))
      throw new StartRefused(
        `The database was made by a newer Tributary (it has the migration ${name}). Start that version.`,
      )
    if (ours.get(name) !== checksum)
      throw new StartRefused(
        `The migration ${name} is not the one this database was made with. Start an unchanged copy of Tributary.`,
      )
  }
}

async function run(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await applyMigrations(client, [migration])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw new Error(`The migration ${migration.name} failed.`, { cause: error })
  }
}

/** Part of the caller's transaction. The first one of all makes the list of them. */
export async function applyMigrations(client: Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(makeList)
  for (const { name, checksum, text } of migrations) {
    await client.query(text)
    await client.query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum])
  }
}
