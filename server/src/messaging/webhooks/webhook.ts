/** Sends signed messages to webhooks, and validates their addresses. */
import { createHmac, randomUUID } from 'node:crypto'
import { portOf } from '@tributary/engine/apis/http/exchange'
import { Fault } from '@tributary/engine/ports/faults'
import { type ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import { randomSecret } from '../../security/secrets/one-time-codes.ts'
import { type DeliveryFailure, postMessage, type PostServices, temporary } from '../post-message.ts'

export interface Webhook {
  readonly url: string
  readonly secret: string
}

export function createWebhookSecret(): string {
  return `whsec_${randomSecret()}`
}

export const unreadableSecret =
  'The secret of this webhook can no longer be decrypted, so no message is sent. Remove the webhook and save; then enter its address again to create a new secret.'

export function webhookSecretLocation(organisationId: string, connectorId: string) {
  return { organisationId, table: 'connector', column: 'webhook_secret', row: connectorId }
}

const dialTimeoutMs = 5_000

/** Limits calls to addresses that users enter, so that the server cannot be used to scan networks. */
export const webhookCallLimit = {
  kind: 'webhook call',
  free: 20,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}

/**
 * Throws `settingsWrong` if messages to this address are not allowed. An address that does not answer is accepted.
 *
 * @param field the field with the address
 */
export async function requireAddress({ config, network }: PostServices, url: string, field: string): Promise<void> {
  const address = new URL(url)
  const { protocol, hostname, username, password } = address
  if (protocol !== 'https:' && !(protocol === 'http:' && config.mode === 'trial'))
    throw settingsWrong('The address must begin with https://.', field)
  if (username !== '' || password !== '')
    throw settingsWrong('The address must not contain a user or a password.', field)
  try {
    const socket = await network.dial(hostname, portOf(address), AbortSignal.timeout(dialTimeoutMs), 'http')
    socket.destroy()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'settings') throw settingsWrong(error.notice, field)
  }
}

export function settingsWrong(sentence: string, field: string): ApiFault {
  return detailedFault('settingsWrong', sentence, { fields: { [field]: sentence } })
}

export interface WebhookMessage {
  /** The same for each attempt, so that a receiver can detect duplicates. */
  readonly id: string
  readonly body: string
  /** The time of this attempt. */
  readonly sentAt: Date
}

export function testMessage(connectorId: string, sentAt: Date): WebhookMessage {
  return { id: randomUUID(), body: JSON.stringify({ Event: 'test', Connector: { Id: connectorId } }), sentAt }
}

/** Sends the signed message once. Returns null if it was accepted. */
export function sendMessage(
  services: PostServices,
  { url, secret }: Webhook,
  message: WebhookMessage,
): Promise<DeliveryFailure | null> {
  const { id, body } = message
  const headers = { 'tributary-delivery': id, 'tributary-signature': sign(secret, message) }
  return postMessage(services, { url, headers, body }, ({ status, retryAfterMs }) =>
    status >= 200 && status < 300 ? null : temporary(`It answered ${status}.`, retryAfterMs),
  )
}

/** `t`: seconds since 1970; `v1`: HMAC-SHA256, in hexadecimal, of `t`, a full stop and the body. */
function sign(secret: string, { body, sentAt }: WebhookMessage): string {
  const seconds = Math.floor(sentAt.getTime() / 1_000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
