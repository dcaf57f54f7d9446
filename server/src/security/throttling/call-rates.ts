/** How many calls a minute are answered: of a visitor's address, of a session, of an organisation. */
import type { Route } from '@tributary/contract/route'
import type { Config } from '../../kernel/config/config.ts'
import type { CallCounter } from './call-counter.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { addressBlock } from './network-prefix.ts'

interface CallRateServices {
  readonly callCounter: CallCounter
  readonly config: Config
}

/** Of somebody who has no session, or a token that opens none. */
export function countVisitor({ callCounter, config }: CallRateServices, address: string): void {
  callCounter.count({ kind: 'visitor', perMinute: config.limits.rates.visitor }, addressBlock(address))
}

/** What a page asks for again by itself is counted apart, so that an open tab leaves its person's calls alone. */
export function countSession({ callCounter, config }: CallRateServices, route: Route, { sessionId }: Actor): void {
  const { poll, read, write } = config.limits.rates
  if (route.passive === true) callCounter.count({ kind: 'poll', perMinute: poll }, `${sessionId} ${route.path}`)
  else if (route.method === 'GET') callCounter.count({ kind: 'read', perMinute: read }, sessionId)
  else callCounter.count({ kind: 'write', perMinute: write }, sessionId)
}

/** After the session's own count, so that nobody uses up alone what their colleagues share. */
export function countOrganisation({ callCounter, config }: CallRateServices, organisationId: string | null): void {
  if (organisationId !== null)
    callCounter.count({ kind: 'organisation', perMinute: config.limits.rates.organisation }, organisationId)
}

export function countApproval({ callCounter, config }: CallRateServices, { userId }: Actor): void {
  callCounter.count({ kind: 'approval', perMinute: config.limits.rates.approval }, userId)
}
