/** COPY as two plain pipes: bytes out of a query, bytes into a table. */
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** Large enough to keep both sockets busy, small enough not to count in memory. */
const pipeBytes = 262_144

/** The bytes of `COPY … TO STDOUT`. A reader that leaves before the end leaves the session unusable: close it. */
export async function* copyOut(client: pg.Client, sql: string): AsyncGenerator<Buffer> {
  const stream = client.query(to(sql, { highWaterMark: pipeBytes }))
  for await (const chunk of stream) yield chunk as Buffer
}

export interface CopyIn {
  /** Resolves when the server can take more. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the copy and answers how many rows went in; throws what the server has to say against them. */
  end(): Promise<number>
}

/** Feeds `COPY … FROM STDIN`. An error shows in the next `write` or in `end`; the session is then ready for the next statement. */
export function copyIn(client: pg.Client, sql: string): CopyIn {
  // One chunk at a time: the library would otherwise go on to flush queued chunks after the server has refused the copy.
  const stream = client.query(from(sql, { highWaterMark: 1 }))
  let failure: Error | undefined
  let waiting: { resolve: () => void; reject: (error: Error) => void } | undefined
  const settle = (): void => {
    const waiter = waiting
    waiting = undefined
    if (failure === undefined) waiter?.resolve()
    else waiter?.reject(failure)
  }
  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      if (failure !== undefined) settle()
    })
  stream.on('error', (error) => {
    failure ??= error
    settle()
  })
  stream.on('drain', settle)
  stream.on('finish', settle)
  return {
    async write(bytes) {
      if (failure !== undefined) throw failure
      if (!stream.write(bytes)) await wait()
    },
    async end() {
      if (failure !== undefined) throw failure
      stream.end()
      await wait()
      return stream.rowCount
    },
  }
}
