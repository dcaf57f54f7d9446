/** Puts a backup into an empty database: all of it in one transaction, or nothing. */
import { open } from 'node:fs/promises'
import { Client, type ClientConfig } from 'pg'
import { copyIn, type CopyIn } from '@tributary/engine/databases/postgres/copy-in'
import type { MasterKeys } from '../../kernel/config/master-keys.ts'
import { applyMigrations, type Migration, readMigrations } from '../../kernel/migrations/migrate.ts'
import { type Piece, readArchive } from './archive.ts'
import type { About, Manifest } from './manifest.ts'
import { columnList, quote } from './sql-names.ts'
import { BackupRefused, damaged } from './backup-refused.ts'
import type { Unlock } from './age-encryption.ts'
import { lockForSession } from '../../kernel/store/locks.ts'

export interface Archive {
  readonly file: string
  readonly unlock: Unlock
  readonly keys: MasterKeys
}

export interface Checked {
  readonly about: About
  readonly rows: number
}

/** Reads all of it and writes nothing. Throws `BackupRefused` with what is wrong. */
export async function checkBackup(archive: Archive, migrations = readMigrations()): Promise<Checked> {
  let about: About | undefined
  for await (const piece of openArchive(archive)) {
    if (piece.kind === 'about') {
      about = piece.about
      requireKnown(about, migrations)
    }
    if (piece.kind === 'end' && about !== undefined) return { about, rows: rowsOf(piece.manifest) }
  }
  throw damaged('it is empty')
}

async function* openArchive({ file, unlock, keys }: Archive): AsyncGenerator<Piece> {
  const opened = await open(file)
  yield* readArchive(opened.createReadStream(), unlock, keys)
}

function rowsOf({ tables }: Manifest): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)
}

function requireKnown({ migrations: theirs, productVersion, madeAt }: About, ours: readonly Migration[]): void {
  for (const { name, checksum } of theirs) {
    const known = ours.find((one) => one.name === name)
    if (known?.checksum === checksum) continue
    throw new BackupRefused(
      known === undefined
        ? `The backup of ${madeAt} was made by a newer Tributary (${productVersion}; it has the migration ${name}). Restore it with that version.`
        : `The backup was made by a changed copy of Tributary: its migration ${name} is another. Restore it with that copy.`,
    )
  }
}

/** Throws `BackupRefused` where the database is not empty, or the backup is not whole; nothing is written then. */
export async function restoreBackup(
  connection: ClientConfig,
  archive: Archive,
  migrations = readMigrations(),
): Promise<Checked> {
  const checked = await checkBackup(archive, migrations)
  const client = new Client({ ...connection, application_name: 'tributary restore' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await lockForSession(client, 'migrations')
    await requireNothing(client)
    await client.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL client_encoding = 'UTF8'`)
    await fill(client, archive, { about: checked.about, migrations })
    await client.query('COMMIT')
    // All of it is there by now; statistics that fail come by themselves in a while.
    await client.query('SET statement_timeout = 0; ANALYZE').catch(() => undefined)
    return checked
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Throws `BackupRefused` where there is anything that a restore could overwrite. */
export async function requireEmpty(connection: ClientConfig): Promise<void> {
  const client = new Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await requireNothing(client)
  } finally {
    await client.end()
  }
}

async function requireNothing(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND relnamespace::regnamespace::text NOT LIKE 'pg\\_%'
     AND relnamespace <> 'information_schema'::regnamespace
     AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e') ORDER BY 1 LIMIT 3`,
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(', ')
  throw new BackupRefused(
    `The database is not empty (it has ${names}). A backup is restored into an empty one only, so that nothing is overwritten: make a new database, or, in trial mode, choose a new TRIBUTARY_DATA_DIR.`,
  )
}

interface Filling {
  readonly about: About
  readonly migrations: readonly Migration[]
}

/** The tables as the backup's version had them, its rows, and then what has come since. */
async function fill(client: Client, archive: Archive, { about, migrations }: Filling): Promise<void> {
  const theirs = new Set(about.migrations.map(({ name }) => name))
  await applyMigrations(
    client,
    migrations.filter(({ name }) => theirs.has(name)),
  )
  await unguarded(client, async () => {
    await clear(client, about)
    await copyAll(client, archive, about)
    await countOn(client)
  })
  await applyMigrations(
    client,
    migrations.filter(({ name }) => !theirs.has(name)),
  )
  await client.query('INSERT INTO restore (made_at) VALUES ($1)', [about.madeAt])
}

/** Migrations put rows of their own into some tables, which are in the backup, too. */
async function clear(client: Client, { tables }: About): Promise<void> {
  for (const { name } of tables.toReversed()) {
    const { rowCount } = await client.query(`SELECT FROM ${quote(name)} LIMIT 1`)
    if (rowCount !== 0) await client.query(`DELETE FROM ${quote(name)}`)
  }
}

/** COPY does not write where row level security holds for the owner, too; and all rows are seen, whatever a migration has set. */
async function unguarded(client: Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity ORDER BY 1`,
  )
  for (const { name } of rows) await client.query(`ALTER TABLE ${quote(name)} NO FORCE ROW LEVEL SECURITY`)
  await work()
  for (const { name } of rows) await client.query(`ALTER TABLE ${quote(name)} FORCE ROW LEVEL SECURITY`)
}

async function copyAll(client: Client, archive: Archive, { tables }: About): Promise<void> {
  let current: { readonly table: string; readonly copy: CopyIn } | null = null
  let filled = 0
  for await (const piece of openArchive(archive)) {
    if (piece.kind === 'about') continue
    const table = piece.kind === 'rows' ? piece.table : null
    if (current !== null && current.table !== table) {
      filled += await current.copy.end()
      current = null
    }
    if (piece.kind === 'rows') {
      const stored = tables.find(({ name }) => name === piece.table)
      if (stored === undefined) throw damaged(`it has a table ‘${piece.table}’`)
      current ??= {
        table: piece.table,
        copy: copyIn(client, `COPY ${quote(stored.name)} (${columnList(stored)}) FROM STDIN`),
      }
      await current.copy.write(piece.bytes)
    } else if (filled !== rowsOf(piece.manifest)) throw damaged('rows are missing')
  }
}

/** The next number of each table comes after those that were restored. */
async function countOn(client: Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT relname AS table, attname AS column FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attidentity <> ''`,
  )
  for (const { table, column } of rows) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max(${quote(column)}), 0) + 1, false) FROM ${quote(table)}`,
      [quote(table), column],
    )
  }
}
