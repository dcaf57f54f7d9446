/** Sees to it that no database is left behind by a process that cannot stop it any more. */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

/** A start that follows at once finds the database running, and keeps it. */
const defaultOrphanMs = 10_000

/**
 * A shell waits for the end of this process, by a pipe whose other end nobody else has, and then becomes the guardian: a second Node that
 * waits would take up as much memory as a quarter of the database.
 *
 * @returns a function that ends the watch, for when the database has been stopped.
 */
export function guard(home: string, orphanMs = defaultOrphanMs): () => void {
  const guardian = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'orphan-guard-process.ts'),
  ]
  const args = ['-c', 'read -r _; exec "$@"', 'sh', ...guardian, resolve(home), String(orphanMs)]
  // A process group of its own: Ctrl-C must not reach it.
  const watch = spawn('sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  watch.once('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  watch.unref()
  // Typed as a stream that may be a file; a pipe is a socket, which must not keep this process alive.
  if ('unref' in watch.stdin && typeof watch.stdin.unref === 'function') watch.stdin.unref()
  return () => void watch.kill('SIGKILL')
}
