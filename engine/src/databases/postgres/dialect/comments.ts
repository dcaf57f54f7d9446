/** Comments of tables and columns in PostgreSQL. */
import type pg from 'pg'
import type { TableAddress } from '../../sql-target/table-layout.ts'
import { quote, quoteText } from '../types.ts'
import type { PostgresDialect } from './session.ts'
import { qualified } from './tables.ts'

interface StoredComment {
  /** Empty for that of the table. */
  readonly column: string
  readonly text: string
}

export async function listComments(client: pg.Client, at: TableAddress): Promise<readonly StoredComment[]> {
  const found = await client.query<StoredComment>(
    `SELECT coalesce(a.attname, '') AS "column", d.description AS text
     FROM pg_description d LEFT JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid AND d.objsubid > 0
     WHERE d.classoid = 'pg_class'::regclass AND d.objoid = to_regclass($1) AND (d.objsubid = 0 OR NOT a.attisdropped)`,
    [qualified(at)],
  )
  return found.rows
}

/** @param text empty: removes the comment */
export async function setComment(client: pg.Client, at: TableAddress, { column, text }: StoredComment): Promise<void> {
  const object = column === '' ? `TABLE ${qualified(at)}` : `COLUMN ${qualified(at)}.${quote(column)}`
  await client.query(`COMMENT ON ${object} IS ${text === '' ? 'NULL' : quoteText(text)}`)
}

export const commentSql = {
  commentLimits: { table: 60_000, column: 60_000, allowed: (text) => text },
  async readComments({ client }, target) {
    return new Map((await listComments(client, target)).map(({ column, text }) => [column, text]))
  },
  async setComments({ client }, target, comments) {
    await client.query(`SET LOCAL lock_timeout = '5s'`)
    for (const [column, text] of comments) await setComment(client, target, { column, text })
  },
} satisfies Partial<PostgresDialect>
