/** The main process of a built-in PostgreSQL: whether it runs, where it is reached and how it is ended. */
import { execFileSync, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster } from './cluster.ts'

export interface Running {
  readonly pid: number
  readonly port: number
  /** Where this process started it; its end is then known for certain, although its id may be given to another process. */
  readonly child?: ChildProcess
}

export function superuserOf(cluster: Cluster, running: Running): pg.ClientConfig {
  return { host: cluster.socketDir, port: running.port, user: 'postgres', database: 'postgres' }
}

/** A server left behind by a killed Tributary goes on, with everything it has acknowledged. */
export async function findRunning(cluster: Cluster): Promise<Running | undefined> {
  const found = readPid(cluster)
  if (found === undefined || !isAlive(found.pid)) return undefined
  const client = new pg.Client({ ...superuserOf(cluster, found), connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
    return rows[0]?.data_directory === cluster.dataDir ? found : undefined
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Lines of postmaster.pid: pid, data folder, start time, port, socket folder, address, shared memory, status. */
export function readPid(cluster: Cluster): (Running & { readonly ready: boolean }) | undefined {
  const file = join(cluster.dataDir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  const port = Number.parseInt(lines[3] ?? '', 10)
  return Number.isNaN(pid) || Number.isNaN(port) ? undefined : { pid, port, ready: lines[7]?.trim() === 'ready' }
}

export function isUp({ pid, child }: Running): boolean {
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

/** Whether the process with that id is the cluster's, and not another that was given the id of one that ended long ago. */
export function isOf(cluster: Cluster, pid: number): boolean {
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
 * SIGINT is PostgreSQL's fast shutdown, which writes a last checkpoint. Where that takes too long, as on a full disk, SIGQUIT and at last
 * SIGKILL end it without one; nothing that was acknowledged is lost by that either.
 */
export async function stop(running: Running): Promise<void> {
  const steps = new Map<number, NodeJS.Signals>([
    [0, 'SIGINT'],
    [5_000, 'SIGQUIT'],
    [7_000, 'SIGKILL'],
  ])
  for (let waited = 0; isUp(running) && waited <= 9_000; waited += 50) {
    const signal = steps.get(waited)
    if (signal !== undefined) send(running.pid, signal)
    await sleep(50)
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
