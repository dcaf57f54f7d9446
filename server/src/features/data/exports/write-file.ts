/**
 * Writes a file in a child process with a small heap. In the server, the values of millions of rows would enlarge the heap, which V8 rarely
 * shrinks, and converting them would delay all other calls.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { release } from '@tributary/engine/databases/postgres/copy-out'
import type { ExportedColumn, ExportJob } from './exported-table.ts'

/** A slow network may take its time, but not hold a connection or open files for ever. */
export const exportSeconds = 30 * 60

const heapMaxMb = 256
const youngHeapMb = 4

export interface FileDestination {
  /** Left open. */
  readonly out: Writable
  readonly signal: AbortSignal
}

/**
 * Resolves when the whole file was written to `out`. A slow reader of it makes the rows wait.
 *
 * @param rows elements of a JSON array, one a line, cut anywhere
 */
export async function writeFile(
  { format, table: { name }, columns }: ExportJob,
  rows: AsyncIterable<Buffer>,
  { out, signal }: FileDestination,
): Promise<void> {
  const child = startWriter()
  const ended = once(child, 'close') as Promise<[code: number | null]>
  const problem = text(child.stderr)
  const job = { format, table: { name }, columns: columns.map(toExported) } satisfies ExportJob
  try {
    const fed = feed(child.stdin, job, rows)
    await Promise.all([fed, forward(child.stdout, out, signal)])
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'EPIPE') throw error
  } finally {
    // Without effect on a child that has ended.
    if (signal.aborted || !child.stdout.readableEnded) child.kill('SIGKILL')
    await ended
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`A file could not be written:\n${await problem}`)
}

function toExported({ name, kind, sqlType }: ExportedColumn): ExportedColumn {
  return { name, kind, sqlType }
}

/** Releases the rows once they are written: waiting for the garbage collector, they would accumulate. */
async function feed(input: Writable, job: ExportJob, rows: AsyncIterable<Buffer>): Promise<void> {
  // Each write reports it, too.
  input.on('error', () => undefined)
  await write(input, Buffer.from(`${JSON.stringify(job)}\n`))
  for await (const chunk of rows) {
    await write(input, chunk)
    release(chunk)
  }
  input.end()
}

function write(input: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    input.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

async function forward(output: Readable, out: Writable, signal: AbortSignal): Promise<void> {
  for await (const bytes of output as AsyncIterable<Buffer>) if (!out.write(bytes)) await once(out, 'drain', { signal })
}

/** The child gets no environment, hence no secrets, and may neither write files nor start processes. */
function startWriter(): ChildProcessWithoutNullStreams {
  const memory = [`--max-old-space-size=${heapMaxMb}`, `--max-semi-space-size=${youngHeapMb}`]
  const program = fileURLToPath(new URL('export-process.ts', import.meta.url))
  return spawn(process.execPath, [...memory, '--permission', '--allow-fs-read=*', program], { env: {} })
}
