/**
 * Reads the sheets of a file in a child process, bounded in memory and time. A worker thread is not enough: an
 * allocation beyond its
 * heap limit can end the whole server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { limitConcurrency } from '../../kernel/concurrency-limit.ts'
import type { SlashDates } from './csv/csv-dates.ts'
import { type SheetProcessMessage, fileDescriptor } from './process-messages.ts'
import { heapMaxMb, readingMaxMs } from './sheet-limits.ts'
import type { SheetChunk, SheetSummary } from './sheet.ts'
import { UnreadableFile } from './unreadable-file.ts'

export interface SheetReadRequest {
  /** An open file; the caller closes it. */
  readonly fd: number
  readonly signal: AbortSignal
  /** For date columns whose order is ambiguous. */
  readonly slashDates?: SlashDates | undefined
  /** Receives each chunk in order. Backpressure: reading continues once the promise settles. */
  take(chunk: SheetChunk): Promise<void>
}

const limited = limitConcurrency(2)

/** At most two run concurrently; others wait. Throws `UnreadableFile` if the file is the cause. */
export function readSheets(request: SheetReadRequest): Promise<readonly SheetSummary[]> {
  return limited(async () => {
    request.signal.throwIfAborted()
    return readInProcess(request)
  })
}

async function readInProcess(request: SheetReadRequest): Promise<readonly SheetSummary[]> {
  const reader = startReader(request)
  const ended = once(reader, 'exit')
  try {
    return await sheetsFrom(reader, request)
  } finally {
    reader.kill('SIGKILL')
    await ended
  }
}

/** The child gets no environment, hence no secrets, and may neither write files nor start processes. */
function startReader({ fd, slashDates }: SheetReadRequest): ChildProcess {
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

function sheetsFrom(reader: ChildProcess, { signal, take }: SheetReadRequest): Promise<readonly SheetSummary[]> {
  const timeout = AbortSignal.timeout(readingMaxMs)
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    timeout.addEventListener('abort', () => reject(tooSlow()), { once: true })
    reader.once('error', reject)
    // All messages arrive before this event. A child that exits without a result has run out of memory.
    reader.once('close', () => reject(tooMuch()))
    reader.on('message', (message: SheetProcessMessage) => {
      if ('sheets' in message) resolve(message.sheets)
      else if ('unreadable' in message) reject(new UnreadableFile(message.unreadable))
      else if ('broken' in message) reject(new Error(`A file could not be read:\n${message.broken}`))
      else take(message.chunk).then(() => reader.send('taken', () => {}), reject)
    })
  })
}

function tooMuch(): UnreadableFile {
  return new UnreadableFile('The file needs too much memory. Split it into several files.')
}

function tooSlow(): UnreadableFile {
  return new UnreadableFile(
    `Reading the file took longer than ${readingMaxMs / 1_000} seconds. Split it into several files.`,
  )
}
