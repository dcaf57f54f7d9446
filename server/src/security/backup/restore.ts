/** Restores a backup into an empty database, atomically in one transaction. */
import { open } from 'node:fs/promises'
import type { Client, ClientConfig } from 'pg'
import { copyIn, type CopyIn } from '@tributary/engine/databases/postgres/copy-in'
import type { MasterKeys } from '../../kernel/config/master-keys.ts'
import { applyMigrations, type Migration, readMigrations } from '../../kernel/migrations/migrate.ts'
import { type ArchivePiece, readArchive } from './archive.ts'
import type { ArchiveHeader, ArchiveManifest } from './manifest.ts'
import { columnList, quote } from './sql-names.ts'
import { BackupRefused, damaged } from './backup-refused.ts'
import type { DecryptionKey } from './age-encryption.ts'
import { lockForSession } from '../../kernel/store/locks.ts'
import { withClient } from '../../kernel/store/with-client.ts'

export interface BackupArchive {
  readonly file: string
  readonly unlock: DecryptionKey
  readonly keys: MasterKeys
}

export interface BackupCheck {
  readonly about: ArchiveHeader
  readonly rows: number
}

/** Verifies the whole backup without writing. Throws `BackupRefused` if something is wrong. */
export async function checkBackup(archive: BackupArchive, migrations = readMigrations()): Promise<BackupCheck> {
  let about: ArchiveHeader | undefined
  for await (const piece of openArchive(archive)) {
    if (piece.kind === 'about') {
      about = piece.about
      requireKnownMigrations(about, migrations)
    }
    if (piece.kind === 'end' && about !== undefined) return { about, rows: rowsOf(piece.manifest) }
  }
  throw damaged('it is empty')
}

async function* openArchive({ file, unlock, keys }: BackupArchive): AsyncGenerator<ArchivePiece> {
  const opened = await open(file)
  yield* readArchive(opened.createReadStream(), unlock, keys)
}

function rowsOf({ tables }: ArchiveManifest): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)
}

function requireKnownMigrations(
  { migrations: theirs, productVersion, madeAt }: ArchiveHeader,
  ours: readonly Migration[],
): void {
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

/** Throws `BackupRefused` if the database is not empty or the backup is damaged; nothing is written then. */
export async function restoreBackup(
  connection: ClientConfig,
  archive: BackupArchive,
  migrations = readMigrations(),
): Promise<BackupCheck> {
  const checked = await checkBackup(archive, migrations)
  return withClient({ ...connection, application_name: 'tributary restore' }, async (client) => {
    await lockForSession(client, 'migrations')
    await requireNothing(client)
    await client.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL client_encoding = 'UTF8'`)
    await fillDatabase(client, archive, { about: checked.about, migrations })
    await client.query('COMMIT')
    // The restore is committed. If ANALYZE fails, autovacuum collects the statistics later.
    await client.query('SET statement_timeout = 0; ANALYZE').catch(() => undefined)
    return checked
  })
}

/** Throws `BackupRefused` if the database contains anything that a restore could overwrite. */
export async function requireEmpty(connection: ClientConfig): Promise<void> {
  await withClient(connection, requireNothing)
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

interface RestorePlan {
  readonly about: ArchiveHeader
  readonly migrations: readonly Migration[]
}

/** Creates the tables of the backup's version, copies the rows, and runs the later migrations. */
async function fillDatabase(client: Client, archive: BackupArchive, { about, migrations }: RestorePlan): Promise<void> {
  const theirs = new Set(about.migrations.map(({ name }) => name))
  await applyMigrations(
    client,
    migrations.filter(({ name }) => theirs.has(name)),
  )
  await withoutRowSecurity(client, async () => {
    await deleteMigratedRows(client, about)
    await copyAll(client, archive, about)
    await advanceSequences(client)
  })
  await applyMigrations(
    client,
    migrations.filter(({ name }) => !theirs.has(name)),
  )
  await client.query('INSERT INTO restore (made_at) VALUES ($1)', [about.madeAt])
}

/** Deletes rows that migrations inserted, because the backup contains them, too. */
async function deleteMigratedRows(client: Client, { tables }: ArchiveHeader): Promise<void> {
  for (const { name } of tables.toReversed()) {
    const { rowCount } = await client.query(`SELECT FROM ${quote(name)} LIMIT 1`)
    if (rowCount !== 0) await client.query(`DELETE FROM ${quote(name)}`)
  }
}

/** Disables forced row level security, under which COPY cannot write. */
async function withoutRowSecurity(client: Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity ORDER BY 1`,
  )
  for (const { name } of rows) await client.query(`ALTER TABLE ${quote(name)} NO FORCE ROW LEVEL SECURITY`)
  await work()
  for (const { name } of rows) await client.query(`ALTER TABLE ${quote(name)} FORCE ROW LEVEL SECURITY`)
}

async function copyAll(client: Client, archive: BackupArchive, { tables }: ArchiveHeader): Promise<void> {
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

/** Advances each sequence past the restored rows. */
async function advanceSequences(client: Client): Promise<void> {
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
