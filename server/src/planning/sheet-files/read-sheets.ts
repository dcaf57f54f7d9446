/**
 * Reads the sheets of a file in a process of its own, bounded in memory and time. A thread would not do: where one allocation
 * exceeds the heap of a thread, the whole server ends with it.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SlashDates } from './csv/csv-dates.ts'
import { type FromProcess, fileDescriptor } from './process-messages.ts'
import { heapMaxMb, readingMaxMs } from './sheet-limits.ts'
import type { SheetChunk, SheetSummary } from './sheet.ts'
import { Unreadable } from './unreadable-file.ts'

export interface Reading {
  /** An open file; it stays open. */
  readonly fd: number
  readonly signal: AbortSignal
  /** How dates with slashes are read where their column does not say it. */
  readonly slashDates?: SlashDates | undefined
  /** Given every chunk in turn; the file is read on once it has settled. */
  take(chunk: SheetChunk): Promise<void>
}

/** Two at once; the others wait. Throws `Unreadable` where the fault lies in the file. */
export async function readSheets(reading: Reading): Promise<readonly SheetSummary[]> {
  await turn()
  try {
    reading.signal.throwIfAborted()
    return await readInProcess(reading)
  } finally {
    passTurnOn()
  }
}

const atOnceMax = 2
let running = 0
const waiting: (() => void)[] = []

async function turn(): Promise<void> {
  if (running < atOnceMax) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
}

function passTurnOn(): void {
  const next = waiting.shift()
  if (next === undefined) running -= 1
  else next()
}

async function readInProcess(reading: Reading): Promise<readonly SheetSummary[]> {
  const reader = startReader(reading)
  const ended = once(reader, 'exit')
  try {
    return await sheetsFrom(reader, reading)
  } finally {
    reader.kill('SIGKILL')
    await ended
  }
}

/** It gets no environment, hence no secret of ours, and may neither write files nor start anything. */
function startReader({ fd, slashDates }: Reading): ChildProcess {
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as (number | 'ignore' | 'ipc')[]
  stdio[fileDescriptor] = fd
  const memory = [`--max-old-space-size=${heapMaxMb}`, '--max-semi-space-size=16']
  return fork(
    fileURLToPath(new URL('sheet-process.ts', import.meta.url)),
    slashDates === undefined ? [] : [slashDates],
    {
      stdio,
      env: {},
      serialization: 'advanced',
      execArgv: [...memory, '--permission', '--allow-fs-read=*'],
    },
  )
}

function sheetsFrom(reader: ChildProcess, { signal, take }: Reading): Promise<readonly SheetSummary[]> {
  const tooLong = AbortSignal.timeout(readingMaxMs)
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    tooLong.addEventListener('abort', () => reject(tooSlow()), { once: true })
    reader.once('error', reject)
    // Whatever it says comes before; one that ends without a word has run out of memory.
    reader.once('close', () => reject(tooMuch()))
    reader.on('message', (message: FromProcess) => {
      if ('sheets' in message) resolve(message.sheets)
      else if ('unreadable' in message) reject(new Unreadable(message.unreadable))
      else if ('broken' in message) reject(new Error(`A file could not be read:\n${message.broken}`))
      else take(message.chunk).then(() => reader.send('taken', () => {}), reject)
    })
  })
}

function tooMuch(): Unreadable {
  return new Unreadable('The file needs more memory than one file may take. Split it into several.')
}

function tooSlow(): Unreadable {
  return new Unreadable(`Reading the file took longer than ${readingMaxMs / 1_000} seconds. Split it into several.`)
}
