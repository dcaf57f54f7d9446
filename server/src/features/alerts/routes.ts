/** Routes for a connector's alert recipients, webhook and incidents. */
import { alerts, type Alerts } from '@tributary/contract/alerts'
import type { Camel } from '@tributary/contract/wire'
import type * as z from 'zod'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { updateConnector } from '../../connections/connectors/connector-queries.ts'
import { filterMembers } from '../../identity/people/members.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { getAlerts, listIncidents } from './queries.ts'
import { closedPeriodKind } from './closed-period-incidents.ts'
import { tieOutKind } from './tie-out-incidents.ts'
import {
  createWebhookSecret,
  requireAddress,
  webhookSecretLocation,
  sendMessage,
  testMessage,
  unreadableSecret,
  settingsWrong,
  webhookCallLimit,
} from '../../messaging/webhooks/webhook.ts'

const webhookField = 'webhook.url'

export function alertRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(alerts.read, async (db, { organisationId, params: { connectorId } }) =>
    toAlerts(await getAlerts(db, { organisationId, connectorId }), null),
  )

  app.bind(alerts.save, async ({ store, organisationId, auditContext, params: { connectorId }, body }) => {
    const stored = await store.within(organisationId, (db) => getAlerts(db, { organisationId, connectorId }))
    const url = body.webhook?.url ?? null
    if (url !== null && url !== stored.webhookUrl) {
      await services.throttle.attempt(webhookCallLimit, organisationId)
      await requireAddress(services, url, webhookField)
    }
    return store.within(organisationId, (db) => saveAlerts(db, services, { connectorId, auditContext }, body))
  })

  app.bind(alerts.test, async ({ store, organisationId, params: { connectorId } }) => {
    const webhook = await store.within(organisationId, async (db) => {
      const { webhookUrl: url, webhookSecret } = await getAlerts(db, { organisationId, connectorId })
      if (url === null || webhookSecret === null)
        throw settingsWrong('There is no webhook yet. Enter its address and save, then test it.', webhookField)
      const secretLocation = webhookSecretLocation(organisationId, connectorId)
      const secret = await decryptOr(null, () => services.secrets.decrypt(db, secretLocation, webhookSecret))
      if (secret === null) throw settingsWrong(unreadableSecret, webhookField)
      return { url, secret }
    })
    await services.throttle.attempt(webhookCallLimit, organisationId)
    const failure = await sendMessage(services, webhook, testMessage(connectorId, new Date(services.clock.now())))
    return failure === null
      ? { delivered: true, notice: 'The webhook accepted the test message.' }
      : { delivered: false, notice: failure.notice }
  })

  bindVisibleConnector(app, alerts.incidents, async (db, connector, { actor }) => {
    const incidents = await listIncidents(db, connector)
    // Guests of a shared connector do not see the figures of the books.
    return actor.isGuest === true
      ? incidents.filter(({ kind }) => kind !== tieOutKind && kind !== closedPeriodKind)
      : incidents
  })
}

async function saveAlerts(
  db: Db,
  services: Pick<AppServices, 'audit' | 'secrets'>,
  { connectorId, auditContext }: { readonly connectorId: string; readonly auditContext: OrganisationContext },
  body: z.output<typeof alerts.save.body>,
): Promise<Camel<Alerts>> {
  const { organisationId } = auditContext
  const location = { organisationId, connectorId }
  const url = body.webhook?.url ?? null
  await lockConnector(db, location)
  const connector = await getAlerts(db, location)
  const users = body.users === null ? null : [...new Set(body.users)]
  if (users !== null && (await filterMembers(db, organisationId, users)).size < users.length)
    throw badField('users', 'must be members of the organisation')
  const secret = url === null || url === connector.webhookUrl ? null : createWebhookSecret()
  const storedSecret = url === null ? null : connector.webhookSecret
  const sealed =
    secret === null
      ? storedSecret
      : await services.secrets.encrypt(db, webhookSecretLocation(organisationId, connectorId), secret)
  const change = { alertUsers: users, webhookUrl: url, webhookSecret: sealed }
  await updateConnector(db, location, change)
  const object = { type: 'connector', id: connectorId }
  const detail = { users, webhook: url === null ? null : new URL(url).host }
  await services.audit.record(db, auditContext, { action: 'connector.alerts_set', object, detail })
  return toAlerts(change, secret)
}

interface AlertRecipients {
  readonly alertUsers: string[] | null
  readonly webhookUrl: string | null
}

function toAlerts({ alertUsers, webhookUrl }: AlertRecipients, secret: string | null): Camel<Alerts> {
  return { users: alertUsers, webhook: webhookUrl === null ? null : { url: webhookUrl, secret } }
}
