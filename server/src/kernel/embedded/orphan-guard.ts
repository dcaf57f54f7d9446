/** Stops the embedded database if this process is killed and cannot stop it itself. */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

/** A server that starts within this time takes over the running database. */
const defaultOrphanMs = 10_000

/**
 * A shell waits on a pipe that closes when this process ends, and then executes the guard. A waiting Node process instead
 * would take a quarter of the database's memory.
 *
 * @returns a function that dismisses the guard after the database has been stopped
 */
export function startOrphanGuard(home: string, orphanMs = defaultOrphanMs): () => void {
  const guardian = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'orphan-guard-process.ts'),
  ]
  const args = ['-c', 'read -r _; exec "$@"', 'sh', ...guardian, resolve(home), String(orphanMs)]
  // A separate process group: Ctrl-C must not reach it.
  const watch = spawn('sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  watch.once('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  watch.unref()
  // Typed as a stream that may be a file; a pipe is a socket, which must not keep this process alive.
  if ('unref' in watch.stdin && typeof watch.stdin.unref === 'function') watch.stdin.unref()
  return () => void watch.kill('SIGKILL')
}
