/** Adds and changes actions after a publication. */
import { randomUUID } from 'node:crypto'
import { secretMask } from '@tributary/contract/limits'
import type { PublicationAction, PublicationActionInput } from '@tributary/contract/publication-actions'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import { dropWaitingRuns } from '../../connections/publications/after-publishing.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { maskAddress } from '../../messaging/alert-channels/alert-channel.ts'
import {
  createWebhookSecret,
  requireAddress,
  settingsWrong,
  webhookCallLimit,
} from '../../messaging/webhooks/webhook.ts'
import { getAction, getStoredAction, insertAction, requireRoom, updateAction } from './queries.ts'
import { isDbtHost } from './services/dbt.ts'
import { type ActionLocation, type ActionSettings, secretLocation, signingSecretLocation } from './stored-action.ts'

type SaveServices = Pick<AppServices, 'audit' | 'config' | 'network' | 'secrets' | 'store' | 'throttle'>

/** The reply contains the signing secret of a webhook. */
export async function addAction(
  services: SaveServices,
  auditContext: CallerContext,
  input: PublicationActionInput,
): Promise<Camel<PublicationAction>> {
  const { organisationId } = auditContext
  const { secret, ...action } = parseInput(input)
  if (secret.includes(secretMask)) throw badField(secretFields[action.kind], 'must be entered in full')
  await requireDestination(services, organisationId, { action, secret })
  return services.store.within(organisationId, async (db) => {
    const location = { organisationId, actionId: randomUUID() }
    await requireRoom(db, organisationId)
    const { clearSigningSecret, ...sealed } = await encryptSecrets(db, services, location, { action, secret })
    await insertAction(db, location, { ...toColumns(input, action), ...sealed })
    await record(db, services, auditContext, {
      event: 'publication_action.created',
      actionId: location.actionId,
      action,
      input,
    })
    return { ...(await getAction(db, location)), signingSecret: clearSigningSecret }
  })
}

/** A new address of a webhook gets a new signing secret, which the reply contains. */
export async function changeAction(
  services: SaveServices,
  auditContext: CallerContext,
  actionId: string,
  input: PublicationActionInput,
): Promise<Camel<PublicationAction>> {
  const { organisationId } = auditContext
  const location = { organisationId, actionId }
  const { secret, ...action } = parseInput(input)
  const former = await services.store.within(organisationId, (db) => getStoredAction(db, location))
  if (action.kind !== former.kind) throw badField(action.kind, 'cannot take the place of another kind. Add an action')
  const isKept = keepsSecret(action, former, secret)
  if (!isKept) await requireDestination(services, organisationId, { action, secret })
  return services.store.within(organisationId, async (db) => {
    const stored = await getStoredAction(db, location)
    const { clearSigningSecret, ...sealed } = isKept
      ? { secret: stored.secret, signingSecret: stored.signingSecret, clearSigningSecret: null }
      : await encryptSecrets(db, services, location, { action, secret })
    // The origin of a masked address is the stored one.
    const kept = isKept && stored.kind === 'webhook' ? stored : action
    await updateAction(db, location, { ...toColumns(input, kept), ...sealed })
    if (!input.isOn)
      await dropWaitingRuns(db, organisationId, {
        where: sql`publicationAction.id = ${actionId}`,
        notice: 'The action was switched off before this run began.',
      })
    await record(db, services, auditContext, { event: 'publication_action.updated', actionId, action, input })
    return { ...(await getAction(db, location)), signingSecret: clearSigningSecret }
  })
}

type ParsedAction = ActionSettings & { readonly secret: string }

/** Where each kind has its secret. */
const secretFields = { webhook: 'webhook.address', powerBi: 'powerBi.clientSecret', dbt: 'dbt.token' } as const

/** Throws `badInput` unless the input has exactly one kind. */
function parseInput({ webhook, powerBi, dbt }: PublicationActionInput): ParsedAction {
  if ([webhook, powerBi, dbt].filter((kind) => kind !== undefined).length !== 1)
    throw badField('webhook', 'or powerBi or dbt must be given, exactly one of them')
  if (webhook !== undefined) {
    const { origin } = new URL(webhook.address)
    return { kind: 'webhook', settings: { origin }, secret: webhook.address }
  }
  if (powerBi !== undefined) {
    const { clientSecret, ...settings } = powerBi
    return { kind: 'powerBi', settings, secret: clientSecret }
  }
  if (dbt === undefined) throw badField('dbt', 'is missing')
  const { token, ...settings } = dbt
  if (!isDbtHost(settings.host))
    throw settingsWrong(
      'This is no host of dbt. Enter the host of its address bar when you are signed in, such as cloud.getdbt.com or ab123.us1.dbt.com.',
      'dbt.host',
    )
  return { kind: 'dbt', settings, secret: token }
}

/** Throws `secretNeeded` if the stored secret would be sent elsewhere, or for another account. */
function keepsSecret(action: ActionSettings, former: ActionSettings, entered: string): boolean {
  if (action.kind === 'webhook' && former.kind === 'webhook') {
    if (entered === maskAddress(former.settings.origin)) return true
    if (entered.includes(secretMask)) throw badField('webhook.address', 'must be entered in full')
    return false
  }
  if (entered !== secretMask) return false
  const isSame =
    action.kind === 'powerBi' && former.kind === 'powerBi'
      ? action.settings.tenantId === former.settings.tenantId &&
        action.settings.applicationId === former.settings.applicationId
      : action.kind === 'dbt' && former.kind === 'dbt' && action.settings.host === former.settings.host
  if (!isSame) throw new ApiFault('secretNeeded', { fields: { [secretFields[action.kind]]: 'must be entered again' } })
  return true
}

interface NewSecret {
  readonly action: ActionSettings
  readonly secret: string
}

/** Throws `settingsWrong` if messages to the address of a webhook are not allowed. The other kinds have fixed addresses. */
async function requireDestination(
  services: SaveServices,
  organisationId: string,
  { action, secret }: NewSecret,
): Promise<void> {
  if (action.kind !== 'webhook') return
  await services.throttle.attempt(webhookCallLimit, organisationId)
  await requireAddress(services, secret, secretFields.webhook)
}

async function encryptSecrets(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  location: ActionLocation,
  { action, secret }: NewSecret,
) {
  const clear = action.kind === 'webhook' ? createWebhookSecret() : null
  return {
    secret: await secrets.encrypt(db, secretLocation(location), secret),
    signingSecret: clear === null ? null : await secrets.encrypt(db, signingSecretLocation(location), clear),
    clearSigningSecret: clear,
  }
}

function toColumns({ name, isOn, setId }: PublicationActionInput, { kind, settings }: ActionSettings) {
  return { kind, name, isOn, setId, settings: JSON.stringify(settings) }
}

interface ActionChange {
  readonly event: 'publication_action.created' | 'publication_action.updated'
  readonly actionId: string
  readonly action: ActionSettings
  readonly input: PublicationActionInput
}

async function record(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: CallerContext,
  { event, actionId, action, input }: ActionChange,
): Promise<void> {
  await audit.record(db, auditContext, {
    action: event,
    object: { type: 'publication_action', id: actionId },
    detail: { kind: action.kind, name: input.name, isOn: input.isOn, ...action.settings },
  })
}
