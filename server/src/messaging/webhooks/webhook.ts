/** Sends signed messages to webhooks, and validates their addresses. */
import type { SecurityServices } from '../../security/security-services.ts'
import { createHmac, randomUUID } from 'node:crypto'
import { portOf } from '@tributary/engine/apis/http/exchange'
import { Fault } from '@tributary/engine/ports/faults'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { randomSecret } from '../../security/secrets/one-time-codes.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'

export type WebhookServices = Pick<SecurityServices, 'config' | 'network'>

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

/** Throws `settingsWrong` if messages to this address are not allowed. An address that does not answer is accepted. */
export async function requireAddress({ config, network }: WebhookServices, url: string): Promise<void> {
  const address = new URL(url)
  const { protocol, hostname, username, password } = address
  if (protocol !== 'https:' && !(protocol === 'http:' && config.mode === 'trial'))
    throw settingsWrong('The address must begin with https://.')
  if (username !== '' || password !== '')
    throw settingsWrong(
      'The address must not contain a user or a password. Each message is signed with the secret of the webhook instead.',
    )
  try {
    const socket = await network.dial(hostname, portOf(address), AbortSignal.timeout(dialTimeoutMs), 'http')
    socket.destroy()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'settings') throw settingsWrong(error.notice)
  }
}

export function settingsWrong(sentence: string): ApiFault {
  return new ApiFault('settingsWrong', { values: { detail: sentence }, fields: { 'webhook.url': sentence } })
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

/**
 * Sends the message once. Returns null if it was accepted, or a notice that repeats nothing of the response. Does not
 * follow redirects. `fetchOver` limits the duration and the size of the response.
 */
export async function sendMessage(
  { config, network }: WebhookServices,
  webhook: Webhook,
  message: WebhookMessage,
): Promise<string | null> {
  if (!webhook.url.startsWith('https:') && config.mode !== 'trial') return 'The address must begin with https://.'
  const { id, body } = message
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tributary',
    'tributary-delivery': id,
    'tributary-signature': sign(webhook.secret, message),
  }
  try {
    const { status } = await fetchOver(network)(webhook.url, { method: 'POST', headers, body, redirect: 'manual' })
    if (status >= 200 && status < 300) return null
    return status >= 300 && status < 400
      ? `It answered ${status}, a redirect, which is not followed.`
      : `It answered ${status}.`
  } catch (error) {
    return error instanceof Fault ? error.notice : 'It did not answer in time, or closed the connection.'
  }
}

/** `t`: seconds since 1970; `v1`: HMAC-SHA256, in hexadecimal, of `t`, a full stop and the body. */
function sign(secret: string, { body, sentAt }: WebhookMessage): string {
  const seconds = Math.floor(sentAt.getTime() / 1_000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
