/** Whether a database can be the store at all. */
import type { Client } from 'pg'

export interface Unfit {
  /** The rest of a sentence that begins with where it was named. */
  readonly found: string
  readonly remedy: string
}

const versionMin = 150_000

export async function listUnfit(client: Client): Promise<readonly Unfit[]> {
  const { rows } = await client.query<{ version: number; encoding: string; has_icu: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
       EXISTS (SELECT FROM pg_collation WHERE collprovider = 'i') AS has_icu`,
  )
  const [{ version, encoding, has_icu: hasIcu } = { version: 0, encoding: 'unknown', has_icu: false }] = rows
  const unfit: Unfit[] = []
  if (version < versionMin) unfit.push({ found: 'this PostgreSQL is older than 15.', remedy: 'Use 15 or newer.' })
  if (encoding !== 'UTF8')
    unfit.push({
      found: `the database holds text as ${encoding}, in which not every name can be written.`,
      remedy: `Make it anew: CREATE DATABASE tributary OWNER tributary ENCODING 'UTF8' TEMPLATE template0.`,
    })
  if (!hasIcu)
    unfit.push({
      found: 'this PostgreSQL was built without ICU, by which names are sorted.',
      remedy: 'Use one with it, as the usual packages are.',
    })
  return unfit
}
