import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import type { Command } from 'commander'
import { type BackupResult, makeBackup } from '../../security/backup/make-backup.ts'
import { recordBackup } from '../../security/backup/record-backup.ts'
import { type EncryptionRecipients, makeIdentity } from '../../security/backup/age-encryption.ts'
import { joinEmbedded } from '../../kernel/embedded/embedded-for-command.ts'
import { productVersion } from '../../kernel/product-version.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'
import { readPassphrase, rethrowAsRefused, withStore } from './backup-options.ts'
import { withDatabases } from '../open-services.ts'
import { requireMasterKeys } from '../require-config.ts'
import { operatorAuditContext } from '../operator.ts'
import { CommandRefused } from '../command-refused.ts'
import { formatFacts } from '../terminal-text.ts'

interface BackupOptions {
  readonly to?: string
  readonly recipient?: readonly string[]
  readonly passphraseFile?: string
}

export function backupCommands(program: Command, line: CommandLine): void {
  const group = program
    .command('backup')
    .description('save a consistent copy of the whole store to one encrypted file, while the server runs')
    .option('--to <file>', 'the file to write; - for the standard output')
    .option(
      '--recipient <age1…>',
      'who can open it: the public half of an identity; may be repeated',
      (one: string, all: readonly string[] | undefined): readonly string[] | undefined => [...(all ?? []), one],
    )
    .option('--passphrase-file <file>', 'or a file whose first line is the passphrase')
    .addHelpText('after', examples)
    .action(line.printResultOf((options: BackupOptions) => backUp(line, options)))
  group
    .command('keygen')
    .description('create an identity: a file that decrypts the backups made for its recipient')
    .argument('<file>', 'the identity file to write; keep it apart from the backups')
    .action(line.printResultOf(keygen))
}

const examples = `
The master key is not in a backup, and without it no backup can be restored: keep a copy of it elsewhere.

Examples:
  $ tributary backup keygen backup-identity.txt
  $ tributary backup --to tributary-2026-11-20.backup --recipient age1…
  $ tributary backup --to - --recipient age1… | ssh vault 'cat > tributary.backup'`

async function backUp(line: CommandLine, options: BackupOptions): Promise<CommandResult> {
  const { to: path } = options
  if (path === undefined)
    throw new CommandRefused('noFile', 'Say where the backup goes: --to <file>, or --to - for the standard output.')
  const lock = recipientsOf(options)
  return withDatabases(line.configResult, joinEmbedded, async (connection) => {
    const make = (to: Writable) =>
      makeBackup({
        connection,
        keys: requireMasterKeys(line.configResult.config),
        lock,
        productVersion: productVersion(),
        to,
      })
    const result = await rethrowAsRefused(() =>
      path === '-' ? make(line.takeOutput()) : writeToFile(path, line.signal, make),
    )
    await withStore(connection, (services) => recordBackup(services, operatorAuditContext(), result)).catch(
      (error: unknown) => {
        const why = error instanceof Error ? error.message : 'unknown error'
        throw new CommandRefused(
          'notNoted',
          `The backup is complete and can be used, but it could not be recorded as the last backup (${why}).`,
        )
      },
    )
    return { text: resultText(path, result), value: { file: path, ...result } }
  })
}

function recipientsOf({ recipient, passphraseFile }: BackupOptions): EncryptionRecipients {
  if (recipient !== undefined && passphraseFile === undefined) return { recipients: recipient }
  if (recipient === undefined && passphraseFile !== undefined) return { passphrase: readPassphrase(passphraseFile) }
  throw new CommandRefused(
    'noLock',
    'Say who can open the backup: either --recipient age1… (make one with: tributary backup keygen <file>) or --passphrase-file <file>.',
  )
}

/** Writes under another name until the backup is complete, so that a partial file is never mistaken for a backup. */
async function writeToFile(
  path: string,
  signal: AbortSignal,
  make: (to: Writable) => Promise<BackupResult>,
): Promise<BackupResult> {
  if (existsSync(path))
    throw new CommandRefused('fileExists', `${path} exists already. Choose another name; a backup overwrites nothing.`)
  const part = `${path}.part`
  if (existsSync(part))
    throw new CommandRefused(
      'fileExists',
      `${part} exists: another backup is running, or was interrupted. Delete the file if no backup is running.`,
    )
  const to = (await open(part, 'wx', 0o600)).createWriteStream({ flush: true })
  signal.addEventListener('abort', () =>
    to.destroy(new CommandRefused('stopped', 'The backup was stopped, and its incomplete file deleted.')),
  )
  try {
    const result = await make(to)
    if (!to.closed) await once(to, 'close')
    await rename(part, path)
    return result
  } catch (error) {
    to.destroy()
    await rm(part, { force: true })
    throw error
  }
}

function resultText(to: string, { madeAt, bytes, rows, tables, warehouses }: BackupResult): string {
  const figures = formatFacts({
    'Backup of': `${madeAt.slice(0, 19).replace('T', ' ')} UTC`,
    'Written to': to === '-' ? 'the standard output' : to,
    Size: `${bytes.toLocaleString('en-GB')} bytes, ${rows.toLocaleString('en-GB')} rows of ${tables} tables`,
  })
  if (warehouses.length === 0) return figures
  return `${figures}\n\nNot included: the warehouse databases ${warehouses.join(', ')}. Save them with pg_dump.`
}

async function keygen(file: string): Promise<CommandResult> {
  const { identity, recipient } = await makeIdentity()
  const text = `# Opens backups made for ${recipient}\n${identity}\n`
  await rethrowAsRefused(() => writeFile(file, text, { mode: 0o600, flag: 'wx' }))
  return {
    text: `${formatFacts({ Identity: file, Recipient: recipient })}\n\nKeep the identity apart from the backups, in a place that survives the loss of this machine.`,
    value: { file, recipient },
  }
}
