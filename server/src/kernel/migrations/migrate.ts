/** Migrates the store: runs the SQL files of `server/migrations` in order, each once and atomically. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, ClientConfig } from 'pg'
import { StartRefused } from '../start-error.ts'
import { listDatabaseProblems } from '../store/database-requirements.ts'
import { lockForSession } from '../store/locks.ts'
import { withClient } from '../store/with-client.ts'

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

/** Returns the names of the migrations it ran. If several processes start at once, one migrates and the others wait. */
export async function migrate(connection: ClientConfig, migrations = readMigrations()): Promise<readonly string[]> {
  return withClient(connection, async (client) => {
    // Without pending migrations there is no need for the lock, which a running backup holds for minutes.
    if ((await listPendingMigrations(client, migrations)).length === 0) return []
    for (const { problem: found, remedy } of await listDatabaseProblems(client))
      throw new StartRefused(`The store cannot be here: ${found} ${remedy}`)
    await lockForSession(client, 'migrations')
    const due = await listPendingMigrations(client, migrations)
    for (const migration of due) await run(client, migration)
    return due.map(({ name }) => name)
  })
}

const makeList =
  'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())'

export interface MigrationRecord {
  readonly name: string
  readonly checksum: string
  readonly ranAt: Date
}

/** The migrations that ran in this database, in order; empty for an empty database. */
export async function listMigrationRecords(client: Client): Promise<readonly MigrationRecord[]> {
  const there = await client.query<{ is_there: boolean }>(`SELECT to_regclass('migration') IS NOT NULL AS is_there`)
  if (there.rows[0]?.is_there !== true) return []
  const { rows } = await client.query<MigrationRecord>(
    'SELECT name, checksum, ran_at AS "ranAt" FROM migration ORDER BY name',
  )
  return rows
}

async function listPendingMigrations(client: Client, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const records = await listMigrationRecords(client)
  requireKnownHistory(records, migrations)
  return migrations.filter(({ name }) => !records.some((one) => one.name === name))
}

/** Throws `StartRefused` if the database was migrated by a newer version, or with different migrations. */
export function requireKnownHistory(
  records: readonly Omit<MigrationRecord, 'ranAt'>[],
  migrations: readonly Migration[],
): void {
  const ours = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of records) {
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

/** Runs in the caller's transaction. The first migration creates the table of migrations. */
export async function applyMigrations(client: Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(makeList)
  for (const { name, checksum, text } of migrations) {
    await client.query(text)
    await client.query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum])
  }
}
