/** Sends the messages that are due for alert channels. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { SecurityServices } from '../../security/security-services.ts'
import { deliverAll, isOld, nextDue, recordedAttempt } from '../deliver-due.ts'
import { nextAttemptAt } from '../next-attempt.ts'
import { type DeliveryFailure, final, type PostServices } from '../post-message.ts'
import { decryptChannelAddress, sendToChannel, unreadableAddress } from './alert-channel.ts'

type AlertDeliveryServices = PostServices & Pick<SecurityServices, 'clock' | 'secrets' | 'store'>

/** Tries all due messages once. */
export function deliverAlerts(services: AlertDeliveryServices): Promise<void> {
  return deliverAll(services.store, {
    claimNext,
    send: (delivery) => trySending(services, delivery),
    record: recordAttempt,
  })
}

type ClaimedAlert = NonNullable<Awaited<ReturnType<typeof claimNext>>>

/**
 * Messages about a connector or an action reach a channel in their order, because people would misread another one: the end of an incident before its
 * opening, or after the opening of the next.
 */
const followsAnother = sql<boolean>`EXISTS (SELECT FROM alertDelivery AS earlier
    JOIN incident AS earlierIncident ON earlierIncident.id = earlier.incidentId
    JOIN incident ON incident.connectorId = earlierIncident.connectorId OR incident.actionId = earlierIncident.actionId
  WHERE incident.id = alertDelivery.incidentId AND earlier.channelId = alertDelivery.channelId AND earlier.dueAt IS NOT NULL
    AND (earlier.createdAt < alertDelivery.createdAt
      OR earlier.incidentId = alertDelivery.incidentId AND earlier.event = 'opened' AND alertDelivery.event = 'recovered'))`

function claimNext(db: Db) {
  return db
    .updateTable('alertDelivery')
    .from('alertChannel')
    .set({ attempts: sql`attempts + 1`, dueAt: nextAttemptAt })
    .whereRef('alertChannel.id', '=', 'alertDelivery.channelId')
    .where('alertDelivery.id', '=', nextDue('alertDelivery', sql`NOT ${followsAnother}`))
    .returning([
      'alertDelivery.id',
      'alertDelivery.organisationId',
      'alertDelivery.channelId',
      'alertDelivery.body',
      'alertDelivery.attempts',
    ])
    .returning(isOld('alertDelivery').as('isOld'))
    .returning(['alertChannel.service', 'alertChannel.address', 'alertChannel.signingSecret'])
    .executeTakeFirst()
}

async function trySending(services: AlertDeliveryServices, delivery: ClaimedAlert): Promise<DeliveryFailure | null> {
  const { id, body, organisationId, channelId, service, address, signingSecret } = delivery
  if (service === null || address === null) return final('The channel has no address.')
  const stored = { organisationId, channelId, service, address, signingSecret }
  const channel = await services.store.across((db) => decryptChannelAddress(db, services, stored))
  if (channel === null) return final(unreadableAddress)
  return sendToChannel(services, channel, { id, body, sentAt: new Date(services.clock.now()) })
}

async function recordAttempt(db: Db, delivery: ClaimedAlert, failure: DeliveryFailure | null): Promise<void> {
  const change = recordedAttempt(delivery, failure)
  await db.updateTable('alertDelivery').set(change).where('id', '=', delivery.id).execute()
  if (failure?.retryAfterMs != null) await postponeOthers(db, delivery, failure.retryAfterMs)
  if (failure === null || 'failedAt' in change) await recordHealth(db, delivery, failure === null)
}

/** A rate limit applies to the address, so its other messages wait, too. */
async function postponeOthers(db: Db, { organisationId, channelId }: ClaimedAlert, waitMs: number): Promise<void> {
  await db
    .updateTable('alertDelivery')
    .set({ dueAt: sql<string>`greatest(dueAt, now() + ${waitMs} * interval '1 millisecond')` })
    .where('organisationId', '=', organisationId)
    .where('channelId', '=', channelId)
    .where('dueAt', 'is not', null)
    .execute()
}

async function recordHealth(db: Db, { organisationId, channelId }: ClaimedAlert, isWorking: boolean): Promise<void> {
  await db
    .updateTable('alertChannel')
    .set(
      isWorking
        ? { failingSince: null, failureMailedAt: null }
        : { failingSince: sql<string>`coalesce(failingSince, now())` },
    )
    .where('organisationId', '=', organisationId)
    .where('id', '=', channelId)
    // Otherwise each delivery would write the row.
    .$if(isWorking, (query) => query.where('failingSince', 'is not', null))
    .execute()
}
