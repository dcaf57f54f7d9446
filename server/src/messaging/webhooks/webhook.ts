/** Messages to a webhook: where one may be, and how what it is sent is signed. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { portOf } from '@tributary/engine/apis/http/exchange'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { Config } from '../../kernel/config/config.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'

export interface WebhookServices {
  readonly config: Config
  readonly network: Network
}

export interface Webhook {
  readonly url: string
  readonly secret: string
}

export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/** Where a connector's secret lies. */
export const unreadableSecret =
  'The secret of this webhook cannot be read any more. Take the webhook away and save; then enter its address again, which makes a new secret.'

export function webhookSecretLocation(organisationId: string, connectorId: string) {
  return { organisationId, table: 'connector', column: 'webhook_secret', row: connectorId }
}

const dialMs = 5_000

/** Throws `settingsWrong` for an address that we would never send to. One that merely does not answer may be saved. */
export async function requireAddress({ config, network }: WebhookServices, url: string): Promise<void> {
  const address = new URL(url)
  const { protocol, hostname, username, password } = address
  if (protocol !== 'https:' && !(protocol === 'http:' && config.mode === 'trial'))
    throw settingsWrong('The address must begin with https://.')
  if (username !== '' || password !== '')
    throw settingsWrong('The address must not hold a user or a password. The signature tells who sends.')
  try {
    const socket = await network.dial(hostname, portOf(address), AbortSignal.timeout(dialMs), 'http')
    socket.destroy()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'settings') throw settingsWrong(error.notice)
  }
}

export function settingsWrong(sentence: string): ApiFault {
  return new ApiFault('settingsWrong', { values: { detail: sentence }, fields: { 'webhook.url': sentence } })
}

export interface WebhookMessage {
  /** The same each time the message is sent, so that a receiver can tell a repetition. */
  readonly id: string
  readonly body: string
  /** Of this attempt. */
  readonly sentAt: Date
}

export function testMessage(connectorId: string, sentAt: Date): WebhookMessage {
  return { id: randomUUID(), body: JSON.stringify({ Event: 'test', Connector: { Id: connectorId } }), sentAt }
}

/**
 * Sends once; null where it was taken, else why not, in words that repeat nothing of the answer. Redirects are not
 * followed; the wait and what is read of the answer are bounded by `fetchOver`.
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
    return error instanceof Fault ? error.notice : 'It did not answer in time, or broke off.'
  }
}

/** `t`: seconds since 1970; `v1`: HMAC-SHA256, in hexadecimal, of `t`, a full stop and the body. */
function sign(secret: string, { body, sentAt }: WebhookMessage): string {
  const seconds = Math.floor(sentAt.getTime() / 1_000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
