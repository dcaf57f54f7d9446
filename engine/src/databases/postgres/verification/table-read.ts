/** A consistent read of a PostgreSQL table for verification. */
import type pg from 'pg'
import { decodeRows, joinRows } from '../../../encoding/copy-text.ts'
import type { NewerRows, TableRead } from '../../../ports/verified-table.ts'
import { copyOut } from '../copy-out.ts'

/** Both sides write values in the same format. */
const settings = `SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL TimeZone = 'UTC'; SET LOCAL IntervalStyle = 'iso_8601';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL statement_timeout = 0`

interface ReadSession {
  readonly client: pg.Client
  release(): void
  destroy(): void
}

/** @param findNewer is called in the snapshot */
export async function beginTableRead(
  session: ReadSession,
  explain: (error: unknown) => Promise<unknown>,
  findNewer: (client: pg.Client) => Promise<NewerRows>,
): Promise<TableRead> {
  const { client } = session
  let isBroken = false
  const guard = async (error: unknown): Promise<unknown> => {
    isBroken = true
    return await explain(error)
  }
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${settings}`)
    const newer = await findNewer(client)
    return {
      ...newer,
      async *rows(sql) {
        let isDone = false
        try {
          const joiner = joinRows()
          for await (const bytes of copyOut(client, `COPY (${sql}) TO STDOUT`)) {
            const rows = decodeRows(joiner.push(Buffer.from(bytes)))
            if (rows.length > 0) yield rows
          }
          isDone = true
        } catch (error) {
          throw await guard(error)
        } finally {
          isBroken ||= !isDone
        }
      },
      async [Symbol.asyncDispose]() {
        if (isBroken) return session.destroy()
        await client.query('COMMIT')
        session.release()
      },
    }
  } catch (error) {
    session.destroy()
    throw await explain(error)
  }
}

export async function isUtf8(client: pg.Client): Promise<boolean> {
  const found = await client.query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`)
  return found.rows[0]?.encoding === 'UTF8'
}
