/** Adds, changes and removes alert channels, and the choice of mails. */
import { randomUUID } from 'node:crypto'
import type {
  AlertChannel,
  AlertChannelInput,
  AlertChannels,
  AlertChoiceInput,
  AlertService,
} from '@tributary/contract/alert-channels'
import { secretMask } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import type { AppServices } from '../../app-services.ts'
import { requireTimeZone } from '../../identity/people/organisations.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { badField, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import {
  channelAddressLocation,
  maskAddress,
  requireChannelAddress,
  signingSecretLocation,
} from '../../messaging/alert-channels/alert-channel.ts'
import { createWebhookSecret, webhookCallLimit } from '../../messaging/webhooks/webhook.ts'
import {
  type ChannelOwner,
  type ChosenAlerts,
  deleteChannel,
  deleteMail,
  getChannel,
  getStoredChannel,
  insertChannel,
  listChannels,
  requireRoom,
  requireVisibleConnectors,
  saveMail,
  updateChannel,
} from './queries.ts'

type ChannelServices = Pick<AppServices, 'audit' | 'config' | 'network' | 'secrets' | 'store' | 'throttle'>

export interface ChannelCall {
  readonly owner: ChannelOwner
  readonly auditContext: CallerContext
}

/** The reply contains the secret of a webhook. */
export async function addChannel(
  services: ChannelServices,
  { owner, auditContext }: ChannelCall,
  input: AlertChannelInput,
): Promise<Camel<AlertChannel>> {
  const { organisationId } = owner
  await requireNewAddress(services, owner, input)
  return services.store.within(organisationId, async (db) => {
    const id = randomUUID()
    await requireRoom(db, organisationId, owner)
    const chosen = await parseChoice(db, owner, input)
    const { secret, ...address } = await encryptAddress(db, services, { organisationId, channelId: id, ...input })
    await insertChannel(db, organisationId, owner, { id, name: input.name, ...chosen, ...address })
    await record(db, services, auditContext, { action: 'alert_channel.created', id, input, owner })
    return { ...(await getChannel(db, organisationId, owner, id)), secret }
  })
}

/** A new address of a webhook gets a new secret, which the reply contains. */
export async function changeChannel(
  services: ChannelServices,
  { owner, auditContext }: ChannelCall,
  channelId: string,
  input: AlertChannelInput,
): Promise<Camel<AlertChannel>> {
  const { organisationId } = owner
  const stored = await services.store.within(organisationId, (db) =>
    getStoredChannel(db, organisationId, owner, channelId),
  )
  const keepsAddress = input.address === maskAddress(stored.origin)
  if (keepsAddress && input.service !== stored.service) throw badField('address', 'must be entered for another service')
  if (!keepsAddress) await requireNewAddress(services, owner, input)
  return services.store.within(organisationId, async (db) => {
    const chosen = await parseChoice(db, owner, input)
    const { service, origin, address, signingSecret } = await getStoredChannel(db, organisationId, owner, channelId)
    const { secret, ...columns } = keepsAddress
      ? { service, origin, address, signingSecret, secret: null }
      : await encryptAddress(db, services, { organisationId, channelId, ...input })
    await updateChannel(db, organisationId, channelId, { name: input.name, ...chosen, ...columns })
    await record(db, services, auditContext, { action: 'alert_channel.updated', id: channelId, input, owner })
    return { ...(await getChannel(db, organisationId, owner, channelId)), secret }
  })
}

export async function removeChannel(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  { owner, auditContext }: ChannelCall,
  channelId: string,
): Promise<void> {
  const isDeleted = await deleteChannel(db, owner.organisationId, owner, channelId)
  if (!isDeleted) throw notFound()
  await record(db, services, auditContext, { action: 'alert_channel.deleted', id: channelId, input: null, owner })
}

/** @param input null removes the choice */
export async function chooseMail(
  db: Db,
  services: Pick<AppServices, 'audit'>,
  { owner, auditContext }: ChannelCall,
  input: AlertChoiceInput | null,
): Promise<Camel<AlertChannels>> {
  const { organisationId } = owner
  const id =
    input === null
      ? await deleteMail(db, organisationId, owner)
      : await saveMail(db, organisationId, owner, await parseChoice(db, owner, input))
  const action = input === null ? 'alert_channel.deleted' : 'alert_channel.updated'
  if (id !== undefined) await record(db, services, auditContext, { action, id, input, owner })
  return listChannels(db, organisationId, owner)
}

async function requireNewAddress(
  services: ChannelServices,
  { organisationId }: ChannelOwner,
  { service, address }: AlertChannelInput,
): Promise<void> {
  if (address.includes(secretMask)) throw badField('address', 'must be entered in full')
  await services.throttle.attempt(webhookCallLimit, organisationId)
  await requireChannelAddress(services, service, address)
}

interface NewAddress {
  readonly organisationId: string
  readonly channelId: string
  readonly service: AlertService
  readonly address: string
}

/** The columns of a new address, and the secret of a webhook in clear. */
async function encryptAddress(
  db: Db,
  { secrets }: Pick<AppServices, 'secrets'>,
  { service, address, ...location }: NewAddress,
) {
  const secret = service === 'webhook' ? createWebhookSecret() : null
  return {
    service,
    origin: new URL(address).origin,
    address: await secrets.encrypt(db, channelAddressLocation(location), address),
    signingSecret: secret === null ? null : await secrets.encrypt(db, signingSecretLocation(location), secret),
    secret,
  }
}

/** Throws `badInput`. */
async function parseChoice(
  db: Db,
  owner: ChannelOwner,
  { kinds, connectors, frequency, hour, timeZone }: AlertChoiceInput,
): Promise<ChosenAlerts> {
  if (timeZone !== undefined) requireTimeZone('timeZone', timeZone)
  if (connectors !== null) await requireVisibleConnectors(db, owner.organisationId, owner, connectors)
  return {
    kinds: kinds === null ? null : [...new Set(kinds)],
    connectorIds: connectors === null ? null : [...new Set(connectors)],
    frequency,
    hour,
    // The digests of an organisation are sent in its own zone.
    timeZone: owner.userId === null ? null : (timeZone ?? null),
  }
}

interface ChannelChange {
  readonly action: 'alert_channel.created' | 'alert_channel.updated' | 'alert_channel.deleted'
  readonly id: string
  readonly input: AlertChannelInput | AlertChoiceInput | null
  readonly owner: ChannelOwner
}

async function record(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: CallerContext,
  { action, id, input, owner }: ChannelChange,
): Promise<void> {
  const detail = {
    owner: owner.userId === null ? 'organisation' : 'person',
    ...(input !== null && {
      service: 'service' in input ? input.service : 'mail',
      kinds: input.kinds,
      connectors: input.connectors,
      frequency: input.frequency,
    }),
  }
  await audit.record(db, auditContext, { action, object: { type: 'alert_channel', id }, detail })
}
