/** Creates a consistent backup of the whole store while it is in use. */
import type { Writable } from 'node:stream'
import { copyOut } from '@tributary/engine/databases/postgres/copy-out'
import type { Client, ClientConfig } from 'pg'
import type { MasterKeys } from '../../kernel/config/master-keys.ts'
import { listMigrationRecords, readMigrations, requireKnownHistory } from '../../kernel/migrations/migrate.ts'
import { writeArchive, type ArchiveFigures } from './archive.ts'
import { createHeader, type StoredTable } from './manifest.ts'
import { columnList, quote } from './sql-names.ts'
import { BackupRefused } from './backup-refused.ts'
import { type EncryptionRecipients, createEncrypter } from './age-encryption.ts'
import { listTables } from './tables.ts'
import { lockForSession } from '../../kernel/store/locks.ts'
import { withClient } from '../../kernel/store/with-client.ts'

export interface BackupRequest {
  /** The store's owner. */
  readonly connection: ClientConfig
  readonly keys: MasterKeys
  readonly lock: EncryptionRecipients
  readonly productVersion: string
  /** Ended when the backup is complete. */
  readonly to: Writable
}

export interface BackupResult extends ArchiveFigures {
  /** ISO 8601. */
  readonly madeAt: string
  readonly tables: number
  /** Databases of the warehouse, which must be backed up separately. */
  readonly warehouses: readonly string[]
}

/** Reads one snapshot without blocking writers. Throws `BackupRefused` if there is no store to back up. */
export async function makeBackup({ connection, keys, lock, productVersion, to }: BackupRequest): Promise<BackupResult> {
  createEncrypter(lock)
  return withClient({ ...connection, application_name: 'tributary backup' }, async (client) => {
    // To this transaction, a table that a migration rewrites would look empty.
    await lockForSession(client, 'migrations', { mode: 'shared' })
    await client.query(begin)
    const about = await describeStore(client, productVersion)
    const columnsOf = new Map(about.tables.map((table) => [table.name, table]))
    const rows = (name: string) => copyOut(client, copyStatement(columnsOf.get(name)))
    const written = await writeArchive({ about, rows }, lock, keys, to)
    await client.query('COMMIT')
    return { ...written, madeAt: about.madeAt, tables: about.tables.length, warehouses: about.warehouses }
  })
}

/** Sees all organisations, without timeouts. */
const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL tributary.organisation = '*'; SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL client_encoding = 'UTF8'`

async function describeStore(client: Client, productVersion: string) {
  const migrations = await listMigrationRecords(client)
  if (migrations.length === 0)
    throw new BackupRefused('There is nothing to back up: the database was never started with Tributary.')
  requireKnownHistory(migrations, readMigrations())
  const { rows } = await client.query<{ at: Date }>('SELECT transaction_timestamp() AS at')
  const { rows: warehouses } = await client.query<{ name: string }>(
    'SELECT database_name AS name FROM warehouse ORDER BY 1',
  )
  return createHeader({
    productVersion,
    madeAt: (rows[0]?.at ?? new Date()).toISOString(),
    migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
    tables: [...(await listTables(client))],
    warehouses: warehouses.map(({ name }) => name),
  })
}

function copyStatement(table: StoredTable | undefined): string {
  if (table === undefined) throw new Error('Only tables that were listed are copied.')
  return `COPY (SELECT ${columnList(table)} FROM ${quote(table.name)}) TO STDOUT`
}
