/**
 * Reads the bytes of `COPY … TO STDOUT`. The server sends each row as a separate message, and an object for each would fill the young heap,
 * which V8 then enlarges and never shrinks. So the frames are removed in the memory of the socket, without an allocation for a row.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY
 */
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** If the reader stops before the end, the session is unusable and must be closed. */
export async function* copyOut(client: pg.ClientBase, sql: string): AsyncGenerator<Buffer> {
  const copy = client.query(new CopyOut(sql))
  for (let rows = await copy.read(); rows !== null; rows = await copy.read()) yield rows
}

/** Releases the memory of rows. A small buffer may share its memory with others, so it is left alone. */
export function release({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && length >= Buffer.poolSize / 2) buffer.transfer(0)
}

type Parse = (bytes: Buffer) => void

const code = (letter: string): number => letter.charCodeAt(0)
const [copyData, copyDone, errorResponse] = [code('d'), code('c'), code('E')]
/** The kind of a message and its length, which counts itself but not the kind. */
const headerBytes = 5
const lengthBytes = 4

/** Reads the connection in place of the driver, from the query to the end of its rows. */
class CopyOut implements pg.Submittable {
  readonly #sql: string
  #stream: Duplex | null = null
  /** The reader of the driver, for every message that is not a row. */
  #parse: Parse = () => {}
  readonly #header = Buffer.alloc(headerBytes)
  #headerSize = 0
  /** Bytes of the current message that have not arrived. */
  #left = 0
  #isRow = false
  #isOver = false
  #failure: Error | null = null
  #wake = (): void => {}

  constructor(sql: string) {
    this.#sql = sql
  }

  submit(connection: pg.Connection): void {
    this.#stream = connection.stream
    this.#parse = connection.stream.listeners('data')[0] as Parse
    this.#stream.removeListener('data', this.#parse)
    this.#stream.pause()
    this.#stream.on('readable', this.#onReadable)
    connection.query(this.#sql)
  }

  /** Returns rows, which may be cut anywhere; null at the end. */
  async read(): Promise<Buffer | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure
      if (this.#isOver) return null
      const chunk = (this.#stream?.read() ?? null) as Buffer | null
      const rows = chunk === null ? null : this.#unframe(chunk)
      if (rows !== null && rows.length > 0) return rows
      if (chunk === null) await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Moves the bytes of rows to the start of the chunk. */
  #unframe(chunk: Buffer): Buffer {
    let size = 0
    let at = 0
    while (at < chunk.length) {
      if (this.#left === 0) {
        at = this.#readHeader(chunk, at)
        continue
      }
      const end = Math.min(at + this.#left, chunk.length)
      if (this.#isRow) {
        chunk.copyWithin(size, at, end)
        size += end - at
      } else this.#parse(Buffer.from(chunk.subarray(at, end)))
      this.#left -= end - at
      at = end
    }
    return chunk.subarray(0, size)
  }

  /** Returns where to continue: after the chunk if the rows have ended and the driver got the rest. */
  #readHeader(chunk: Buffer, start: number): number {
    let at = start
    while (this.#headerSize < headerBytes && at < chunk.length) this.#header[this.#headerSize++] = chunk[at++] ?? 0
    if (this.#headerSize < headerBytes) return at
    const kind = this.#header[0]
    this.#headerSize = 0
    this.#isRow = kind === copyData
    if (kind === copyDone || kind === errorResponse) {
      this.#handBack(Buffer.concat([this.#header, chunk.subarray(at)]))
      return chunk.length
    }
    this.#left = this.#header.readInt32BE(1) - lengthBytes
    // A notice, or the start of the copy: the driver gets it in pieces, as from a socket.
    if (!this.#isRow) this.#parse(Buffer.from(this.#header))
    return at
  }

  #handBack(rest: Buffer): void {
    const stream = this.#stream
    this.#stream = null
    stream?.removeListener('readable', this.#onReadable)
    stream?.addListener('data', this.#parse)
    this.#parse(rest)
    // Only at the end of this turn does the stream notice that `readable` has no listener any more.
    process.nextTick(() => stream?.resume())
  }

  readonly #onReadable = (): void => this.#wake()

  // The driver calls the methods below.

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#isOver = true
    this.#wake()
  }

  handleError(error: Error): void {
    this.#failure = error
    this.#wake()
  }
}
