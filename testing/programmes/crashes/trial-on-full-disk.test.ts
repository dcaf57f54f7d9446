/**
 * A trial whose disk is full: the server keeps running, reports it, and recovers once there is space. However it ends,
 * no database process is left behind.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultReply } from '@tributary/contract/faults'
import { expect, test } from 'vitest'
import { isRealDisk, openDataDisk, type DataDisk } from '../../server/processes/data-disk.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { until } from '../../server/connectors/run-driver.ts'
import { isFull } from '../extent.ts'
import { trialPassword } from '../../../server/src/trial/people.ts'

const condition = isRealDisk ? 'whose disk is full' : 'that cannot write its log and its database'
/** Longer than the interval of the sources' simulated activity, which writes to the disk. */
const activityMs = 21_000

const main = join(import.meta.dirname, '../../../server/src/main.ts')
/** Rejects a promise without a handler on SIGUSR2. */
const unhandledRejection = `process.on('SIGUSR2', () => Promise.reject(new Error('not handled')))`

interface RunningTrial extends AsyncDisposable {
  readonly disk: DataDisk
  readonly server: ChildProcess
  /** The main process of the database. */
  postmaster(): number
  ready(): Promise<string>
  signIn(): Promise<{ readonly status: number; readonly body: FaultReply }>
}

async function startTrial(): Promise<RunningTrial> {
  const disk = openDataDisk()
  const port = await findFreePort()
  const env = {
    PATH: process.env['PATH'] ?? '',
    TRIBUTARY_DATA_DIR: disk.home,
    PORT: String(port),
    TRIBUTARY_LOG_LEVEL: 'info',
  }
  const server = disk.spawn(
    [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(unhandledRejection)}`, main],
    env,
  )
  const trial: RunningTrial = {
    disk,
    server,
    postmaster: () => Number.parseInt(readFileSync(disk.path('postgres/postmaster.pid'), 'utf8'), 10),
    async ready() {
      const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      return reply === null ? 'no answer' : ((await reply.json()) as { readonly status: string }).status
    },
    async signIn() {
      const body = JSON.stringify({ emailAddress: 'admin@demo.example', password: trialPassword })
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(`http://127.0.0.1:${port}/api/auth/signin`, { method: 'POST', headers, body })
      return { status: reply.status, body: (await reply.json()) as FaultReply }
    },
    async [Symbol.asyncDispose]() {
      if (isRunning(server.pid ?? 0)) server.kill('SIGKILL')
      disk[Symbol.dispose]()
    },
  }
  await until(trial.ready, (status) => status === 'ready', 90_000)
  return trial
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The other processes of the database end with its main process. */
const untilExited = (pid: number) =>
  until(
    async () => isRunning(pid),
    (runs) => !runs,
  )

/**
 * Signs in until a write is refused, because the database has some free space in its files. The log is on the same
 * disk.
 */
async function untilRefused({ signIn }: RunningTrial): Promise<void> {
  if (!isRealDisk) return
  const signInOften = () => Promise.all(Array.from({ length: 8 }, signIn))
  const isRefused = ({ body }: { readonly body: FaultReply }) => body.code === 'storeFull'
  await until(signInOften, (replies) => replies.some(isRefused), 90_000)
  await signInOften()
}

test(`[ISSUE 20 D20] a trial ${condition} reports it in its replies, and recovers without a restart once there is space`, async () => {
  await using trial = await startTrial()
  const startedAt = Date.now()
  const postmaster = trial.postmaster()
  trial.disk.fill()
  await untilRefused(trial)
  // A full disk may have ended it already.
  if (isRunning(postmaster)) process.kill(postmaster, 'SIGKILL')
  const full = isRealDisk ? 'disk' : 'database'
  await until(trial.ready, (status) => status === full)
  await sleep(Math.max(0, startedAt + activityMs - Date.now()))
  expect([trial.server.exitCode, await trial.ready()]).toEqual([null, full])
  expect(await trial.signIn()).toMatchObject({
    status: 503,
    body: isRealDisk
      ? { code: 'storeFull', message: expect.stringContaining('Ask the operator of Tributary to free some') }
      : { code: 'unavailable', message: expect.stringContaining('cannot reach its database just now') },
  })

  trial.disk.free()
  // Up to ten seconds pass between two attempts, and then the database, which was killed, recovers.
  await until(trial.ready, (status) => status === 'ready', 90_000)
  expect(await trial.signIn()).toMatchObject({ status: 200 })
  if (isRealDisk) expect(readFileSync(trial.disk.path('server.log'), 'utf8')).toMatch(/lines of the log were lost/u)
  const next = trial.postmaster()
  expect(next).not.toBe(postmaster)
  trial.server.kill('SIGTERM')
  expect(await once(trial.server, 'exit')).toEqual([0, null])
  expect(isRunning(next)).toBe(false)
}, 240_000)

const ends = [
  ['a kill', 'SIGKILL', [null, 'SIGKILL']],
  ['a signal', 'SIGTERM', [0, null]],
  ['an unhandled error', 'SIGUSR2', [1, null]],
] as const

test.each(isFull ? ends : ends.slice(0, 1))(
  `[ISSUE 20 D20] a trial ${condition} that is ended by %s leaves no database running`,
  async (_, signal, end) => {
    await using trial = await startTrial()
    const postmaster = trial.postmaster()
    trial.disk.fill()
    await untilRefused(trial)
    trial.server.kill(signal)
    expect(await once(trial.server, 'exit')).toEqual(end)
    await untilExited(postmaster)
  },
  240_000,
)
