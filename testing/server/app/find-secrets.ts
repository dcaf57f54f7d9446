/** Finds secrets in text and in the database, in any encoding. */
import { Client, type ClientConfig } from 'pg'

/** A six-digit code must be a separate word, because six digits also occur in times and ids. */
export function containsSecret(text: string, secret: string | Buffer): boolean {
  if (typeof secret === 'string' && /^\d{6}$/u.test(secret))
    return new RegExp(`(?<![\\w.-])${secret}(?![\\w.-])`, 'u').test(text)
  return inAnySpelling(secret).some((spelling) => text.includes(spelling))
}

function inAnySpelling(secret: string | Buffer): readonly string[] {
  const bytes = Buffer.from(secret)
  const encoded = [bytes.toString('base64').replace(/=+$/u, ''), bytes.toString('base64url'), bytes.toString('hex')]
  return typeof secret === 'string'
    ? [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...encoded]
    : encoded
}

/** Returns all rows of every table of the store and the queue as text, by table name. */
export async function readStore(connection: ClientConfig): Promise<ReadonlyMap<string, string>> {
  const client = new Client(connection)
  await client.connect()
  try {
    await client.query(`SET tributary.organisation = '*'`)
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
       WHERE relkind IN ('r', 'p') AND relnamespace IN ('public'::regnamespace, 'tributary_queue'::regnamespace) ORDER BY 1`,
    )
    const found = new Map<string, string>()
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string | null }>(
        `SELECT string_agg(to_jsonb(each)::text, E'\\n') AS text FROM ${name} AS each`,
      )
      found.set(name, rows[0]?.text ?? '')
    }
    return found
  } finally {
    await client.end()
  }
}
