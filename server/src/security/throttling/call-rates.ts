/** Rate limits per minute: by a visitor's address, by session and by organisation. */
import type { SecurityServices } from '../security-services.ts'
import type { Route } from '@tributary/contract/route'
import type { Actor } from '../../kernel/http/actor.ts'
import { addressBlock } from './network-prefix.ts'

type CallRateServices = Pick<SecurityServices, 'callCounter' | 'config'>

/** For callers without a valid session. */
export function countVisitor({ callCounter, config }: CallRateServices, address: string): void {
  callCounter.count({ kind: 'visitor', perMinute: config.limits.rates.visitor }, addressBlock(address))
}

/** Polling routes have a separate count, so that an open tab does not use up its person's calls. */
export function countSession({ callCounter, config }: CallRateServices, route: Route, { sessionId }: Actor): void {
  const { poll, read, write } = config.limits.rates
  if (route.passive === true) callCounter.count({ kind: 'poll', perMinute: poll }, `${sessionId} ${route.path}`)
  else if (route.method === 'GET') callCounter.count({ kind: 'read', perMinute: read }, sessionId)
  else callCounter.count({ kind: 'write', perMinute: write }, sessionId)
}

/** All calls of an access token together, in addition to those that `countSession` counts by kind. */
export function countToken({ callCounter, config }: CallRateServices, tokenId: string): void {
  callCounter.count({ kind: 'token', perMinute: config.limits.rates.read }, tokenId)
}

/** Counted after the session, so that one session cannot use up the organisation's limit. */
export function countOrganisation({ callCounter, config }: CallRateServices, organisationId: string | null): void {
  if (organisationId !== null)
    callCounter.count({ kind: 'organisation', perMinute: config.limits.rates.organisation }, organisationId)
}

export function countApproval({ callCounter, config }: CallRateServices, { userId }: Actor): void {
  callCounter.count({ kind: 'approval', perMinute: config.limits.rates.approval }, userId)
}
