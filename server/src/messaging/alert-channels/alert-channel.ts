/** The services of alert channels: their addresses, the messages that they take, and sending one. */
import type { AlertService } from '@tributary/contract/alert-channels'
import { secretMask } from '@tributary/contract/limits'
import { detailedFault } from '../../kernel/http/api-fault.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { SecurityServices } from '../../security/security-services.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import { readSlackAnswer, renderSlackMessage } from '../chat/slack.ts'
import { readTeamsAnswer, renderTeamsMessage } from '../chat/teams.ts'
import { type DeliveryFailure, postMessage, type PostServices } from '../post-message.ts'
import { requireAddress, sendMessage, type WebhookMessage } from '../webhooks/webhook.ts'

/** Where a channel posts, decrypted. */
export interface ChannelAddress {
  readonly service: AlertService
  readonly url: string
  /** Of a webhook. */
  readonly secret: string | null
}

/** The names of the services on the screens. */
export const serviceTitles: Readonly<Record<AlertService, string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  webhook: 'webhook',
}

export interface ChannelLocation {
  readonly organisationId: string
  readonly channelId: string
}

export function channelAddressLocation({ organisationId, channelId }: ChannelLocation): SecretLocation {
  return { organisationId, table: 'alert_channel', column: 'address', row: channelId }
}

export function signingSecretLocation({ organisationId, channelId }: ChannelLocation): SecretLocation {
  return { organisationId, table: 'alert_channel', column: 'signing_secret', row: channelId }
}

export interface StoredChannelAddress extends ChannelLocation {
  readonly service: AlertService
  readonly address: string
  readonly signingSecret: string | null
}

/** Null if the address or the secret cannot be decrypted any more. */
export async function decryptChannelAddress(
  db: Db,
  { secrets }: Pick<SecurityServices, 'secrets'>,
  { service, address, signingSecret, ...location }: StoredChannelAddress,
): Promise<ChannelAddress | null> {
  return decryptOr(null, async () => ({
    service,
    url: await secrets.decrypt(db, channelAddressLocation(location), address),
    secret: signingSecret === null ? null : await secrets.decrypt(db, signingSecretLocation(location), signingSecret),
  }))
}

/** How replies show an address. @param origin its part that is no secret */
export function maskAddress(origin: string): string {
  return `${origin}/${secretMask}`
}

export const unreadableAddress =
  'The address of this channel can no longer be decrypted, so no message is sent. Enter it again and save.'

/**
 * Throws `settingsWrong` if messages to this address are not allowed, or if it is evidently not one of the service. An
 * address that does not answer is accepted.
 */
export async function requireChannelAddress(services: PostServices, service: AlertService, url: string): Promise<void> {
  const mistake = findMistake(service, new URL(url))
  if (mistake !== null) throw detailedFault('settingsWrong', mistake, { fields: { address: mistake } })
  await requireAddress(services, url, 'address')
}

const retiredHosts = /(?:^|\.)(?:webhook\.office\.com|outlook\.office(?:365)?\.com)$/u
const slackPages = /^(?:app\.slack\.com|slack\.com|(?!hooks\.)[\w-]+\.slack\.com)$/u

function findMistake(service: AlertService, { hostname, pathname, protocol }: URL): string | null {
  if (service === 'teams' && retiredHosts.test(hostname))
    return 'This is the address of an Office 365 connector, which Microsoft has retired. Create a workflow for webhook alerts in the Workflows app of Teams, and enter its address.'
  if (service === 'slack' && protocol === 'https:' && slackPages.test(hostname))
    return 'This is the address of a page of Slack. Create an incoming webhook in Slack and enter its address, which begins with https://hooks.slack.com/.'
  if (service === 'slack' && hostname === 'hooks.slack.com' && !pathname.startsWith('/services/'))
    return 'This is another kind of address of Slack. That of an incoming webhook begins with https://hooks.slack.com/services/.'
  return null
}

/**
 * The JSON body of a message to a service.
 *
 * @param data of a webhook, whose receiver is a program
 */
export function renderMessage(service: AlertService, content: EmailContent, data: object): string {
  if (service === 'slack') return renderSlackMessage(content)
  return service === 'teams' ? renderTeamsMessage(content) : JSON.stringify(data)
}

/** Sends the message once. Returns null if it was accepted. Only webhooks are signed. */
export function sendToChannel(
  services: PostServices,
  { service, url, secret }: ChannelAddress,
  message: WebhookMessage,
): Promise<DeliveryFailure | null> {
  if (service === 'webhook') return sendMessage(services, { url, secret: secret ?? '' }, message)
  const readAnswer = service === 'slack' ? readSlackAnswer : readTeamsAnswer
  return postMessage(services, { url, headers: {}, body: message.body }, readAnswer)
}
