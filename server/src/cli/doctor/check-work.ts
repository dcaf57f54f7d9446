/** Checks of an open store: whether the master key decrypts it, and whether runs and mail wait too long. */
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { fail, type DoctorFinding, ok, warn } from './finding.ts'

export async function checkWork({
  store,
  masters,
}: Pick<AppServices, 'masters' | 'store'>): Promise<readonly DoctorFinding[]> {
  const known = masters.versions()
  // Across: the checks cover the whole installation.
  return store.across(async (db) => [await checkMasterKey(db, known), await checkQueue(db), await checkMailQueue(db)])
}

async function checkMasterKey(db: Db, known: readonly number[]): Promise<DoctorFinding> {
  const { rows } = await sql<{ version: number }>`
    SELECT masterVersion AS version FROM dataKey UNION SELECT masterVersion FROM serverKey`.execute(db)
  const isComplete = rows.every(({ version }) => known.includes(version))
  return isComplete ? ok('Master key', 'It decrypts every stored key') : wrongMasterKey
}

export const wrongMasterKey = fail(
  'Master key',
  'Stored keys were wrapped with another master key',
  'Set the master key that wrapped them, or add it to TRIBUTARY_MASTER_KEYS_OLD.',
)

async function checkQueue(db: Db): Promise<DoctorFinding> {
  const { rows } = await sql<{ late: number }>`
    SELECT count(*) AS late FROM run WHERE status = 'QUEUED' AND queuedAt < now() - interval '2 minutes'`.execute(db)
  const late = rows[0]?.late ?? 0
  if (late === 0) return ok('Workers', 'No run waits for a worker')
  const remedy = 'Check that a process with TRIBUTARY_ROLE all or worker runs; if it does, add another one.'
  return warn('Workers', `${late} runs have been waiting for a worker for more than two minutes`, remedy)
}

async function checkMailQueue(db: Db): Promise<DoctorFinding> {
  const { rows } = await sql<{ late: number }>`
    SELECT count(*) AS late FROM mail WHERE sentAt IS NULL AND gaveUpAt IS NULL AND createdAt < now() - interval '10 minutes'`.execute(
    db,
  )
  const late = rows[0]?.late ?? 0
  if (late === 0) return ok('Mail queue', 'No mail waits')
  return warn(
    'Mail queue',
    `${late} mails have been waiting for more than ten minutes`,
    'See the finding on the mail server above, and check that a worker runs.',
  )
}
