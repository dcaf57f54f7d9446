/** Where a call names the organisation that it is about; a member of it makes the call by their role there. */

/** The tables whose rows belong to an organisation and are named by calls. */
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

/** A parameter whose value is an id in the table. The organisation of that row is the one that the call is about. */
export interface ScopeParam {
  readonly from: 'path' | 'query' | 'body'
  readonly param: string
  readonly table: ScopeTable
  /** The parameter is the key of the organisation, not its id. */
  readonly isKey?: true
  /** Must agree with the records that the call names, and counts for nothing where it names none. */
  readonly confirms?: true
  /** The parameter of the path that names a connector, which other organisations may share with this one. See `guestReply`. */
  readonly shared?: string
  /** The flag in the query by which the provider's people ask for what is the provider's own. */
  readonly providerFlag?: string
}

/**
 * `none`: the call is about no organisation (the catalogue, one's own session). Several parameters must name the same
 * organisation, or nothing is found. A call that gives none of them is about the organisation of `?orgId=`, else of the session.
 * `?orgId=` may be given with each scope but `none`; if it names another organisation than the call does, nothing is found.
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
/** The organisation may be a guest, with which the connector of the path is shared. */
export const clientOrGuestInPath: ScopeParam = { ...clientInPath, shared: 'connectorId' }
export const connectorInPath = pathParam('connectorId', 'connector')
export const sharedConnectorInPath: ScopeParam = { ...connectorInPath, shared: connectorInPath.param }
export const organisationInQuery: ScopeParam = { from: 'query', param: 'orgId', table: 'organisation' }
export const organisationInBody = bodyField('organisationId', 'organisation')
export const comOrganisationInBody = bodyField('comOrganisationId', 'organisation')
/** Next to the records that a call names. */
export const comOrganisationConfirms: ScopeParam = { ...comOrganisationInBody, confirms: true }
export const groupInBody = bodyField('groupId', 'permissionGroup')
