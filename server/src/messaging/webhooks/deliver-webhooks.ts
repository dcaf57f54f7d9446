/**
 * Sends the messages that are due for webhooks. Each is retried for a day until the receiver accepts it. A sender
 * claims a message by postponing its next attempt: concurrent senders do not find it due, and if the sender dies,
 * another one claims it after the wait.
 */
import type { SecurityServices } from '../../security/security-services.ts'
import { sql } from 'kysely'
import { attemptsMax, nextAttemptAt } from '../next-attempt.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { webhookSecretLocation, sendMessage, unreadableSecret, type WebhookServices } from './webhook.ts'

type WebhookDeliveryServices = WebhookServices & Pick<SecurityServices, 'clock' | 'secrets' | 'store'>

/** The number of messages that are sent concurrently, so that a slow receiver does not block all others. */
const concurrency = 4

/** Tries all due messages once. */
export async function deliverDue(services: WebhookDeliveryServices): Promise<void> {
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (await deliverNext(services));
    }),
  )
}

async function deliverNext(services: WebhookDeliveryServices): Promise<boolean> {
  // Across, here and below: a worker serves every organisation.
  const delivery = await services.store.across(claimNext)
  if (delivery === undefined) return false
  const failure = await trySending(services, delivery)
  await services.store.across((db) => recordAttempt(db, delivery, failure))
  return true
}

type ClaimedDelivery = NonNullable<Awaited<ReturnType<typeof claimNext>>>

function claimNext(db: Db) {
  const next = db
    .selectFrom('webhookDelivery')
    .select('id')
    .where('dueAt', '<=', sql<string>`now()`)
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
  return db
    .updateTable('webhookDelivery')
    .from('incident')
    .innerJoin('connector', 'connector.id', 'incident.connectorId')
    .set({ attempts: sql`attempts + 1`, dueAt: nextAttemptAt })
    .whereRef('incident.id', '=', 'webhookDelivery.incidentId')
    .where('webhookDelivery.id', '=', next)
    .returning([
      'webhookDelivery.id',
      'webhookDelivery.organisationId',
      'webhookDelivery.body',
      'webhookDelivery.attempts',
    ])
    .returning(['connector.id as connectorId', 'connector.webhookUrl', 'connector.webhookSecret'])
    .executeTakeFirst()
}

interface WebhookFailure {
  readonly notice: string
  readonly isFinal: boolean
}

async function trySending(
  services: WebhookDeliveryServices,
  delivery: ClaimedDelivery,
): Promise<WebhookFailure | null> {
  const { webhookUrl: url, webhookSecret, organisationId, connectorId, attempts } = delivery
  if (url === null || webhookSecret === null) return { notice: 'The webhook was removed.', isFinal: true }
  const location = webhookSecretLocation(organisationId, connectorId)
  const secret = await decryptOr(null, () =>
    services.store.across((db) => services.secrets.decrypt(db, location, webhookSecret)),
  )
  if (secret === null) return { notice: unreadableSecret, isFinal: true }
  const notice = await sendMessage(
    services,
    { url, secret },
    { id: delivery.id, body: delivery.body, sentAt: new Date(services.clock.now()) },
  )
  return notice === null ? null : { notice, isFinal: attempts >= attemptsMax }
}

async function recordAttempt(db: Db, { id }: ClaimedDelivery, failure: WebhookFailure | null): Promise<void> {
  const change =
    failure === null
      ? { deliveredAt: sql<string>`now()`, dueAt: null, notice: null }
      : { notice: failure.notice, ...(failure.isFinal && { failedAt: sql<string>`now()`, dueAt: null }) }
  await db.updateTable('webhookDelivery').set(change).where('id', '=', id).execute()
}
