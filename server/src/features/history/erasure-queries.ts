/** Queries of erasures in history. */
import { sql } from 'kysely'
import type { HistoryErasure } from '@tributary/contract/history-erasures'
import type { Camel } from '@tributary/contract/wire'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { ErasureSearch, FoundPerson } from '../../connections/history/history-erasures.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { StreamStructure } from './erasure-plan.ts'

const listedMax = 200

/** Latest first. */
export async function listErasures(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  runId?: string,
): Promise<Camel<HistoryErasure>[]> {
  const rows = await db
    .selectFrom('historyErasure')
    .innerJoin('portalUser', 'portalUser.id', 'historyErasure.requestedBy')
    .leftJoin('run', 'run.id', 'historyErasure.runId')
    .select([
      'historyErasure.id',
      'historyErasure.runId',
      'tableName as table',
      'columnName as column',
      'searches',
      'found',
      'historyErasure.completedAt as completedAtUtc',
      'requestedAt as requestedAtUtc',
      'run.notice',
      sql<boolean>`coalesce(run.status IN ('QUEUED', 'RUNNING', 'WAITING'), false)`.as('isUnderWay'),
      sql<string>`portalUser.firstName || ' ' || portalUser.lastName`.as('requestedBy'),
    ])
    .where('historyErasure.organisationId', '=', organisationId)
    .where('historyErasure.connectorId', '=', connectorId)
    .$if(runId !== undefined, (some) => some.where('historyErasure.runId', '=', runId ?? ''))
    .orderBy('requestedAt', 'desc')
    .limit(listedMax)
    .execute()
  return rows.map(({ searches: stored, found: counted, isUnderWay, notice, ...row }) => {
    // The columns hold what `history-erasures.ts` has written.
    const tables = (stored as readonly ErasureSearch[]).flatMap((search) => search.tables)
    const found = counted as FoundPerson | null
    const state = row.completedAtUtc !== null ? 'completed' : isUnderWay ? 'underWay' : 'failed'
    return {
      ...row,
      state,
      notice: state === 'completed' ? null : notice,
      tables: (found?.tables ?? []).map((each) => ({
        ...each,
        columns: [...(tables.find(({ table }) => table === each.table)?.clear ?? [])],
      })),
    }
  })
}

/** The streams of a connector that keep history, or have kept it. */
export async function listHistoryStructures(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<readonly StreamStructure[]> {
  const rows = await db
    .selectFrom('connectorStream')
    .select(['name as stream', 'structure'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where(sql<boolean>`histories <> '[]'`)
    .orderBy('name')
    .execute()
  return rows as unknown as readonly StreamStructure[]
}
