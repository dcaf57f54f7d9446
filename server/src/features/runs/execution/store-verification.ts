/** Stores what verifying a stream came to: the state of the stream, the verdict of the run, and the rows that differ. */
import type { RowDifference, StreamVerification } from '@tributary/engine/ports/verification'
import { verificationLimits } from '@tributary/contract/limits'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/store/store.ts'
import type { StreamVerificationRow } from '../../../connections/verifications/source-verification.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import { truncateValue } from './truncate-value.ts'

/** What the former slices of a pass over a table have compared. */
type PassState = Pick<
  StreamVerificationRow,
  'passBeganAt' | 'passRows' | 'passNewerRows' | 'passDifferences' | 'passRepaired'
>

/**
 * Returns false if another worker has claimed the run meanwhile; then nothing is stored.
 * @param isContinued the verification began at the stored cursor, so it adds to the former slices
 */
export async function storeVerification(
  db: Db,
  claim: RunClaim,
  verification: StreamVerification,
  isContinued: boolean,
): Promise<boolean> {
  if (!(await holdsLease(db, claim))) return false
  const former = await findFormer(db, claim, verification.stream)
  const continued = isContinued && former?.cursor !== undefined && former.cursor !== null ? former : null
  await upsertVerification(db, claim, former, { verification, continued })
  await storeVerdict(db, claim, verification)
  if (keepsDifferences(verification)) return true
  await storeDifferences(db, claim, verification, continued !== null)
  return true
}

async function holdsLease(db: Db, { organisationId, runId, fence }: RunClaim): Promise<boolean> {
  const held = await db
    .selectFrom('run')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .where('fence', '=', fence)
    .where('status', '=', 'RUNNING')
    .forUpdate()
    .executeTakeFirst()
  return held !== undefined
}

function findFormer(db: Db, { organisationId, connectorId }: RunClaim, stream: string) {
  return db
    .selectFrom('streamVerification')
    .selectAll()
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('stream', '=', stream)
    .forUpdate()
    .executeTakeFirst()
}

/** Neither says which rows differ, so what is known of them stays. */
function keepsDifferences({ outcome }: StreamVerification): boolean {
  return outcome === 'failed' || outcome === 'notProvable'
}

interface VerificationUpdate {
  readonly verification: StreamVerification
  /** The pass that the verification continues; null if it began one. */
  readonly continued: PassState | null
}

async function upsertVerification(
  db: Db,
  { organisationId, connectorId, runId }: RunClaim,
  former: StreamVerificationRow | undefined,
  update: VerificationUpdate,
): Promise<void> {
  const { stream, method } = update.verification
  const values = { method, runId, ...nextState(former, update) }
  await db
    .insertInto('streamVerification')
    .values({ organisationId, connectorId, stream, ...values })
    .onConflict((conflict) =>
      conflict.columns(['connectorId', 'stream']).doUpdateSet({ ...values, changedAt: sql`now()` }),
    )
    .execute()
}

const noPass = { cursor: null, passBeganAt: null, passRows: 0, passNewerRows: 0, passDifferences: 0, passRepaired: 0 }

function nextState(former: StreamVerificationRow | undefined, update: VerificationUpdate) {
  const { verification } = update
  const { outcome, cursor, notice } = verification
  // What was proven before stays: the attempt says nothing about the rows.
  if (outcome === 'failed') return { outcome, notice: notice ?? 'It could not be verified.', ...noPass }
  const pass = addToPass(update)
  const open = Math.max(0, pass.passDifferences - pass.passRepaired)
  if (cursor !== null || outcome === 'unfinished') {
    const found = open > 0 ? { outcome: 'different' as const, openDifferences: open, checkedAt: pass.passBeganAt } : {}
    return { ...pass, cursor, ...found }
  }
  return concludePass(former, { ...verification, outcome }, pass)
}

interface EndedVerification extends StreamVerification {
  readonly outcome: Exclude<StreamVerification['outcome'], 'failed' | 'unfinished'>
}

