/**
 * The permission table of the specification (section 6), in one place: the server enforces it, the portal hides what is
 * not allowed.
 */

export const roleLevels = { superadmin: 0, provideradmin: 1, admin: 2, user: 3, guest: 4 } as const
export type RoleName = keyof typeof roleLevels
export const roleNames = [
  'superadmin',
  'provideradmin',
  'admin',
  'user',
  'guest',
] as const satisfies readonly RoleName[]
export type RoleLevel = (typeof roleLevels)[RoleName]

/**
 * The highest role level that has the capability. Lower levels have more rights; 0 is the specification's ‘superadmin’.
 */
export const capabilities = {
  seeAdminDashboard: 1,
  seeGlobalConfiguration: 1,
  seeAdminMenu: 2,
  listUsers: 4,
  listConnectors: 4,
  seeExcel: 3,
  addConnector: 2,
  editConnector: 2,
  deleteConnector: 2,
  disconnectConnector: 2,
  seeConnectorUsers: 4,
  assignConnectorUsers: 2,
  refreshConnector: 4,
  chooseRunMode: 0,
  seeRuns: 4,
  cancelRun: 4,
  seeWarehouse: 2,
  /** The organisation’s own targets, under a login for reading. */
  queryTargets: 2,
  /** What a person reads depends on their assignments, groups, entities and helper tables. */
  readData: 4,
  /** Rows that differ from the source, with their values. */
  seeDifferences: 3,
  /**
   * Only hides the key in the portal. Calls name connectors by their keys, so everyone who may refresh one knows its
   * key, which grants nothing else.
   */
  seeConnectorKey: 0,
  editSchedule: 0,
  seeAllLicences: 0,
  saveLicences: 0,
  /** Hosts that a customer's description of a source calls. */
  approveHosts: 0,
  /** How many runs an organisation has at once, and its weight among the others. */
  editRunShares: 0,
  /** Calls the hosts of descriptions that the provider writes. */
  useWorkbench: 0,
  /** The PostgreSQL servers that hold warehouses, and which organisation is on which. */
  manageDataServers: 0,
  assignConnectorOrganisations: 1,
  reloadTables: 2,
  decideSchemaChanges: 2,
  /** Each person sees the tables that they may read. */
  seeDictionary: 4,
  editDictionary: 2,
  editAlerts: 2,
  editPublicationActions: 2,
  /** Tokens of accounting sources, and the organisations that their companies are assigned to. */
  seeTokens: 0,
  seeInsights: 1,
  /** Access tokens for programs: one’s own, and all of the organisation with its service accounts. */
  useTokens: 4,
  manageTokens: 2,
  configureTables: 2,
  loadTables: 3,
  editStructure: 2,
  deleteStructure: 0,
  editUsers: 2,
  decideApprovals: 2,
  editOrganisation: 2,
  manageOrganisations: 1,
  seeAudit: 2,
  editMicrosoftId: 0,
} as const satisfies Record<string, RoleLevel>
export type Capability = keyof typeof capabilities

/** `visitor`: everyone, signed in or not. `signedIn`: everyone with a session. */
export type RouteAccess = Capability | 'visitor' | 'signedIn'

export function may(roleLevel: number, capability: Capability): boolean {
  return roleLevel <= capabilities[capability]
}
