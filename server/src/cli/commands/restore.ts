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
import { openDatabases } from '../../databases.ts'
import { commandName } from '../../kernel/embedded/embedded-for-command.ts'
import { startEmbedded } from '../../kernel/embedded/supervisor.ts'
import { readIdentities, readPassphrase, toldAsRefused, withStore } from './backup-options.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { keysOf, requireConfigured } from '../require-config.ts'
import { requireMigrated } from '../open-services.ts'
import { Refused } from '../command-refused.ts'
import { facts } from '../terminal-text.ts'

interface RestoreOptions {
  readonly from?: string
  readonly identityFile?: string
  readonly passphraseFile?: string
  readonly dryRun?: boolean
}

export function restoreCommands(program: Command, line: CommandLine): void {
  const group = program
    .command('restore')
    .description('put a backup into an empty database: all of it, or nothing')
    .option('--from <file>', 'the backup')
    .option('--identity-file <file>', 'what opens it: the file that tributary backup keygen made')
    .option('--passphrase-file <file>', 'or a file whose first line is the passphrase')
    .option('--dry-run', 'read and check all of it, and write nothing')
    .addHelpText('after', examples)
    .action(line.answering((asked: RestoreOptions) => restore(line, asked)))
  group
    .command('settle')
    .description(
      'after a restore by other means (pg_restore, a snapshot): end what must not live on, such as sessions, runs and mail that waited',
    )
    .option('--made-at <time>', 'when the store was as it is now, such as 2026-11-20T18:00:00Z')
    .option('--force', 'although something else is connected to the database')
    .action(
      line.answering(({ madeAt, force }: { madeAt?: string; force?: boolean }) =>
        settle(line, madeAt ?? null, force === true),
      ),
    )
}

const examples = `
The server must not run meanwhile. Everybody signs in anew afterwards; mail that waited is not sent.

Examples:
  $ tributary restore --from tributary-2026-11-20.backup --identity-file backup-identity.txt --dry-run
  $ tributary restore --from tributary-2026-11-20.backup --identity-file backup-identity.txt`

async function restore(line: CommandLine, asked: RestoreOptions): Promise<CommandResult> {
  if (asked.from === undefined) throw new Refused('noFile', 'Say which backup: --from <file>.')
  requireConfigured(line.reading)
  const archive: BackupArchive = { file: asked.from, unlock: unlockOf(asked), keys: keysOf(line.reading.config) }
  if (asked.dryRun === true) return tryOut(line, archive)
  return withDatabase(line, async (connection) => {
    const checked = await toldAsRefused(() => restoreBackup(connection, archive))
    const settled = await withStore(connection, finaliseRestore)
    return {
      text: `${toldOf(checked, 'Restored')}\n${toldOfSettled(settled)}`,
      value: { ...valueOf(checked), settled },
    }
  })
}

async function tryOut(line: CommandLine, archive: BackupArchive): Promise<CommandResult> {
  const checked = await toldAsRefused(() => checkBackup(archive))
  // The database of a trial would have to be made first.
  if (line.reading.config.databaseUrl !== null)
    await withDatabase(line, (connection) => toldAsRefused(() => requireEmpty(connection)))
  return { text: `${toldOf(checked, 'Can be restored')}\n\nNothing was written.`, value: valueOf(checked) }
}

function unlockOf({ identityFile, passphraseFile }: RestoreOptions): DecryptionKey {
  if (identityFile !== undefined && passphraseFile === undefined) return { identities: readIdentities(identityFile) }
  if (identityFile === undefined && passphraseFile !== undefined) return { passphrase: readPassphrase(passphraseFile) }
  throw new Refused(
    'noUnlock',
    'Say what opens the backup: either --identity-file <file> or --passphrase-file <file>, whichever it was made for.',
  )
}

/** The embedded database is made where there is none, and owned: a Tributary that runs on it is not disturbed. */
async function withDatabase<T>(line: CommandLine, work: (connection: ClientConfig) => Promise<T>): Promise<T> {
  const databases = await openDatabases(line.reading.config, startEmbedded)
  try {
    return await work({ ...databases.store, application_name: commandName })
  } finally {
    await databases.close()
  }
}

function settle(line: CommandLine, madeAt: string | null, isForced: boolean): Promise<CommandResult> {
  if (madeAt !== null && Number.isNaN(Date.parse(madeAt)))
    throw new Refused('time', '--made-at is no time. Write it like 2026-11-20T18:00:00Z.')
  requireConfigured(line.reading)
  return withDatabase(line, async (connection) => {
    await requireMigrated(connection)
    if (!isForced) await requireAlone(connection)
    const settled = await withStore(connection, async (means) => {
      await markRestored(means, madeAt === null ? null : new Date(madeAt).toISOString())
      return finaliseRestore(means)
    })
    return { text: toldOfSettled(settled), value: settled }
  })
}

/** A server that runs would lose its sessions and runs, and has sent by now what must not go out. */
function requireAlone(connection: ClientConfig): Promise<void> {
  return withStore(connection, async ({ store }) => {
    // Across: the database is everybody's.
    const { rows } = await store.across((db) =>
      sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND usename = current_user AND application_name <> ${commandName}`.execute(
        db,
      ),
    )
    if (rows.length === 0) return
    const what = `Settling ends every session, every run and all mail that waits, and ${rows.length} other connections to this database are open.`
    throw new Refused('inUse', `${what} Stop each web and worker process first, or say --force.`)
  })
}

function valueOf({ about, rows }: BackupCheck) {
  const { madeAt, productVersion, tables, warehouses } = about
  return { madeAt, productVersion, tables: tables.length, rows, warehouses }
}

function toldOf({ about, rows }: BackupCheck, what: string): string {
  const { madeAt, productVersion, tables, warehouses } = about
  return facts({
    [what]: `${rows.toLocaleString('en-GB')} rows of ${tables.length} tables`,
    'Backup of': `${madeAt.slice(0, 19).replace('T', ' ')} UTC, made by Tributary ${productVersion}`,
    Warehouses: warehouses.length === 0 ? 'none' : `${warehouses.join(', ')}, not in it: bring them back by pg_restore`,
  })
}

function toldOfSettled(settled: RestoreCleanup | null): string {
  if (settled === null) return 'Another process has ended what must not live on.'
  const { runsEnded, mailsNotSent, messagesNotSent, schedulesMovedOn, grantsToRenew } = settled
  return facts({
    Sessions: 'ended, with all codes and trusted devices: everybody signs in anew',
    Runs: `${runsEnded} that were under way ended; the next ones go on from what the targets have`,
    Schedules: `${schedulesMovedOn} moved on to their next time`,
    Mail: `${mailsNotSent} that waited not sent; webhook messages: ${messagesNotSent}`,
    'Sign-ins at sources': `${grantsToRenew} tried as soon as the server runs; those renewed since must be connected again`,
  })
}
