/** Queries of marks "as reported". */
import { sql } from 'kysely'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

export async function listMarks(db: Db, connector: ConnectorLocation) {
  return (await selectMarks(db, connector).execute()).map(toReply)
}

export async function findMark(db: Db, connector: ConnectorLocation, markId: string) {
  const found = await selectMarks(db, connector).where('reportMark.id', '=', markId).executeTakeFirst()
  return found && toReply(found)
}

function selectMarks(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('reportMark')
    .innerJoin('portalUser as creator', 'creator.id', 'reportMark.createdBy')
    .leftJoin('portalUser as superseder', 'superseder.id', 'reportMark.supersededBy')
    .select([
      'reportMark.id',
      'reportMark.name',
      'periodEnd',
      'moment',
      'runId',
      'reportMark.createdAt as createdAtUtc',
      'views',
      'notice',
      'supersededAt as supersededAtUtc',
      'reason',
      sql<string>`creator.firstName || ' ' || creator.lastName`.as('createdBy'),
      sql<string | null>`superseder.firstName || ' ' || superseder.lastName`.as('supersededBy'),
    ])
    .where('reportMark.organisationId', '=', organisationId)
    .where('reportMark.connectorId', '=', connectorId)
    .orderBy('reportMark.createdAt', 'desc')
    .orderBy('reportMark.id')
}

/** Cut-offs have microseconds; times of the API have milliseconds. */
function toReply<Mark extends { readonly moment: string }>({ moment, ...mark }: Mark) {
  return { ...mark, momentUtc: new Date(moment).toISOString() }
}

export interface NewMark {
  readonly name: string
  readonly slug: string
  readonly periodEnd: string
  readonly moment: string
  readonly runId: string
  readonly createdBy: string
}

/** Returns undefined if another mark has the same slug. */
export async function insertMark(db: Db, connector: ConnectorLocation, mark: NewMark): Promise<string | undefined> {
  const inserted = await db
    .insertInto('reportMark')
    .values({ ...connector, ...mark })
    .onConflict((conflict) => conflict.columns(['connectorId', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** The run that closed periods have examined last. */
export function findExamined(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('closedPeriod')
    .select(['examinedUpTo', 'examinedBy'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('isOn', '=', true)
    .where('stream', 'is', null)
    .executeTakeFirst()
}

/** Returns false if it is superseded already. */
export async function supersedeMark(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  markId: string,
  { reason, userId }: { readonly reason: string; readonly userId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reportMark')
    .set({ supersededAt: sql`now()`, supersededBy: userId, reason })
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('id', '=', markId)
    .where('supersededAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
