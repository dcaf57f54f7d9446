/**
 * Sends what waits for webhooks: each message until it is taken, for a day. To take one is to put its next attempt off:
 * whoever comes at the same moment finds nothing due, and a sender that dies leaves it to the next one.
 */
import { sql } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import { decryptOr, type Secrets } from '../../security/secrets/secrets.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { webhookSecretLocation, sendMessage, unreadableSecret, type WebhookServices } from './webhook.ts'

interface WebhookDeliveryServices extends WebhookServices {
  readonly clock: Clock
  readonly secrets: Secrets
  readonly store: Store
}

/** With the waits below the last attempt comes a day after the first. */
const attemptsMax = 14
const firstWaitMs = 60_000
const waitMaxMs = 4 * 3_600_000
/** At once; a slow receiver holds up as many others at most. */
const lanes = 4

/** Tries all that is due. */
export async function deliverDue(services: WebhookDeliveryServices): Promise<void> {
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (await deliverNext(services));
    }),
  )
}

async function deliverNext(services: WebhookDeliveryServices): Promise<boolean> {
  // Across, here and below: a worker serves every organisation.
  const taken = await services.store.across(claimNext)
  if (taken === undefined) return false
  const failure = await trySending(services, taken)
  await services.store.across((db) => mark(db, taken, failure))
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
  const waitMs = sql`least(${firstWaitMs} * 2 ^ attempts, ${waitMaxMs})`
  return db
    .updateTable('webhookDelivery')
    .from('incident')
    .innerJoin('connector', 'connector.id', 'incident.connectorId')
    .set({ attempts: sql`attempts + 1`, dueAt: sql`now() + ${waitMs} * interval '1 millisecond'` })
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

async function trySending(services: WebhookDeliveryServices, taken: ClaimedDelivery): Promise<WebhookFailure | null> {
  const { webhookUrl: url, webhookSecret, organisationId, connectorId, attempts } = taken
  if (url === null || webhookSecret === null) return { notice: 'The webhook was taken away.', isFinal: true }
  const place = webhookSecretLocation(organisationId, connectorId)
  const secret = await decryptOr(null, () =>
    services.store.across((db) => services.secrets.decrypt(db, place, webhookSecret)),
  )
  if (secret === null) return { notice: unreadableSecret, isFinal: true }
  const notice = await sendMessage(
    services,
    { url, secret },
    { id: taken.id, body: taken.body, sentAt: new Date(services.clock.now()) },
  )
  return notice === null ? null : { notice, isFinal: attempts >= attemptsMax }
}

async function mark(db: Db, { id }: ClaimedDelivery, failure: WebhookFailure | null): Promise<void> {
  const change =
    failure === null
      ? { deliveredAt: sql<string>`now()`, dueAt: null, notice: null }
      : { notice: failure.notice, ...(failure.isFinal && { failedAt: sql<string>`now()`, dueAt: null }) }
  await db.updateTable('webhookDelivery').set(change).where('id', '=', id).execute()
}
