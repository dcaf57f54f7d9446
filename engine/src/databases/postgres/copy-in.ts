/** COPY into a table. */
import type pg from 'pg'
import { from } from 'pg-copy-streams'

export interface CopyIn {
  /** Resolves when the server can take more. */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the copy and returns how many rows were copied. Throws the error of the server. */
  end(): Promise<number>
}

/** Runs `COPY … FROM STDIN`. An error rejects the next `write` or `end`; the session is then ready for the next statement. */
export function copyIn(client: pg.Client, sql: string): CopyIn {
  // One chunk at a time: otherwise the library would flush queued chunks after the server has refused the copy.
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
