/**
 * Passwords that are known from breaches, asked of a list that the operator names. Only the first five of forty characters of a
 * hash are sent, which hundreds of passwords share; the answer has the rest of all that begin so, and is searched here.
 */
import { createHash } from 'node:crypto'
import type { Network } from '@tributary/engine/ports/network'
import type { Log } from '../../kernel/log/log.ts'
import { fetchOver } from '../../security/egress/fetch-over-network.ts'
import type { Metrics } from '../../kernel/telemetry/metrics.ts'

/** Somebody waits for it, and nobody is kept from a new password because a list is slow. */
const timeoutMs = 2_000
const prefixLength = 5

interface BreachedOptions {
  /** What the five characters are put behind. */
  readonly address: string
  readonly network: Network
  readonly log: Log
  readonly metrics: Metrics
}

/** Whether the password is on the list; false where the list does not answer, which is logged and counted. */
export type IsBreached = (password: string) => Promise<boolean>

export function openBreachedPasswords({ address, network, log, metrics }: BreachedOptions): IsBreached {
  const fetchRange = fetchOver(network)
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      const reply = await fetchRange(`${address}${hash.slice(0, prefixLength)}`, {
        method: 'GET',
        // Then all answers are about as long, and their length tells nobody which was asked for.
        headers: { 'add-padding': 'true' },
        body: undefined,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (reply.status !== 200) throw new Error(`The list of breached passwords answered ${reply.status}.`)
      return holds(await reply.text(), hash.slice(prefixLength))
    } catch (error) {
      log.warn('a new password could not be looked for among the breached ones', { error })
      metrics.recordUncheckedPassword()
      return false
    }
  }
}

/** Lines of `SUFFIX:COUNT`; those that only pad the answer have a count of 0. */
function holds(range: string, suffix: string): boolean {
  return range.split('\n').some((line) => {
    const [found = '', count = '0'] = line.trim().split(':')
    return found.toUpperCase() === suffix && Number(count) > 0
  })
}
