/** Routes for a connector's alert recipients, webhook and incidents. */
import { alerts, type Alerts } from '@tributary/contract/alerts'
import type { Camel } from '@tributary/contract/wire'
import type * as z from 'zod'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { areMembers, findAlerts, listIncidents } from './queries.ts'
import { tieOutKind } from './tie-out-incidents.ts'
import {
  createWebhookSecret,
  requireAddress,
  webhookSecretLocation,
  sendMessage,
  testMessage,
  unreadableSecret,
  settingsWrong,
} from '../../messaging/webhooks/webhook.ts'

/** Limits calls to addresses that users enter, so that the server cannot be used to scan networks. */
const webhookCallLimit = {
  kind: 'webhook call',
  free: 20,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}

export function alertRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(alerts.read, ({ store, organisationId, params: { connectorId } }) =>
    store.within(organisationId, async (db) => toAlerts(await requireAlerts(db, organisationId, connectorId), null)),
  )

  app.bind(alerts.save, async ({ store, organisationId, auditContext, params: { connectorId }, body }) => {
    const stored = await store.within(organisationId, (db) => requireAlerts(db, organisationId, connectorId))
    const url = body.webhook?.url ?? null
    if (url !== null && url !== stored.webhookUrl) {
      await services.throttle.attempt(webhookCallLimit, organisationId)
      await requireAddress(services, url)
    }
    return store.within(organisationId, (db) => saveAlerts(db, services, { connectorId, auditContext }, body))
  })

  app.bind(alerts.test, async ({ store, organisationId, params: { connectorId } }) => {
    const webhook = await store.within(organisationId, async (db) => {
      const { webhookUrl: url, webhookSecret } = await requireAlerts(db, organisationId, connectorId)
      if (url === null || webhookSecret === null)
        throw settingsWrong('There is no webhook yet. Enter its address and save, then test it.')
      const secretLocation = webhookSecretLocation(organisationId, connectorId)
      const secret = await decryptOr(null, () => services.secrets.decrypt(db, secretLocation, webhookSecret))
      if (secret === null) throw settingsWrong(unreadableSecret)
      return { url, secret }
    })
    await services.throttle.attempt(webhookCallLimit, organisationId)
    const failure = await sendMessage(services, webhook, testMessage(connectorId, new Date(services.clock.now())))
    return failure === null
      ? { delivered: true, notice: 'The webhook accepted the test message.' }
      : { delivered: false, notice: failure }
  })

  app.bind(alerts.incidents, ({ store, organisationId, actor, params: { connectorId } }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      const incidents = await listIncidents(db, organisationId, connectorId)
      // Guests of a shared connector do not see the figures of the books.
      return actor.isGuest === true ? incidents.filter(({ kind }) => kind !== tieOutKind) : incidents
    }),
  )
}

interface AlertsChange {
  readonly connectorId: string
  readonly auditContext: AuditContext<string>
}

async function saveAlerts(
  db: Db,
  services: Pick<AppServices, 'audit' | 'secrets'>,
  { connectorId, auditContext }: AlertsChange,
  body: z.output<typeof alerts.save.body>,
): Promise<Camel<Alerts>> {
  const { organisationId } = auditContext
  const url = body.webhook?.url ?? null
  await lockConnector(db, organisationId, connectorId)
  const connector = await requireAlerts(db, organisationId, connectorId)
  const users = body.users === null ? null : [...new Set(body.users)]
  if (users !== null && !(await areMembers(db, organisationId, users)))
    throw badField('users', 'must be members of the organisation')
  const secret = url === null || url === connector.webhookUrl ? null : createWebhookSecret()
  const storedSecret = url === null ? null : connector.webhookSecret
  const sealed =
    secret === null
      ? storedSecret
      : await services.secrets.encrypt(db, webhookSecretLocation(organisationId, connectorId), secret)
  const change = { alertUsers: users, webhookUrl: url, webhookSecret: sealed }
  await db
    .updateTable('connector')
    .set(change)
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
  const object = { type: 'connector', id: connectorId }
  const detail = { users, webhook: url === null ? null : new URL(url).host }
  await services.audit.record(db, auditContext, {
    action: 'connector.alerts_set',
    outcome: 'success',
    object,
    detail,
  })
  return toAlerts(change, secret)
}

async function requireAlerts(db: Db, organisationId: string, connectorId: string) {
  const found = await findAlerts(db, organisationId, connectorId)
  if (found === undefined) throw new ApiFault('notFound')
  return found
}

interface AlertRecipients {
  readonly alertUsers: string[] | null
  readonly webhookUrl: string | null
}

function toAlerts({ alertUsers, webhookUrl }: AlertRecipients, secret: string | null): Camel<Alerts> {
  return { users: alertUsers, webhook: webhookUrl === null ? null : { url: webhookUrl, secret } }
}
