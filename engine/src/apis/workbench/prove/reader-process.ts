/**
 * Reads a stream of a simulated API into a file, in a process that can be killed. Rows and their checkpoint are written together, as one line.
 * What is written survives the death of the process; a power failure is not simulated.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { asFault } from '../../../ports/faults.ts'
import type { Checkpoint, RowBatch } from '../../../ports/model.ts'
import { describedSource } from '../../described/source.ts'
import { loopbackNetwork } from './loopback-network.ts'
import { type ReaderJob, type ReaderMessage, type StoredBatch, transactionsIn } from './reader-job.ts'
import { simulatedClock } from './simulated-clock.ts'
import { settingsOf } from './simulated-source.ts'

process.once('message', (job: ReaderJob) => void readJob(job))
// Without its parent it has nothing to do.
process.once('disconnect', () => process.exit(1))

async function readJob(job: ReaderJob): Promise<void> {
  try {
    const file = new TransactionFile(job.file)
    const signal = new AbortController().signal
    const network = loopbackNetwork(job.port)
    const clock = simulatedClock(job.now)
    const settings = settingsOf(job.description, new URL(job.base))
    await using source = await describedSource(job.description).open(settings, { network, clock, signal })
    const stream = (await source.streams()).find(({ name }) => name === job.stream)
    if (stream === undefined) throw new Error(`There is no stream ${job.stream}.`)
    let count = 0
    for await (const batch of source.read(stream, { since: file.checkpoint, encoding: 'text', log: () => undefined })) {
      count += 1
      if (count === job.dieAfter) return file.stopWriting(batch, () => report({ is: 'dying' }))
      file.add(batch)
    }
    file.end()
    report({ is: 'done' })
  } catch (error) {
    const { kind, notice, code } = asFault(error)
    report({ is: 'fault', kind, notice, code })
  }
}

function report(message: ReaderMessage): void {
  process.send?.(message)
}

class TransactionFile {
  readonly checkpoint: Checkpoint | null
  readonly #file: number
  #waiting: StoredBatch[] = []

  constructor(path: string) {
    this.checkpoint = transactionsIn(readFileSync(path, 'utf8')).at(-1)?.checkpoint ?? null
    this.#file = openSync(path, 'a')
  }

  /** Rows wait for a checkpoint, or for the end of the read. */
  add(batch: RowBatch): void {
    this.#waiting.push(storedBatch(batch))
    if (batch.checkpoint === undefined) return
    this.#write(`${JSON.stringify({ batches: this.#waiting, checkpoint: batch.checkpoint })}\n`)
    this.#waiting = []
  }

  end(): void {
    this.#write(`${JSON.stringify({ batches: this.#waiting, checkpoint: null })}\n`)
    closeSync(this.#file)
  }

  /** Writes a part of a line and keeps the process alive. */
  stopWriting(batch: RowBatch, report: () => void): void {
    const line = JSON.stringify({ batches: [...this.#waiting, storedBatch(batch)], checkpoint: batch.checkpoint })
    this.#write(line.slice(0, Math.ceil(line.length / 2)))
    setInterval(() => undefined, 60_000)
    report()
  }

  #write(text: string): void {
    writeSync(this.#file, text)
  }
}

function storedBatch({ table, rows, bytes, deletes, supersedes }: RowBatch): StoredBatch {
  return {
    table,
    rows,
    bytes: Buffer.from(bytes).toString('base64'),
    ...(deletes === true && { deletes }),
    ...(supersedes === true && { supersedes }),
  }
}
