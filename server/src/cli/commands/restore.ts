import type { Command } from 'commander'
import { sql } from 'kysely'
import type { ClientConfig } from 'pg'
import {
  type BackupArchive,
  checkBackup,
  type BackupCheck,
  requireEmpty,
  restoreBackup,
} from '../../security/backup/restore.ts'
import type { DecryptionKey } from '../../security/backup/age-encryption.ts'
import { markRestored, type RestoreCleanup, finaliseRestore } from '../../security/backup/after-restore.ts'
import { commandName } from '../../kernel/embedded/embedded-for-command.ts'
import { startEmbedded } from '../../kernel/embedded/supervisor.ts'
import { readIdentities, readPassphrase, rethrowAsRefused, withStore } from './backup-options.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { requireMasterKeys, requireConfigured } from '../require-config.ts'
import { requireMigrated, withDatabases } from '../open-services.ts'
import { CommandRefused } from '../command-refused.ts'
import { formatFacts } from '../terminal-text.ts'

interface RestoreOptions {
  readonly from?: string
  readonly identityFile?: string
  readonly passphraseFile?: string
  readonly dryRun?: boolean
}

export function restoreCommands(program: Command, line: CommandLine): void {
  const group = program
    .command('restore')
    .description('restore a backup into an empty database, all or nothing')
    .option('--from <file>', 'the backup')
    .option('--identity-file <file>', 'the identity that decrypts it, from tributary backup keygen')
    .option('--passphrase-file <file>', 'or a file whose first line is the passphrase')
    .option('--dry-run', 'read and check the whole backup, and write nothing')
    .addHelpText('after', examples)
    .action(line.printResultOf((options: RestoreOptions) => restore(line, options)))
  group
    .command('settle')
    .description(
      'after a restore by other means (pg_restore, a snapshot): end the sessions, runs and unsent mail of the restored state',
    )
    .option('--made-at <time>', 'the time of the restored state, such as 2026-11-20T18:00:00Z')
    .option('--force', 'even if other connections to the database are open')
    .action(
      line.printResultOf(({ madeAt, force }: { madeAt?: string; force?: boolean }) =>
        settle(line, madeAt ?? null, force === true),
      ),
    )
}

const examples = `
The server must not run meanwhile. Afterwards all users sign in again, and unsent mail is not sent.

Examples:
  $ tributary restore --from tributary-2026-11-20.backup --identity-file backup-identity.txt --dry-run
  $ tributary restore --from tributary-2026-11-20.backup --identity-file backup-identity.txt`

/**
 * Here and below, `startEmbedded` creates the embedded database if it does not exist, and takes ownership: refused if a
 * Tributary is running on it.
 */
async function restore(line: CommandLine, options: RestoreOptions): Promise<CommandResult> {
  if (options.from === undefined) throw new CommandRefused('noFile', 'Say which backup: --from <file>.')
  requireConfigured(line.configResult)
  const archive: BackupArchive = {
    file: options.from,
    unlock: decryptionKeyOf(options),
    keys: requireMasterKeys(line.configResult.config),
  }
  if (options.dryRun === true) return dryRun(line, archive)
  return withDatabases(line.configResult, startEmbedded, async (connection) => {
    const checked = await rethrowAsRefused(() => restoreBackup(connection, archive))
    const settled = await withStore(connection, finaliseRestore)
    return {
      text: `${checkText(checked, 'Restored')}\n${cleanupText(settled)}`,
      value: { ...valueOf(checked), settled },
    }
  })
}

async function dryRun(line: CommandLine, archive: BackupArchive): Promise<CommandResult> {
  const checked = await rethrowAsRefused(() => checkBackup(archive))
  // The database of a trial would have to be created first.
  if (line.configResult.config.databaseUrl !== null)
    await withDatabases(line.configResult, startEmbedded, (connection) =>
      rethrowAsRefused(() => requireEmpty(connection)),
    )
  return { text: `${checkText(checked, 'Can be restored')}\n\nNothing was written.`, value: valueOf(checked) }
}

function decryptionKeyOf({ identityFile, passphraseFile }: RestoreOptions): DecryptionKey {
  if (identityFile !== undefined && passphraseFile === undefined) return { identities: readIdentities(identityFile) }
  if (identityFile === undefined && passphraseFile !== undefined) return { passphrase: readPassphrase(passphraseFile) }
  throw new CommandRefused(
    'noUnlock',
    'Say what decrypts the backup: either --identity-file <file> or --passphrase-file <file>, depending on how it was made.',
  )
}

function settle(line: CommandLine, madeAt: string | null, isForced: boolean): Promise<CommandResult> {
  if (madeAt !== null && Number.isNaN(Date.parse(madeAt)))
    throw new CommandRefused('time', '--made-at is not a valid time. Write it like 2026-11-20T18:00:00Z.')
  return withDatabases(line.configResult, startEmbedded, async (connection) => {
    await requireMigrated(connection)
    if (!isForced) await requireAlone(connection)
    const settled = await withStore(connection, async (backupStore) => {
      await markRestored(backupStore, madeAt === null ? null : new Date(madeAt).toISOString())
      return finaliseRestore(backupStore)
    })
    return { text: cleanupText(settled), value: settled }
  })
}

/** A running server would lose its sessions and runs, and may already have sent mail of the restored state. */
function requireAlone(connection: ClientConfig): Promise<void> {
  return withStore(connection, async ({ store }) => {
    // Across: connections belong to no organisation.
    const { rows } = await store.across((db) =>
      sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND application_name <> ${commandName}`.execute(
        db,
      ),
    )
    if (rows.length === 0) return
    const what = `Settling ends every session, every run and all unsent mail, and ${rows.length} other connections to this database are open.`
    throw new CommandRefused('inUse', `${what} Stop each web and worker process first, or use --force.`)
  })
}

function valueOf({ about, rows }: BackupCheck) {
  const { madeAt, productVersion, tables, warehouses } = about
  return { madeAt, productVersion, tables: tables.length, rows, warehouses }
}

function checkText({ about, rows }: BackupCheck, what: string): string {
  const { madeAt, productVersion, tables, warehouses } = about
  return formatFacts({
    [what]: `${rows.toLocaleString('en-GB')} rows of ${tables.length} tables`,
    'Backup of': `${madeAt.slice(0, 19).replace('T', ' ')} UTC, made by Tributary ${productVersion}`,
    Warehouses:
      warehouses.length === 0 ? 'none' : `${warehouses.join(', ')}: not included, restore them with pg_restore`,
  })
}

function cleanupText(settled: RestoreCleanup | null): string {
  if (settled === null) return 'Another process has already ended the sessions, runs and unsent mail.'
  const { runsEnded, mailsNotSent, messagesNotSent, schedulesMovedOn, grantsToRenew } = settled
  return formatFacts({
    Sessions: 'ended, with all codes and trusted devices: all users sign in again',
    Runs: `${runsEnded} that were under way ended; the next runs continue from the checkpoints in the targets`,
    Schedules: `${schedulesMovedOn} moved to their next time`,
    Mail: `${mailsNotSent} unsent mails and ${messagesNotSent} unsent webhook messages discarded`,
    'Sign-ins at sources': `${grantsToRenew} tried as soon as the server runs; those renewed since the backup must be connected again`,
  })
}
