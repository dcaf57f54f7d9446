/** What the commands of backups share: keys, passphrases, a store without the services of a server. */
import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { type Audit, openAudit } from '../../security/audit/audit.ts'
import { BackupRefused } from '../../security/backup/backup-refused.ts'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { openStore, type Store } from '../../kernel/store/store.ts'
import { Refused } from '../command-refused.ts'

/** The first line, as it is. */
export function readPassphrase(file: string): string {
  return readLines(file)[0] ?? ''
}

/** Lines that are neither empty nor comments. */
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

function fileRefused(error: unknown): Refused {
  const { code = 'unknown', path = '' } = error as NodeJS.ErrnoException
  const said: Readonly<Record<string, string>> = {
    ENOENT: 'There is no such file or folder',
    EACCES: 'This user may not use the file',
    EEXIST: 'The file is there already, and is not overwritten',
    ENOSPC: 'The disk is full',
    EPIPE: 'Whoever read the standard output is gone before all of it was out',
    EISDIR: 'A file is needed, and this is a folder',
  }
  return new Refused(
    'file',
    `${said[code] ?? `The file cannot be used (${code})`}${path === '' ? '' : `: ${path}`}. Nothing was changed.`,
  )
}

export async function toldAsRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupRefused) throw new Refused('backup', error.message)
    throw isOfFile(error) ? fileRefused(error) : error
  }
}

/** A line to the database is read and written, too, and breaks with these. */
const ofLine = ['ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']

function isOfFile(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return !ofLine.includes(code) && ['open', 'read', 'write', 'rename', 'fsync'].includes(syscall ?? '')
}

export interface StoreMeans {
  readonly store: Store
  readonly audit: Audit
  readonly clock: Clock
}

export async function withStore<T>(connection: ClientConfig, work: (means: StoreMeans) => Promise<T>): Promise<T> {
  const store = openStore({ connection: { ...connection, max: 2 }, onError: () => undefined })
  try {
    return await work({ store, audit: openAudit(systemClock), clock: systemClock })
  } finally {
    await store.close()
  }
}
