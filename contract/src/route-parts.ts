/** What many routes have in common: who may call them, and the records that their paths name. */
import * as z from 'zod'
import { Id, orgQuery } from './id.ts'
import { preferenceLimits } from './limits.ts'
import {
  clientInPath,
  clientKeyInPath,
  clientOrGuestInPath,
  connectorInPath,
  organisationInQuery,
  pathParam,
  type ScopeTable,
} from './scope.ts'

/**
 * The time zone whose days a reply counts, such as `Pacific/Auckland`. The organisation's if it is missing, or unknown to the
 * server: a browser may know more.
 */
export const daysOfTimeZone = { timeZone: z.string().max(preferenceLimits.timeZoneMax).optional() }

export const forVisitors = { allow: 'visitor', scope: 'none' } as const
/** About the caller, or about no organisation at all. */
export const forSignedIn = { allow: 'signedIn', scope: 'none' } as const

export const ofOrganisation = { scope: organisationInQuery, query: orgQuery }
export const ofClient = { scope: clientInPath, params: z.object({ clientId: Id }) }
export const ofConnector = { scope: clientInPath, params: z.object({ clientId: Id, connectorId: Id }) }
export const ofConnectorOrGuest = { ...ofConnector, scope: clientOrGuestInPath }
/** Found by its id alone. */
export const ofConnectorById = { scope: connectorInPath, params: z.object({ connectorId: Id }) }

export const ofConnectorByKey = {
  scope: clientKeyInPath,
  params: z.object({ clientKey: z.string().max(100), connectorKey: z.string().max(100) }),
}

/** A record in the path identifies the organisation. */
export function ofRecord<const Param extends string>(param: Param, table: ScopeTable) {
  return { scope: pathParam(param, table), params: z.strictObject({ [param]: Id } as Record<Param, typeof Id>) }
}
