/** Reads what a run needs to examine closed periods, and stores what it found, in the transaction that ends the run. */
import type {
  ClosedPeriodChange,
  ClosedPeriodExamination,
  ClosedPeriodRequest,
  FailedExamination,
} from '@tributary/engine/ports/closed-periods'
import type { SyncOutcome } from '@tributary/engine/sync/sync-request'
import { sql, type Updateable } from 'kysely'
import { findClosedPeriodSettings } from '../../../connections/connectors/closed-period-settings.ts'
import type { ConnectorLocation } from '../../../connections/connectors/connector-settings.ts'
import type { StoreSchema } from '../../../kernel/store/schema/schema.ts'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'

/** Rows for each statement: PostgreSQL limits the number of parameters. */
const insertBatchSize = 1_000

/** The marks whose views the target must have. Superseded ones keep theirs. */
export function readMarks(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('reportMark')
    .select(['slug', 'moment', 'periodEnd', 'supersededAt'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('createdAt')
    .execute()
}

export async function storeMarks(db: Db, claim: RunClaim, marks: SyncOutcome['marks']): Promise<void> {
  for (const { slug, views, notice } of marks)
    await db
      .updateTable('reportMark')
      // The views of tables that the connector no longer moves stay.
      .set({
        notice,
        views: sql`ARRAY(SELECT DISTINCT unnest(reportMark.views || ${[...views]}::text[]) AS name ORDER BY name)`,
      })
      .where('organisationId', '=', claim.organisationId)
      .where('connectorId', '=', claim.connectorId)
      .where('slug', '=', slug)
      .execute()
}

/** The last reported day of the marks that show a moment up to this one. */
function reportedThrough(marks: Awaited<ReturnType<typeof readMarks>>, upTo: string | null): string | null {
  const reported = marks.filter(({ moment, supersededAt }) => supersededAt === null && upTo !== null && moment <= upTo)
  return latestDay(reported.map(({ periodEnd }) => periodEnd))
}

/** Undefined if closed periods of the connector are off. */
export async function readClosedPeriods(
  db: Db,
  connector: ConnectorLocation,
): Promise<ClosedPeriodRequest | undefined> {
  const row = await findClosedPeriodSettings(db, connector)
  if (row?.isOn !== true) return undefined
  const { stream, dateColumn, numberColumn, accountColumn, amountColumn } = row
  const marks = await readMarks(db, connector)
  return {
    version: row.changedAt,
    administratorDate: row.administratorDate,
    examinedUpTo: row.examinedUpTo,
    examinedFrom: row.examinedFrom,
    examinedBy: row.examinedBy,
    closedThrough: latestDay([row.closedThrough, reportedThrough(marks, row.examinedUpTo)]),
    closedThroughBefore: latestDay([row.closedThroughBefore, reportedThrough(marks, row.examinedFrom)]),
    table:
      stream === null || dateColumn === null ? null : { stream, dateColumn, numberColumn, accountColumn, amountColumn },
  }
}

/**
 * The caller holds the connector's lock. If the settings have changed since the run read them, nothing is stored: the next run
 * examines from the same cut-off.
 */
export async function storeClosedPeriods(
  db: Db,
  claim: RunClaim,
  result: ClosedPeriodExamination | FailedExamination,
): Promise<void> {
  const row = await findClosedPeriodSettings(db, claim)
  if (row?.isOn !== true || row.changedAt !== result.version) return
  if ('fault' in result) return updateSettings(db, claim, { fault: result.fault.notice })
  const isRepeated = row.examinedBy === claim.runId
  const dateBefore = isRepeated ? row.closedThroughBefore : row.closedThrough
  const { period = null, yearEnd = null } = result.lockDates ?? {}
  const dateAfter = latestDay([period, yearEnd, result.administratorDate])
  await updateSettings(db, claim, {
    ...examined(row, claim, result),
    periodLockDate: period,
    yearEndLockDate: yearEnd,
    closedThrough: dateAfter,
    closedThroughBefore: result.from === null ? null : dateBefore,
  })
  await storeDates(db, claim, { dateBefore, dateAfter })
  await storeChanges(db, claim, result)
}

type StoredSettings = NonNullable<Awaited<ReturnType<typeof findClosedPeriodSettings>>>

function examined({ examinedSince, notice }: StoredSettings, { runId }: RunClaim, result: ClosedPeriodExamination) {
  const { from, upTo } = result
  return {
    examinedUpTo: upTo,
    examinedFrom: from,
    examinedSince: from === null ? upTo : examinedSince,
    examinedBy: runId,
    // It stays until an administrator saves the settings.
    notice: result.notice ?? notice,
    fault: null,
  }
}

async function updateSettings(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  values: Updateable<StoreSchema['closedPeriod']>,
): Promise<void> {
  await db
    .updateTable('closedPeriod')
    .set(values)
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
}

function latestDay(days: readonly (string | null)[]): string | null {
  return (
    days
      .filter((day) => day !== null)
      .toSorted()
      .at(-1) ?? null
  )
}

interface MovedDay {
  readonly dateBefore: string | null
  readonly dateAfter: string | null
}

async function storeDates(db: Db, { organisationId, connectorId, runId }: RunClaim, days: MovedDay): Promise<void> {
  if (days.dateBefore === days.dateAfter) {
    await db
      .deleteFrom('closedPeriodDate')
      .where('organisationId', '=', organisationId)
      .where('runId', '=', runId)
      .execute()
    return
  }
  await db
    .insertInto('closedPeriodDate')
    .values({ organisationId, connectorId, runId, ...days })
    .onConflict((conflict) => conflict.column('runId').doUpdateSet(days))
    .execute()
}

/** An earlier attempt of the run may have stored changes. One that a person has acknowledged since stays so, if it is still the same. */
async function storeChanges(db: Db, claim: RunClaim, result: ClosedPeriodExamination): Promise<void> {
  const { organisationId, connectorId, runId } = claim
  const { changes, closedThrough } = result
  await db
    .deleteFrom('closedPeriodChange')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('runId', '=', runId)
    .where('acknowledgedAt', 'is', null)
    .execute()
  if (closedThrough === null) return
  for (let at = 0; at < changes.length; at += insertBatchSize) {
    const rows = changes
      .slice(at, at + insertBatchSize)
      .map((change) => ({ organisationId, connectorId, runId, closedThrough, ...changeRow(change, closedThrough) }))
    await db
      .insertInto('closedPeriodChange')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['runId', 'kind', 'documentId'])
          .doUpdateSet({ ...replaced, acknowledgedAt: null, acknowledgedBy: null, reason: null })
          .where(sql<boolean>`closedPeriodChange.after IS DISTINCT FROM excluded.after`),
      )
      .execute()
  }
}

const replaced = {
  change: sql<ClosedPeriodChange['change']>`excluded.change`,
  documentNumber: sql<string | null>`excluded.documentNumber`,
  periods: sql<string[]>`excluded.periods`,
  before: sql<string>`excluded.before`,
  after: sql<string>`excluded.after`,
  moved: sql<string>`excluded.moved`,
  changedAt: sql<string | null>`excluded.changedAt`,
}

function changeRow(
  { change, kind, id, before, after, moved, changedAt, address }: ClosedPeriodChange,
  closedThrough: string,
) {
  const dates = [...(before?.dates ?? []), ...(after?.dates ?? [])].filter((date) => date <= closedThrough)
  return {
    change,
    kind,
    documentId: id,
    documentNumber: after?.number ?? before?.number ?? null,
    periods: [...new Set(dates.map((date) => `${date.slice(0, 8)}01`))].toSorted(),
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
    moved: JSON.stringify(moved),
    changedAt,
    address,
  }
}
