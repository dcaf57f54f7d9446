/** A small disk for the data folder of a trial. A test fills and frees it while the server runs. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface DataDisk extends Disposable {
  /** The path for the server. */
  readonly home: string
  /** Starts a program that logs to a file on the disk. The program keeps the process id of the returned child. */
  spawn(program: readonly string[], env: Readonly<Record<string, string>>): ChildProcess
  /** Fills the disk to its last byte. */
  fill(): void
  free(): void
  /** The path of a file on the disk for the test. */
  path(name: string): string
}

/** Large enough for a new trial, which requires 200 MB. */
const size = '400m'

/** Flags for root, and for other users if they may create namespaces. */
const mountFlags = [['-m'], ['-Urm']].filter((flags) =>
  works(['unshare', ...flags, 'mount', '-t', 'tmpfs', 'none', tmpdir()]),
)

/** If no disk can be mounted, the log is written to a full device, and the database cannot create files. */
export const isRealDisk = mountFlags.length > 0

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
  return isRealDisk ? mountDataDisk(home) : simulateDataDisk(home)
}

/** Mounts the disk in the mount namespace of the server. The test reads it through the server's /proc folder. */
function mountDataDisk(home: string): DataDisk {
  let server: ChildProcess | undefined
  const path = (name: string) => join(`/proc/${server?.pid ?? 0}/root`, home, name)
  return {
    home,
    path,
    spawn(program, env) {
      const script = `mount -t tmpfs -o size=${size} none "$0" && exec "$@" >> "$0/server.log" 2>&1`
      server = spawn('unshare', [...(mountFlags[0] ?? []), 'sh', '-c', script, home, ...program], {
        env,
        stdio: 'ignore',
      })
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

function simulateDataDisk(home: string): DataDisk {
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
