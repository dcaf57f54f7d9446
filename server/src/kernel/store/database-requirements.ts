/** Requirements of a database that is to be the store. */
import type { Client } from 'pg'

export interface DatabaseProblem {
  /** The end of a sentence that starts with the name of the setting. */
  readonly problem: string
  readonly remedy: string
}

const versionMin = 150_000

export async function listDatabaseProblems(client: Client): Promise<readonly DatabaseProblem[]> {
  const { rows } = await client.query<{ version: number; encoding: string; has_icu: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
       EXISTS (SELECT FROM pg_collation WHERE collprovider = 'i') AS has_icu`,
  )
  const [{ version, encoding, has_icu: hasIcu } = { version: 0, encoding: 'unknown', has_icu: false }] = rows
  const unfit: DatabaseProblem[] = []
  if (version < versionMin) unfit.push({ problem: 'this PostgreSQL is older than 15.', remedy: 'Use 15 or newer.' })
  if (encoding !== 'UTF8')
    unfit.push({
      problem: `the database holds text as ${encoding}, in which not every name can be written.`,
      remedy: `Create it again: CREATE DATABASE tributary OWNER tributary ENCODING 'UTF8' TEMPLATE template0.`,
    })
  if (!hasIcu)
    unfit.push({
      problem: 'this PostgreSQL was built without ICU, by which names are sorted.',
      remedy: 'Use one with it, as the usual packages are.',
    })
  return unfit
}
