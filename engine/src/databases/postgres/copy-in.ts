/** COPY into a table as a plain pipe. */
import type pg from 'pg'
import { from } from 'pg-copy-streams'

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