/** The verdict of a table that was verified to its end. */
function concludePass(
  former: StreamVerificationRow | undefined,
  { outcome, notice, streamedColumns }: EndedVerification,
  pass: ReturnType<typeof addToPass>,
) {
  const open = Math.max(0, pass.passDifferences - pass.passRepaired)
  const checkedAt = pass.passBeganAt
  const isRepaired = pass.passDifferences > 0 || outcome === 'different'
  const concluded = open > 0 ? ('different' as const) : isRepaired ? ('identical' as const) : outcome
  return {
    ...noPass,
    outcome: concluded,
    checkedAt,
    rows: pass.passRows,
    newerRows: pass.passNewerRows,
    streamedColumns: [...streamedColumns],
    // Rows that may have changed meanwhile are decided by the next run.
    openDifferences: outcome === 'pending' ? (former?.openDifferences ?? 0) : open,
    repaired: pass.passRepaired,
    notice,
    ...(concluded === 'identical' && { provenAt: checkedAt }),
  }
}

function addToPass({ verification, continued }: VerificationUpdate) {
  const { checkedAt, rows, newerRows, differences, differenceCount, outcome } = verification
  const isOpen = outcome === 'different' || outcome === 'unfinished' || outcome === 'identical'
  const former = continued ?? noPass
  return {
    passBeganAt: former.passBeganAt ?? checkedAt,
    passRows: former.passRows + rows,
    passNewerRows: former.passNewerRows + newerRows,
    passDifferences: former.passDifferences + (isOpen ? differenceCount : 0),
    passRepaired: former.passRepaired + countRepaired(differences),
  }
}

function countRepaired(differences: readonly RowDifference[]): number {
  return differences.filter(({ isRepaired }) => isRepaired).length
}

/** A retry of the run replaces the verdict. */
async function storeVerdict(
  db: Db,
  { organisationId, connectorId, runId }: RunClaim,
  verification: StreamVerification,
): Promise<void> {
  const { stream, table, outcome, method, checkedAt, rows, differenceCount, differences, notice } = verification
  const verdict = {
    tableName: table,
    outcome,
    method,
    checkedAt,
    rows,
    differences: differenceCount,
    repaired: countRepaired(differences),
    notice,
  }
  await db
    .insertInto('verificationVerdict')
    .values({ organisationId, connectorId, runId, stream, ...verdict })
    .onConflict((conflict) => conflict.columns(['runId', 'stream']).doUpdateSet(verdict))
    .execute()
}

/** Rows for each statement: their values are long. */
const insertBatchSize = 200

/** Replaces the rows of the former pass, or adds to those of its former slices. */
async function storeDifferences(
  db: Db,
  claim: RunClaim,
  { stream, differences }: StreamVerification,
  isContinued: boolean,
): Promise<void> {
  const { organisationId, connectorId, runId } = claim
  const kept = isContinued ? await countDifferences(db, claim, stream) : 0
  if (!isContinued) await deleteDifferences(db, claim, stream)
  const rows = differences
    .slice(0, Math.max(0, verificationLimits.differencesMax - kept))
    .map((difference) => ({ organisationId, connectorId, runId, stream, ...storableDifference(difference) }))
  for (let at = 0; at < rows.length; at += insertBatchSize)
    await db
      .insertInto('rowDifference')
      .values(rows.slice(at, at + insertBatchSize))
      .execute()
}

export function storableDifference({ table, kind, key, columns, cause, isRepaired }: RowDifference) {
  return {
    tableName: table,
    kind,
    key: JSON.stringify(
      Object.fromEntries(Object.entries(key).map(([name, value]) => [name, truncateNullable(value)])),
    ),
    columns: JSON.stringify(
      columns.map(({ name, source, target }) => ({
        name,
        source: truncateNullable(source),
        target: truncateNullable(target),
      })),
    ),
    cause,
    isRepaired,
  }
}

async function countDifferences(db: Db, { organisationId, connectorId }: RunClaim, stream: string): Promise<number> {
  const { kept } = await db
    .selectFrom('rowDifference')
    .select((eb) => eb.fn.countAll<number>().as('kept'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('stream', '=', stream)
    .executeTakeFirstOrThrow()
  return kept
}

async function deleteDifferences(db: Db, { organisationId, connectorId }: RunClaim, stream: string): Promise<void> {
  await db
    .deleteFrom('rowDifference')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('stream', '=', stream)
    .execute()
}

/** jsonb cannot hold U+0000. */
function truncateNullable(value: string | null): string | null {
  return value === null ? null : truncateValue(value.replaceAll('\u0000', '\uFFFD'))
}
