/** The paths of the portal's pages. `app/routes.ts` is the table of the routes. */
import { safeReturnPath } from '@tributary/contract/return-path'

export const paths = {
  home: '/home',
  /** The home page of an organisation, which becomes the current one. */
  enterOrganisation: (organisationId: string) => `/home?organisation=${organisationId}`,
  signIn: '/signin',
  /** Asks for the code of a sign-in. */
  confirm: (reference: string, returnUrl: string | null) =>
    `/signin/confirm?${new URLSearchParams({ reference, ...(returnUrl === null ? {} : { returnUrl }) })}`,
  /** Replaces a password that an administrator has set. */
  ownPassword: (returnUrl: string) => `/signin/password?${new URLSearchParams({ returnUrl })}`,
  signUp: '/signup',
  finalise: (code: string) => `/signup/finalise?${new URLSearchParams({ code })}`,
  resetPassword: '/reset-password',
  profile: '/profile',
  accessTokens: '/profile/access-tokens',
  /** Where an assistant sends the browser. */
  allowAssistant: '/oauth/authorize',
  mailbox: '/mailbox',
  admin: '/admin',
  adminDashboard: '/admin/dashboard',
  adminUsers: '/admin/security/users',
  /** The users with the dialog that invites people. */
  inviteUsers: '/admin/security/users?invite=true',
  adminAuditorRooms: '/admin/security/auditor-rooms',
  /** What the person of an auditor room may read. */
  auditorRoom: '/auditor-room',
  adminConfiguration: '/admin/configuration',
  /** Drafts of source descriptions. */
  adminWorkbench: '/admin/workbench',
  workbenchDraft: (descriptionId: string) => `/admin/workbench?draft=${descriptionId}`,
  adminOrganisations: '/admin/organisations',
  adminApprovals: '/admin/approvals',
  adminAudit: '/admin/audit-log',
  adminAlerts: '/admin/alerts',
  queries: '/data/queries',
  query: (queryId: string) => `/data/queries/${queryId}`,
  adminAccessTokens: '/admin/access-tokens',
  adminAssistants: '/admin/assistants',
  excel: '/excel',
  structureMap: '/excel/map',
  areas: '/excel/areas',
  subareas: '/excel/subareas',
  areaLinks: '/excel/subareas/link',
  subareaLinks: '/excel/subarea-areas',
  versions: '/excel/versions',
  helperTables: '/excel/helper-tables',
  tableSync: '/excel/table-synchronisation',
  loads: '/excel/loads',
  load: (loadId: string) => `/excel/loads/${loadId}`,
  entities: '/excel/security/entities',
  securityGroups: '/excel/security/security-groups',
  userGroups: '/excel/security/user-security-groups',
  userHelperTables: '/excel/security/user-helper-tables',
  helperTableUsers: '/excel/helper-table-users',
  userEntities: '/excel/user-entities',
  entityUsers: '/excel/entity-users',
  trust: '/trust',
  data: '/data',
  dictionary: '/data/dictionary',
  connect: '/data/connect',
  publications: '/data/publications',
  afterPublishing: '/data/after-publishing',
  /** A table of the warehouse. `query`: the filters and the order, as `features/data/table-address.ts` writes them. */
  dataTable: (schema: string, table: string, query = '') =>
    `/data/tables/${encodeURIComponent(schema)}/${encodeURIComponent(table)}${query === '' ? '' : `?${query}`}`,
  connectors: '/connectors',
  refresh: (type: string) => `/connectors/${encodeURIComponent(type)}/refresh`,
  /** The dashboard of the type with the connection details for reports. */
  connectReports: (type: string) => `/connectors/${encodeURIComponent(type)}/refresh?reports=true`,
  manage: (type: string) => `/connectors/${encodeURIComponent(type)}/manage`,
  synchronise: (type: string) => `/connectors/${encodeURIComponent(type)}/v2/synchronise`,
  assignUsers: (type: string) => `/connectors/${encodeURIComponent(type)}/v2/assign-users`,
  tokens: (type: string) => `/connectors/${encodeURIComponent(type)}/v2/tokens`,
  /** Signs in to the connector's source again. */
  reconnect: (type: string, connectorId: string) =>
    `/connectors/${encodeURIComponent(type)}/manage?reconnect=${connectorId}`,
  /** The tie-out of a month as a certificate to print. */
  certificate: (type: string, connectorId: string, period: string) =>
    `/connectors/${encodeURIComponent(type)}/certificate?of=${connectorId}&period=${period}`,
  /** An issued certificate to print. */
  issuedCertificate: (type: string, connectorId: string, certificateId: string) =>
    `/connectors/${encodeURIComponent(type)}/certificate?of=${connectorId}&certificate=${certificateId}`,
  /** The dashboard of the type with one run open over it, or with the connector's history if `runId` is null. */
  run: (type: string, connectorId: string, runId: string | null) =>
    `/connectors/${encodeURIComponent(type)}/refresh?connector=${connectorId}${runId === null ? '' : `&run=${runId}`}`,
} as const

/** The drawer over a page: one run, or a view of the connector. By default the list of its runs. */
export interface ConnectorDrawer {
  readonly run?: string | undefined
  readonly view?: string | undefined
  /** The table that the reload dialog preselects. */
  readonly table?: string | undefined
}

/** Opens the drawer of a connector and keeps the rest of the query. */
export function withConnector(
  current: URLSearchParams,
  connectorId: string,
  { run, view, table }: ConnectorDrawer = {},
): URLSearchParams {
  const next = withoutConnector(current)
  next.set('connector', connectorId)
  if (run !== undefined) next.set('run', run)
  if (view !== undefined) next.set('view', view)
  if (table !== undefined) next.set('table', table)
  return next
}

export function withoutConnector(current: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(current)
  for (const name of ['connector', 'run', 'view', 'table', 'period', 'account']) next.delete(name)
  return next
}

/** Navigation state for the sign-in page. An address in the URL would end up in logs. */
export interface SignInState {
  readonly emailAddress: string
}

/** The page to open after signing in. */
export function returnPath(returnUrl: string | null): string {
  return safeReturnPath(returnUrl, window.location.origin) ?? paths.home
}
