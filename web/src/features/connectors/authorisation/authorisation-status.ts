/** Describes a connector's authorisation at its source. */
import type { ConnectorAuthorisation } from '@tributary/contract/authorisations'
import { formatList } from '../../../ui/formats.ts'

const appDescriptions = {
  provider: 'by Tributary’s app',
  own: 'by an app of your own',
  machine: 'by a custom connection',
} as const satisfies Record<NonNullable<ConnectorAuthorisation['App']>, string>

const dayMs = 86_400_000
/** Every run renews the authorisation, so an expiry this close means that renewal has failed for a long time. */
const warnBeforeExpiryMs = 14 * dayMs

export interface AuthorisationProblem {
  readonly text: string
  readonly tone: 'warn' | 'error'
}

/** Describes a problem with the authorisation; otherwise null. */
export function authorisationProblem(
  { Status, DiesAtUtc, Companies }: Pick<ConnectorAuthorisation, 'Companies' | 'Status' | 'DiesAtUtc'>,
  now: number,
): AuthorisationProblem | null {
  const ended = Companies.filter((company) => company.Status === 'DEAD' || company.Status === 'NONE')
  if (Status !== 'NONE' && ended.length > 0)
    return { text: `The sign-in has ended for ${formatList(ended.map(({ Name }) => Name))}.`, tone: 'error' }
  if (Status === 'DEAD') return { text: 'The authorisation has ended.', tone: 'error' }
  if (Status === 'NONE') return { text: 'No user has authorised this connector.', tone: 'error' }
  if (DiesAtUtc === null) return null
  const remainingMs = Date.parse(DiesAtUtc) - now
  if (remainingMs > warnBeforeExpiryMs) return null
  if (remainingMs <= 0) return { text: 'The authorisation has expired.', tone: 'error' }
  const days = Math.floor(remainingMs / dayMs)
  return {
    text: days < 1 ? 'Expires within a day.' : `Expires in ${days === 1 ? '1 day' : `${days} days`}.`,
    tone: 'warn',
  }
}

/** The user and the app that authorised the connector; empty if unknown. */
export function describeAuthoriser({ EmailAddress, App }: ConnectorAuthorisation): string {
  return [EmailAddress, App === null ? null : appDescriptions[App]].filter((part) => part !== null).join(', ')
}
