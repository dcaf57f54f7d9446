/** Queries of the alerts that wait for a digest. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import { toSubject } from './incident-data.ts'

/** All waiting alerts of one channel, or of one recipient of mails. */
export type WaitingDigest = Awaited<ReturnType<typeof listWaitingEverywhere>>[number]

export async function listWaitingEverywhere(db: Db) {
  return db
    .selectFrom('alert')
    .innerJoin('organisation', 'organisation.id', 'alert.organisationId')
    .leftJoin('alertChannel as channel', 'channel.id', 'alert.channelId')
    .leftJoin('alertChannel as own', (join) =>
      join
        .onRef('own.organisationId', '=', 'alert.organisationId')
        .onRef('own.userId', '=', 'alert.userId')
        .on('own.service', 'is', null),
    )
    .leftJoin('alertChannel as general', (join) =>
      join
        .onRef('general.organisationId', '=', 'alert.organisationId')
        .on('general.userId', 'is', null)
        .on('general.service', 'is', null)
        .on('alert.userId', 'is not', null),
    )
    .leftJoin('portalUser as person', (join) =>
      join.on(sql<boolean>`person.id = coalesce(alert.userId, channel.userId)`),
    )
    .select(['alert.organisationId', 'alert.channelId', 'alert.userId', 'organisation.companyName'])
    .select(['channel.service', 'person.id as personId', 'person.emailAddress'])
    .select([
      sql<boolean>`own.id IS NOT NULL`.as('isOwnChoice'),
      sql<boolean>`organisation.archivedAt IS NOT NULL`.as('isArchived'),
      sql<
        'immediately' | 'daily' | 'never'
      >`coalesce(channel.frequency, own.frequency, general.frequency, 'immediately')`.as('frequency'),
      sql<number>`coalesce(channel.hour, own.hour, general.hour, 0)`.as('hour'),
      sql<string>`CASE WHEN coalesce(channel.userId, own.userId) IS NULL THEN organisation.timeZone
        ELSE coalesce(person.timeZone, channel.timeZone, own.timeZone, organisation.timeZone) END`.as('timeZone'),
      sql<string>`min(alert.createdAt)`.as('waitingSince'),
      sql<string>`now()`.as('now'),
    ])
    .where('alert.sentAt', 'is', null)
    .groupBy(['alert.organisationId', 'alert.channelId', 'alert.userId', 'organisation.id', 'channel.id', 'own.id'])
    .groupBy(['general.id', 'person.id'])
    .execute()
}

export type WaitingAlert = Awaited<ReturnType<typeof lockWaiting>>[number]

/**
 * The waiting alerts, oldest incident first, locked until the transaction ends. Another worker that wants the same ones
 * waits, and then finds none.
 */
export async function lockWaiting(db: Db, { organisationId, channelId, userId }: WaitingDigest) {
  // The channel first, as its deletion does.
  if (channelId !== null)
    await db
      .selectFrom('alertChannel')
      .select('id')
      .where('organisationId', '=', organisationId)
      .where('id', '=', channelId)
      .forShare()
      .execute()
  const rows = await db
    .selectFrom('alert')
    .innerJoin('incident', 'incident.id', 'alert.incidentId')
    .leftJoin('connector', 'connector.id', 'incident.connectorId')
    .leftJoin('publicationAction', 'publicationAction.id', 'incident.actionId')
    .selectAll('incident')
    .select(['alert.id as alertId', 'alert.event', 'connector.name', 'connector.type', 'connector.alertUsers'])
    .select(['publicationAction.name as actionName', 'publicationAction.kind as actionKind'])
    .where('alert.organisationId', '=', organisationId)
    .where('alert.channelId', 'is not distinct from', channelId)
    .where('alert.userId', 'is not distinct from', userId)
    .where('alert.sentAt', 'is', null)
    .orderBy('incident.openedAt')
    // An incident opens before it ends.
    .orderBy(sql`alert.event = 'opened'`, 'desc')
    .orderBy('alert.id')
    .forUpdate('alert')
    .execute()
  return rows.map(({ alertId, event, name, type, alertUsers, actionName, actionKind, ...incident }) => ({
    id: alertId,
    event,
    incident,
    connectorId: incident.connectorId,
    alertUsers,
    subject: toSubject(incident, { name: name ?? actionName, type: type ?? actionKind }),
  }))
}

export async function markSent(
  db: Db,
  { organisationId }: WaitingDigest,
  waiting: readonly WaitingAlert[],
): Promise<void> {
  await db
    .updateTable('alert')
    .set({ sentAt: sql<string>`now()` })
    .where('organisationId', '=', organisationId)
    .where(
      'id',
      'in',
      waiting.map(({ id }) => id),
    )
    .execute()
}
