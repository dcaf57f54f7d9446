/** Sends the messages that are due for the webhooks of connectors. */
import type { SecurityServices } from '../../security/security-services.ts'
import { sql } from 'kysely'
import { deliverAll, isOld, nextDue, recordedAttempt } from '../deliver-due.ts'
import { nextAttemptAt } from '../next-attempt.ts'
import { type DeliveryFailure, final, type PostServices } from '../post-message.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { webhookSecretLocation, sendMessage, unreadableSecret } from './webhook.ts'

type WebhookDeliveryServices = PostServices & Pick<SecurityServices, 'clock' | 'secrets' | 'store'>

/** Tries all due messages once. */
export function deliverDue(services: WebhookDeliveryServices): Promise<void> {
  return deliverAll(services.store, {
    claimNext,
    send: (delivery) => trySending(services, delivery),
    record: recordAttempt,
  })
}

type ClaimedDelivery = NonNullable<Awaited<ReturnType<typeof claimNext>>>

function claimNext(db: Db) {
  return db
    .updateTable('webhookDelivery')
    .from('incident')
    .innerJoin('connector', 'connector.id', 'incident.connectorId')
    .set({ attempts: sql`attempts + 1`, dueAt: nextAttemptAt })
    .whereRef('incident.id', '=', 'webhookDelivery.incidentId')
    .where('webhookDelivery.id', '=', nextDue('webhookDelivery'))
    .returning([
      'webhookDelivery.id',
      'webhookDelivery.organisationId',
      'webhookDelivery.body',
      'webhookDelivery.attempts',
    ])
    .returning(isOld('webhookDelivery').as('isOld'))
    .returning(['connector.id as connectorId', 'connector.webhookUrl', 'connector.webhookSecret'])
    .executeTakeFirst()
}

async function trySending(
  services: WebhookDeliveryServices,
  delivery: ClaimedDelivery,
): Promise<DeliveryFailure | null> {
  const { id, body, webhookUrl: url, webhookSecret, organisationId, connectorId } = delivery
  if (url === null || webhookSecret === null) return final('The webhook was removed.')
  const location = webhookSecretLocation(organisationId, connectorId)
  const secret = await decryptOr(null, () =>
    services.store.across((db) => services.secrets.decrypt(db, location, webhookSecret)),
  )
  if (secret === null) return final(unreadableSecret)
  return sendMessage(services, { url, secret }, { id, body, sentAt: new Date(services.clock.now()) })
}

async function recordAttempt(db: Db, delivery: ClaimedDelivery, failure: DeliveryFailure | null): Promise<void> {
  await db
    .updateTable('webhookDelivery')
    .set(recordedAttempt(delivery, failure))
    .where('id', '=', delivery.id)
    .execute()
}
