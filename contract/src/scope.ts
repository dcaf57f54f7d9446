/** The scope of a route: the organisation that a call is about. The caller's role in that organisation decides. */

/** Tables of an organisation whose rows can identify it. */
export type ScopeTable =
  | 'organisation'
  | 'approval'
  | 'area'
  | 'connector'
  | 'entity'
  | 'helperTable'
  | 'load'
  | 'milestone'
  | 'permissionGroup'
  | 'subarea'
  | 'version'

/** A parameter with an id of a row in the table. The call is about the organisation of that row. */
export interface ScopeParam {
  readonly from: 'path' | 'query' | 'body'
  readonly param: string
  readonly table: ScopeTable
  /** The parameter is the key of the organisation, not its id. */
  readonly isKey?: true
  /** Must match the organisation of the records in the call; ignored if the call has none. */
  readonly confirms?: true
  /** The path parameter of a connector that another organisation may share with this one. See `guestReply`. */
  readonly shared?: string
  /** The query flag with which the provider's people request the provider's own records. */
  readonly providerFlag?: string
}

/**
 * `none`: the call is about no organisation, such as the catalogue or the caller's session. If several parameters
 * identify different organisations, the reply is 404. A call without any of them is about the organisation of
 * `?orgId=`, or else of the session. Every scope except `none` accepts `?orgId=`; if it contradicts the parameters, the
 * reply is 404.
 */
export type RouteScope = 'none' | ScopeParam | readonly ScopeParam[]

export function scopeParams(scope: RouteScope): readonly ScopeParam[] {
  if (scope === 'none') return []
  return 'param' in scope ? [scope] : scope
}

export function pathParam(param: string, table: ScopeTable): ScopeParam {
  return { from: 'path', param, table }
}

export function bodyField(param: string, table: ScopeTable): ScopeParam {
  return { from: 'body', param, table }
}

export const clientInPath = pathParam('clientId', 'organisation')
export const clientKeyInPath: ScopeParam = { ...pathParam('clientKey', 'organisation'), isKey: true }
/** The organisation may be a guest of the connector in the path. */
export const clientOrGuestInPath: ScopeParam = { ...clientInPath, shared: 'connectorId' }
export const connectorInPath = pathParam('connectorId', 'connector')
export const sharedConnectorInPath: ScopeParam = { ...connectorInPath, shared: connectorInPath.param }
export const organisationInQuery: ScopeParam = { from: 'query', param: 'orgId', table: 'organisation' }
export const organisationInBody = bodyField('organisationId', 'organisation')
export const comOrganisationInBody = bodyField('comOrganisationId', 'organisation')
/** An organisation that must match the records in the call. */
export const comOrganisationConfirms: ScopeParam = { ...comOrganisationInBody, confirms: true }
export const groupInBody = bodyField('groupId', 'permissionGroup')
