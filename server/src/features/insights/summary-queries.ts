/** Queries of the summaries that order the organisations of a store with many. */
import type { OrganisationOrder } from '@tributary/contract/insights'
import { sql } from 'kysely'
import { matchesSearch } from '../../kernel/store/search.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Up to so many organisations, a request looks at all of them, so that their order is that of now. */
const liveMax = 500

const beforeAll = '00000000-0000-0000-0000-000000000000'

/** Whether the store has so many organisations that a worker keeps summaries of them. */
export async function hasSummariesEverywhere(db: Db): Promise<boolean> {
  const one = await db.selectFrom('organisation').select('id').offset(liveMax).limit(1).executeTakeFirst()
  return one !== undefined
}

export async function findIdsEverywhere(db: Db, search: string | undefined): Promise<string[]> {
  const rows = await selectFound(db, search).select('organisation.id').execute()
  return rows.map(({ id }) => id)
}

export interface SummaryPage {
  readonly search: string | undefined
  readonly order: OrganisationOrder
  readonly limit: number
  readonly offset: number
}

/** The ids of a page in their order. An organisation without a summary yet counts as one without needs. */
export async function findSummarisedEverywhere(db: Db, { search, order, limit, offset }: SummaryPage) {
  const found = selectFound(db, search)
  const page = await found
    .leftJoin('organisationSummary as summary', 'summary.organisationId', 'organisation.id')
    .select('organisation.id')
    .orderBy(orders[order])
    .orderBy('organisation.companyName')
    .orderBy('organisation.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await found.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { ids: page.map(({ id }) => id), total }
}

const orders: Readonly<Record<OrganisationOrder, ReturnType<typeof sql>>> = {
  need: sql`(-coalesce(summary.failing, 0), -coalesce(summary.late, 0), -coalesce(summary.nearLimit, 0), NOT coalesce(summary.neverConnected, false))`,
  size: sql`-coalesce(summary.rows, 0)`,
  calls: sql`-coalesce(summary.callShare, 0)`,
  name: sql`organisation.companyName`,
}

function selectFound(db: Db, search: string | undefined) {
  return db
    .selectFrom('organisation')
    .where('organisation.archivedAt', 'is', null)
    .where(matchesSearch(sql.ref('organisation.companyName'), search))
}

/**
 * Adds a summary that is due for those of the next organisations by id that have none.
 * @param after the organisation at which the previous call ended, or null to begin
 * @returns the organisation at which this call ended, or null at the end of all
 */
export async function addMissingSummariesEverywhere(
  db: Db,
  after: string | null,
  limit: number,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    WITH next AS (
      SELECT id FROM organisation WHERE archivedAt IS NULL AND id > ${after ?? beforeAll}::uuid ORDER BY id LIMIT ${limit}),
    added AS (
      INSERT INTO organisationSummary (organisationId, failing, late, nearLimit, neverConnected, rows, callShare, summarisedAt)
      SELECT id, 0, 0, 0, false, 0, 0, to_timestamp(0) FROM next ON CONFLICT DO NOTHING)
    SELECT id FROM next ORDER BY id DESC LIMIT 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Claims the organisations whose summaries are oldest, so that another worker takes the next ones. */
export async function claimOldestSummariesEverywhere(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .updateTable('organisationSummary')
    .set({ summarisedAt: sql<string>`now()` })
    .where('organisationId', 'in', (oldest) =>
      oldest
        .selectFrom('organisationSummary')
        .select('organisationId')
        .orderBy('summarisedAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('organisationId')
    .execute()
  return rows.map(({ organisationId }) => organisationId)
}

export interface StoredSummary {
  readonly organisationId: string
  readonly failing: number
  readonly late: number
  readonly nearLimit: number
  readonly neverConnected: boolean
  readonly rows: number
  readonly callShare: number
}

export async function saveSummariesEverywhere(db: Db, summaries: readonly StoredSummary[]): Promise<void> {
  const column = <Name extends keyof StoredSummary>(name: Name) => summaries.map((summary) => summary[name])
  await sql`UPDATE organisationSummary SET failing = fresh.failing, late = fresh.late, nearLimit = fresh.nearLimit,
      neverConnected = fresh.neverConnected, rows = fresh.rows, callShare = fresh.callShare
    FROM unnest(${column('organisationId')}::uuid[], ${column('failing')}::integer[], ${column('late')}::integer[],
      ${column('nearLimit')}::integer[], ${column('neverConnected')}::boolean[], ${column('rows')}::bigint[],
      ${column('callShare')}::double precision[])
      AS fresh (organisationId, failing, late, nearLimit, neverConnected, rows, callShare)
    WHERE organisationSummary.organisationId = fresh.organisationId`.execute(db)
}
