/** What only an opened store tells: whether its secrets open, and whether its work is done. */
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { fail, type Finding, ok, warn } from './finding.ts'

export async function checkWork({
  store,
  masters,
}: Pick<AppServices, 'masters' | 'store'>): Promise<readonly Finding[]> {
  const known = masters.versions()
  // Across: it is about the whole installation.
  return store.across(async (db) => [await checkMasterKey(db, known), await checkQueue(db), await checkMailQueue(db)])
}

async function checkMasterKey(db: Db, known: readonly number[]): Promise<Finding> {
  const { rows } = await sql<{ version: number }>`
    SELECT masterVersion AS version FROM dataKey UNION SELECT masterVersion FROM serverKey`.execute(db)
  const isWhole = rows.every(({ version }) => known.includes(version))
  return isWhole ? ok('Master key', 'It opens every key that is stored') : wrongMasterKey
}

export const wrongMasterKey = fail(
  'Master key',
  'Keys that are stored were wrapped by another one',
  'Set the one that they were stored with, or add it to TRIBUTARY_MASTER_KEYS_OLD.',
)

async function checkQueue(db: Db): Promise<Finding> {
  const { rows } = await sql<{ late: number }>`
    SELECT count(*) AS late FROM run WHERE status = 'QUEUED' AND queuedAt < now() - interval '2 minutes'`.execute(db)
  const late = rows[0]?.late ?? 0
  if (late === 0) return ok('Workers', 'No run waits for a worker')
  const remedy = 'Check that a process with TRIBUTARY_ROLE all or worker runs; if it does, add another one.'
  return warn('Workers', `${late} runs have been waiting for a worker for two minutes and more`, remedy)
}

async function checkMailQueue(db: Db): Promise<Finding> {
  const { rows } = await sql<{ late: number }>`
    SELECT count(*) AS late FROM mail WHERE sentAt IS NULL AND gaveUpAt IS NULL AND createdAt < now() - interval '10 minutes'`.execute(
    db,
  )
  const late = rows[0]?.late ?? 0
  if (late === 0) return ok('Mail queue', 'No mail waits')
  return warn(
    'Mail queue',
    `${late} mails have been waiting for ten minutes and more`,
    'The finding on the mail server above says why, or no worker runs.',
  )
}
