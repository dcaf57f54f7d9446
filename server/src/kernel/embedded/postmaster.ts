/** The postmaster of the embedded PostgreSQL: finds it, connects to it and stops it. */
import { execFileSync, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { withClient } from '../store/with-client.ts'
import type { PostgresCluster } from './cluster.ts'

export interface RunningPostgres {
  readonly pid: number
  readonly port: number
  /** Set if this process started it. Its end is then known for certain, even if its process id is reused. */
  readonly child?: ChildProcess
}

export function superuserOf(cluster: PostgresCluster, running: RunningPostgres): pg.ClientConfig {
  return { host: cluster.socketDir, port: running.port, user: 'postgres', database: 'postgres' }
}

/** Finds a server that a killed Tributary left running, with all its acknowledged writes. */
export async function findRunning(cluster: PostgresCluster): Promise<RunningPostgres | undefined> {
  const found = readPid(cluster)
  if (found === undefined || !isAlive(found.pid)) return undefined
  try {
    const connection = { ...superuserOf(cluster, found), connectionTimeoutMillis: 5_000 }
    const { rows } = await withClient(connection, (client) =>
      client.query<{ data_directory: string }>('SHOW data_directory'),
    )
    return rows[0]?.data_directory === cluster.dataDir ? found : undefined
  } catch {
    return undefined
  }
}

/** Lines of postmaster.pid: pid, data folder, start time, port, socket folder, address, shared memory, status. */
export function readPid(cluster: PostgresCluster): (RunningPostgres & { readonly ready: boolean }) | undefined {
  const file = join(cluster.dataDir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  const port = Number.parseInt(lines[3] ?? '', 10)
  return Number.isNaN(pid) || Number.isNaN(port) ? undefined : { pid, port, ready: lines[7]?.trim() === 'ready' }
}

export function isRunning({ pid, child }: RunningPostgres): boolean {
  return child === undefined ? isAlive(pid) : child.exitCode === null && child.signalCode === null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** True if the process belongs to the cluster. A process id may have been reused since the file was written. */
export function isProcessOf(cluster: PostgresCluster, pid: number): boolean {
  return isAlive(pid) && commandOf(pid).includes(cluster.dataDir)
}

function commandOf(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/**
 * SIGINT is PostgreSQL's fast shutdown, which writes a last checkpoint. If that takes too long, SIGQUIT and finally SIGKILL end it
 * without one. No acknowledged write is lost either way.
 * @param isDiskFull then no checkpoint can be written, and waiting for one would use up the grace period of the whole process.
 */
export async function stopPostgres(running: RunningPostgres, isDiskFull = false): Promise<void> {
  const steps = new Map<number, NodeJS.Signals>([
    [0, isDiskFull ? 'SIGQUIT' : 'SIGINT'],
    [5_000, 'SIGQUIT'],
    [7_000, 'SIGKILL'],
  ])
  for (let waited = 0; isRunning(running) && waited <= 9_000; waited += 50) {
    const signal = steps.get(waited)
    if (signal !== undefined) sendSignal(running.pid, signal)
    await sleep(50)
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
