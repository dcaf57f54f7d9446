/** Shared by the backup commands: identities, passphrases, errors, and a store without the services of a server. */
import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { type Audit, openAudit } from '../../security/audit/audit.ts'
import { BackupRefused } from '../../security/backup/backup-refused.ts'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { openStore, type Store } from '../../kernel/store/store.ts'
import { CommandRefused } from '../command-refused.ts'

/** Returns the first line unchanged. */
export function readPassphrase(file: string): string {
  return readLines(file)[0] ?? ''
}

/** Returns the lines that are neither empty nor comments. */
export function readIdentities(file: string): readonly string[] {
  return readLines(file).filter((line) => line !== '' && !line.startsWith('#'))
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/u)
  } catch (error) {
    throw fileRefused(error)
  }
}

function fileRefused(error: unknown): CommandRefused {
  const { code = 'unknown', path = '' } = error as NodeJS.ErrnoException
  const messages: Readonly<Record<string, string>> = {
    ENOENT: 'There is no such file or folder',
    EACCES: 'This user may not use the file',
    EEXIST: 'The file exists already, and is not overwritten',
    ENOSPC: 'The disk is full',
    EPIPE: 'The reader of the standard output closed it before the backup was complete',
    EISDIR: 'A file is needed, and this is a folder',
  }
  return new CommandRefused(
    'file',
    `${messages[code] ?? `The file cannot be used (${code})`}${path === '' ? '' : `: ${path}`}. Nothing was changed.`,
  )
}

/** Runs `work`, and throws `CommandRefused` for its backup errors and file errors. */
export async function rethrowAsRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupRefused) throw new CommandRefused('backup', error.message)
    throw isFileError(error) ? fileRefused(error) : error
  }
}

/** Connections to the database fail in `read` and `write`, too, but with these codes. */
const connectionErrorCodes = ['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']

function isFileError(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return !connectionErrorCodes.includes(code) && ['open', 'read', 'write', 'rename', 'fsync'].includes(syscall ?? '')
}

export interface BackupStore {
  readonly store: Store
  readonly audit: Audit
  readonly clock: Clock
}

export async function withStore<T>(
  connection: ClientConfig,
  work: (backupStore: BackupStore) => Promise<T>,
): Promise<T> {
  const store = openStore({ connection: { ...connection, max: 2 }, onError: () => undefined })
  try {
    return await work({ store, audit: openAudit(systemClock), clock: systemClock })
  } finally {
    await store.close()
  }
}
