/** The file of the master keys: a key a line, of which the first wraps and the others only open. Replaced as a whole, never half. */
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

/** Puts a new one before those that are there. */
export function addMasterKey(file: string): void {
  replace(file, [randomBytes(32).toString('base64'), ...listKeyLines(readFileSync(file, 'utf8'))])
}

/** Keeps the first only. */
export function dropFormerMasterKeys(file: string): void {
  replace(file, listKeyLines(readFileSync(file, 'utf8')).slice(0, 1))
}

function replace(file: string, lines: readonly string[]): void {
  const { mode, uid, gid } = statSync(file)
  const written = `${file}.${process.pid}`
  try {
    writeFileSync(written, `${lines.join('\n')}\n`, { mode: mode & 0o777, flag: 'wx', flush: true })
    // Whoever runs the command may be somebody else than whoever runs the server.
    if (uid !== process.getuid?.()) chownSync(written, uid, gid)
    renameSync(written, file)
    flushFolder(dirname(file))
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
}

/** The name, too, is on the disk before anything is wrapped by the new key: the database may be on another machine. */
function flushFolder(folder: string): void {
  // Windows opens no folder, and writes the change of a name down by itself.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
