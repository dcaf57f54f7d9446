/** Which tables of the store a backup holds, and in which order they can be filled again. */
import type { Client } from 'pg'
import type { StoredTable } from './manifest.ts'

/**
 * What lives for minutes or must not outlive a restore: sessions, devices, codes, questions and attempts. A backup is kept for
 * years, so it holds none of them; a restore by other means ends them.
 */
export const passing = [
  'session',
  'device',
  'verification',
  'link_code',
  'external_login',
  'pending_identity',
  'authorisation',
  'captcha_used',
  'throttle',
  'source_pace',
  'sign_in_failure',
  'setup_code',
  'load_file_chunk',
  'load_file',
] as const

/** The list of migrations is told by the archive's first entry. */
const left: readonly string[] = [...passing, 'migration']

/** All others, those first that others refer to. */
export async function listTables(client: Client): Promise<readonly StoredTable[]> {
  const { rows: tables } = await client.query<StoredTable>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       AND relname <> ALL ($1) AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
     GROUP BY relname ORDER BY relname`,
    [left],
  )
  const { rows: links } = await client.query<Link>(
    `SELECT child.relname AS child, parent.relname AS parent FROM pg_constraint
     JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
     WHERE contype = 'f' AND conrelid <> confrelid AND child.relname <> ALL ($1)`,
    [left],
  )
  return parentsFirst(tables, links)
}

interface Link {
  readonly child: string
  readonly parent: string
}

function parentsFirst(tables: readonly StoredTable[], links: readonly Link[]): readonly StoredTable[] {
  const ordered: StoredTable[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const isWaiting = (name: string) => waiting.values().some((one) => one.name === name)
    const free = [...waiting].filter(
      ({ name }) => !links.some(({ child, parent }) => child === name && isWaiting(parent)),
    )
    if (free.length === 0)
      throw new Error('Tables of the store refer to each other in a circle, so none can be filled first.')
    for (const table of free) {
      waiting.delete(table)
      ordered.push(table)
    }
  }
  return ordered
}
