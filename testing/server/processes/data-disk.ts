/** A small disk for the data folder of a trial, which a test fills and frees while the server runs. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface DataDisk extends Disposable {
  /** As the server sees it. */
  readonly home: string
  /** Starts a program whose output goes to a file on the disk. It keeps the process id that it is started with. */
  spawn(program: readonly string[], env: Readonly<Record<string, string>>): ChildProcess
  /** Fills the disk to its last byte. */
  fill(): void
  free(): void
  /** A file of the disk, as the test reaches it. */
  path(name: string): string
}

/** Large enough for a new trial, which wants 200 MB free. */
const size = '400m'

/** As root, and as anybody where users may make namespaces. */
const ways = [['-m'], ['-Urm']].filter((flags) =>
  works(['unshare', ...flags, 'mount', '-t', 'tmpfs', 'none', tmpdir()]),
)

/** Where no disk can be mounted, the log leads to a device that is full, and the database finds no place for its files. */
export const isRealDisk = ways.length > 0

function works([command = '', ...rest]: readonly string[]): boolean {
  try {
    execFileSync(command, rest, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function openDataDisk(): DataDisk {
  const home = mkdtempSync(join(tmpdir(), 'tributary-disk-'))
  return isRealDisk ? mounted(home) : closed(home)
}

/** Mounted in a namespace of the server's own, in which the test looks through the server's process. */
function mounted(home: string): DataDisk {
  let server: ChildProcess | undefined
  const path = (name: string) => join(`/proc/${server?.pid ?? 0}/root`, home, name)
  return {
    home,
    path,
    spawn(program, env) {
      const script = `mount -t tmpfs -o size=${size} none "$0" && exec "$@" >> "$0/server.log" 2>&1`
      server = spawn('unshare', [...(ways[0] ?? []), 'sh', '-c', script, home, ...program], { env, stdio: 'ignore' })
      return server
    },
    fill() {
      const file = openSync(path('filler'), 'a')
      for (let piece = Buffer.alloc(1_048_576); piece.length > 0;) {
        try {
          writeSync(file, piece)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          piece = piece.subarray(0, Math.floor(piece.length / 2))
        }
      }
      closeSync(file)
    },
    free: () => rmSync(path('filler')),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  }
}

function closed(home: string): DataDisk {
  const sink = existsSync('/dev/full') ? '/dev/full' : '/dev/null'
  const free = () => chmodSync(join(home, 'postgres'), 0o700)
  return {
    home,
    path: (name) => join(home, name),
    spawn: (program, env) => spawn('sh', ['-c', `exec "$@" >> "$0" 2>&1`, sink, ...program], { env, stdio: 'ignore' }),
    fill: () => chmodSync(join(home, 'postgres'), 0o500),
    free,
    [Symbol.dispose]() {
      free()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
