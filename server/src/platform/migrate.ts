/** Brings the store's tables up to date: the SQL files of `server/migrations` in order, each once, each whole or not at all. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { StartRefused } from './start-refused.ts'

export interface Migration {
  readonly name: string
  readonly checksum: string
  readonly text: string
}

/** Any number will do, as long as every Tributary takes the same. */
const migrationLock = 7_461_890

export function readMigrations(folder = join(import.meta.dirname, '../../migrations')): readonly Migration[] {
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
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock])
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, ran_at timestamptz NOT NULL DEFAULT now())',
    )
    const { rows } = await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM migration')
    const done = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    requireOurs(done, migrations)
    const due = migrations.filter(({ name }) => !done.has(name))
    for (const migration of due) await run(client, migration)
    return due.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

function requireOurs(done: ReadonlyMap<string, string>, migrations: readonly Migration[]): void {
  const ours = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const [name, checksum] of done) {
    if (!ours.has(name))
      throw new StartRefused(`The database was made by a newer Tributary (it has the migration ${name}). Start that version.`)
    if (ours.get(name) !== checksum)
      throw new StartRefused(`The migration ${name} is not the one this database was made with. Start an unchanged copy of Tributary.`)
  }
}

async function run(client: Client, { name, checksum, text }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(text)
    await client.query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw new Error(`The migration ${name} failed.`, { cause: error })
  }
}
