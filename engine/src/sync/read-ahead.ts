/** Reads ahead: the source reads while the target writes. Backpressure limits the buffer. */
import type { RowBatch } from '../ports/model.ts'

const aheadMaxBytes = 4 * 1_048_576

/**
 * Yields the batches of `source` in order. Returning early or aborting also stops the source, without waiting for it.
 */
export async function* readAhead(source: AsyncIterable<RowBatch>, signal: AbortSignal): AsyncGenerator<RowBatch> {
  const iterator = source[Symbol.asyncIterator]()
  const queue = new BatchQueue()
  const stop = (): void => queue.fail(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const pumped = pump(iterator, queue)
  try {
    for (let batch = await queue.take(); batch !== null; batch = await queue.take()) yield batch
  } finally {
    signal.removeEventListener('abort', stop)
    queue.close()
    // A source that waits for a request returns when its own signal aborts it; its result is discarded.
    void pumped
    iterator.return?.().catch(() => {})
  }
}

async function pump(iterator: AsyncIterator<RowBatch>, queue: BatchQueue): Promise<void> {
  try {
    for (let next = await iterator.next(); next.done !== true && !queue.isClosed; next = await iterator.next())
      await queue.put(next.value)
    queue.end()
  } catch (error) {
    queue.fail(error)
  }
}

class BatchQueue {
  isClosed = false
  readonly #batches: RowBatch[] = []
  #bytes = 0
  #isEnded = false
  #failure: { readonly error: unknown } | null = null
  #wakeTaker: (() => void) | null = null
  #wakePutter: (() => void) | null = null

  async put(batch: RowBatch): Promise<void> {
    this.#batches.push(batch)
    this.#bytes += batch.bytes.length
    this.#wake()
    while (this.#bytes > aheadMaxBytes && !this.isClosed)
      await new Promise<void>((resolve) => (this.#wakePutter = resolve))
  }

  /** Null at the end. A failure of the source is thrown after its earlier batches, an abort immediately. */
  async take(): Promise<RowBatch | null> {
    for (;;) {
      if (this.#failure !== null && (this.#batches.length === 0 || this.isClosed)) throw this.#failure.error
      const batch = this.#batches.shift()
      if (batch !== undefined) {
        this.#bytes -= batch.bytes.length
        this.#wake()
        return batch
      }
      if (this.#isEnded) return null
      await new Promise<void>((resolve) => (this.#wakeTaker = resolve))
    }
  }

  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#wake()
  }

  close(): void {
    this.isClosed = true
    this.#wake()
  }

  #wake(): void {
    this.#wakeTaker?.()
    this.#wakePutter?.()
  }
}
