/** How a connector signs in at its source, in words. */
import type { ConnectorAuthorisation } from '@tributary/contract/authorisations'

export const appNames = {
  provider: 'by Tributary’s app',
  own: 'by an app of your own',
  machine: 'by a custom connection',
} as const satisfies Record<NonNullable<ConnectorAuthorisation['App']>, string>

const day = 86_400_000
/** It is renewed at every run, so that an end this near says that renewing has failed for long. */
const warnedBeforeMs = 14 * day

export interface End {
  readonly text: string
  readonly tone: 'warn' | 'error'
}

/** What is to be said of its end; null while all is well. */
export function endWords(
  { Status, DiesAtUtc }: Pick<ConnectorAuthorisation, 'Status' | 'DiesAtUtc'>,
  now: number,
): End | null {
  if (Status === 'DEAD') return { text: 'The authorisation has ended.', tone: 'error' }
  if (Status === 'NONE') return { text: 'Nobody has authorised this connector.', tone: 'error' }
  if (DiesAtUtc === null) return null
  const leftMs = Date.parse(DiesAtUtc) - now
  if (leftMs > warnedBeforeMs) return null
  if (leftMs <= 0) return { text: 'The authorisation has expired.', tone: 'error' }
  const days = Math.floor(leftMs / day)
  return {
    text: days < 1 ? 'Expires within a day.' : `Expires in ${days === 1 ? '1 day' : `${days} days`}.`,
    tone: 'warn',
  }
}
