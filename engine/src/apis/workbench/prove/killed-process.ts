/** Reads a simulated API in a process, which is killed while it writes. Only its file is left of it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Fault } from '../../../ports/faults.ts'
import type { Checkpoint } from '../../../ports/model.ts'
import { type ReaderJob, type ReaderMessage, type StoredTransaction, transactionsIn } from './reader-job.ts'

export interface KilledRead {
  /** What was written completely. */
  readonly transactions: readonly StoredTransaction[]
  /** False if the read ended before. */
  readonly wasKilled: boolean
}

export interface KilledReadRequest extends Omit<ReaderJob, 'file'> {
  readonly since: Checkpoint | null
  readonly signal: AbortSignal
}

/** @throws Fault if the read failed before */
export async function readUntilKilled({ since, signal, ...job }: KilledReadRequest): Promise<KilledRead> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-prove-'))
  const file = join(folder, 'target')
  const begun: StoredTransaction = { batches: [], checkpoint: since }
  try {
    writeFileSync(file, `${JSON.stringify(begun)}\n`)
    const wasKilled = await readInProcess({ ...job, file }, folder, signal)
    return { transactions: transactionsIn(readFileSync(file, 'utf8')), wasKilled }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns whether it was killed */
async function readInProcess(job: ReaderJob, folder: string, signal: AbortSignal): Promise<boolean> {
  const reader = startReader(folder)
  const ended = once(reader, 'exit')
  try {
    reader.send(job)
    const message = await messageOf(reader, signal)
    if (message.is === 'fault') throw new Fault(message.kind, { code: message.code, notice: message.notice })
    return message.is === 'dying'
  } finally {
    reader.kill('SIGKILL')
    await ended
  }
}

/** It gets no environment, hence no secrets, and may write only its file. */
function startReader(folder: string): ChildProcess {
  return fork(fileURLToPath(new URL('reader-process.ts', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    execArgv: ['--max-old-space-size=256', '--permission', '--allow-fs-read=*', `--allow-fs-write=${folder}/*`],
  })
}

function messageOf(reader: ChildProcess, signal: AbortSignal): Promise<ReaderMessage> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    reader.once('error', reject)
    reader.once('message', (message: ReaderMessage) => resolve(message))
    reader.once('close', () => reject(new Error('A process that read a simulated API ended without a result.')))
  })
}
