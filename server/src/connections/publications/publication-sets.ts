/** What a run has to do with the set that publishes its connector. */
import type { OfferOutcome, SyncRunRequest } from '@tributary/engine/sync/sync-request'
import { sql } from 'kysely'
import type { Queue } from '../../kernel/queue/queue.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'
import type { TargetDatabase } from './target-database.ts'

/** Jobs name a set whose next publication is to be decided. */
export const publicationChannel = 'publication'

/** As many as a target keeps. */
const offersKept = 5

/** The set that publishes the connector's runs; undefined if none is switched on. */
export async function findPublicationSet(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('publicationMember')
    .innerJoin('publicationSet', 'publicationSet.id', 'publicationMember.setId')
    .select('setId')
    .where('publicationMember.organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('isOn', '=', true)
    .executeTakeFirst()
  return found?.setId
}

export interface PlannedOffer {
  readonly request: Pick<SyncRunRequest, 'publicationSet'>
  /** Why the run cannot be offered, whatever it comes to. */
  readonly failed: OfferOutcome | null
}

/** A connector whose settings name another database since it was added to a set is not published by it. @param target of the run */
export function planOffer(setId: string | undefined, target: TargetDatabase): PlannedOffer {
  if (setId === undefined) return { request: {}, failed: null }
  if (setId === target.id) return { request: { publicationSet: setId }, failed: null }
  const notice = `It loads another database now: ${target.name}. Take it out of this publication.`
  return { request: {}, failed: { outcome: 'failed', notice } }
}

/** Stores what came of offering a completed run. Does nothing if its connector has left the set meanwhile. */
export async function storeOffer(
  db: Db,
  connector: ConnectorLocation,
  runId: string,
  offer: OfferOutcome,
): Promise<void> {
  const setId = await findPublicationSet(db, connector)
  if (setId === undefined) return
  const { organisationId, connectorId } = connector
  const values = {
    setId,
    moment: offer.outcome === 'offered' ? offer.moment : null,
    notice: offer.outcome === 'offered' ? null : offer.notice,
    offeredAt: sql<string>`now()`,
  }
  await db
    .insertInto('publicationOffer')
    .values({ runId, organisationId, connectorId, ...values })
    .onConflict((conflict) => conflict.column('runId').doUpdateSet(values))
    .execute()
  const kept = db
    .selectFrom('publicationOffer')
    .select('runId')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('offeredAt', 'desc')
    .limit(offersKept)
  await db
    .deleteFrom('publicationOffer')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('runId', 'not in', kept)
    .execute()
}

/** Lets a worker decide about the connector's set. The end of each run calls it, because it may change what the rule demands. */
export async function notifyPublication(db: Db, queue: Queue, connector: ConnectorLocation): Promise<void> {
  const setId = await findPublicationSet(db, connector)
  if (setId !== undefined) await queue.notify(db, publicationChannel, setId)
}

/**
 * The moments of the connector that published views show, or may show next. Retention of history keeps what was valid at one of them.
 */
export async function listPublishedMoments(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<readonly string[]> {
  const { rows } = await sql<{ moment: string }>`
    SELECT publicationRun.moment FROM publicationRun JOIN publication USING (setId, number)
    WHERE publicationRun.organisationId = ${organisationId} AND connectorId = ${connectorId}
      AND number >= (SELECT coalesce(max(number), 0) FROM publication AS shown
        WHERE shown.setId = publicationRun.setId AND shown.publishedAt IS NOT NULL)
    UNION
    SELECT moment FROM publicationOffer JOIN publicationSet ON publicationSet.id = setId AND isOn
    WHERE publicationOffer.organisationId = ${organisationId} AND connectorId = ${connectorId} AND moment IS NOT NULL
    ORDER BY moment`.execute(db)
  return rows.map(({ moment }) => moment)
}
