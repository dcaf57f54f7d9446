/**
 * Checks passwords against a list of breached ones that the operator configures, by the k-anonymity range API of Have I
 * Been Pwned. Only the first five of forty characters of the hash are sent; the reply lists the suffixes of all hashes
 * with that prefix.
 */
import { createHash } from 'node:crypto'
import type { Network } from '@tributary/engine/ports/network'
import type { Log } from '../../kernel/log/log.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'
import type { Metrics } from '../../kernel/telemetry/metrics.ts'

/** Short, because a person waits for the reply, and a slow list must not prevent a new password. */
const timeoutMs = 2_000
const prefixLength = 5

interface BreachedPasswordOptions {
  /** The prefix of the URL, before the five characters. Without one no password counts as breached. */
  readonly rangeUrl: string | null
  readonly network: Network
  readonly log: Log
  readonly metrics: Metrics
}

/** Whether the password is on the list. False if the list does not reply; that is logged and counted. */
export type IsBreached = (password: string) => Promise<boolean>

export function openBreachedPasswords({ rangeUrl, network, log, metrics }: BreachedPasswordOptions): IsBreached {
  if (rangeUrl === null) return async () => false
  const fetchRange = fetchOver(network)
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      const reply = await fetchRange(`${rangeUrl}${hash.slice(0, prefixLength)}`, {
        method: 'GET',
        // Padding makes all replies similarly long, so that their length does not reveal the prefix.
        headers: { 'add-padding': 'true' },
        body: undefined,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (reply.status !== 200) throw new Error(`The list of breached passwords answered ${reply.status}.`)
      return containsSuffix(await reply.text(), hash.slice(prefixLength))
    } catch (error) {
      log.warn('a new password could not be checked against the list of breached passwords', { error })
      metrics.recordUncheckedPassword()
      return false
    }
  }
}

/** @param range lines of `SUFFIX:COUNT`; padding has a count of 0. */
function containsSuffix(range: string, suffix: string): boolean {
  return range.split('\n').some((line) => {
    const [found = '', count = '0'] = line.trim().split(':')
    return found.toUpperCase() === suffix && Number(count) > 0
  })
}
