/** The file of the master keys: one key per line. The first wraps, the others only unwrap. Replaced atomically. */
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { listKeyLines } from '../../kernel/config/master-keys.ts'

/** Adds a new first key. */
export function addMasterKey(file: string): void {
  replace(file, [randomBytes(32).toString('base64'), ...listKeyLines(readFileSync(file, 'utf8'))])
}

/** Keeps only the first key. */
export function dropFormerMasterKeys(file: string): void {
  replace(file, listKeyLines(readFileSync(file, 'utf8')).slice(0, 1))
}

function replace(file: string, lines: readonly string[]): void {
  const { mode, uid, gid } = statSync(file)
  const written = `${file}.${process.pid}`
  try {
    writeFileSync(written, `${lines.join('\n')}\n`, { mode: mode & 0o777, flag: 'wx', flush: true })
    // The command may run as another user than the server.
    if (uid !== process.getuid?.()) chownSync(written, uid, gid)
    renameSync(written, file)
    flushFolder(dirname(file))
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
}

/** Flushes the rename to disk before the new key is used: the database may be on another machine. */
function flushFolder(folder: string): void {
  // Windows cannot open a folder, and flushes renames itself.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
