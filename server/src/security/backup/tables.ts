/** The tables of a backup, in an order in which they can be filled. */
import type { Client } from 'pg'
import type { StoredTable } from './manifest.ts'

/**
 * Tables of short-lived data that must not survive a restore: sessions, devices, codes, challenges, attempts, changes to apply and places in the queue. Backups, which
 * may be kept for years, omit them. After a restore by other means they are cleared.
 */
export const ephemeralTables = [
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
  'access_change',
  'organisation_summary',
  'run_queue',
  'ready_by_plan',
  'worker_capacity',
  'run_load',
] as const

/** The archive's header lists the migrations. */
const excludedTables: readonly string[] = [...ephemeralTables, 'migration']

/** All other tables, referenced ones first. */
export async function listTables(client: Client): Promise<readonly StoredTable[]> {
  const { rows: tables } = await client.query<StoredTable>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
       AND relname <> ALL ($1) AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
     GROUP BY relname ORDER BY relname`,
    [excludedTables],
  )
  const { rows: links } = await client.query<ForeignKeyLink>(
    `SELECT child.relname AS child, parent.relname AS parent FROM pg_constraint
     JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
     WHERE contype = 'f' AND conrelid <> confrelid AND child.relname <> ALL ($1)`,
    [excludedTables],
  )
  return sortParentsFirst(tables, links)
}

interface ForeignKeyLink {
  readonly child: string
  readonly parent: string
}

function sortParentsFirst(tables: readonly StoredTable[], links: readonly ForeignKeyLink[]): readonly StoredTable[] {
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
