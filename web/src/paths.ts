/** The addresses of the portal's pages. */
import { safeReturnPath } from '@tributary/contract/return-path'

export const paths = {
  home: '/home',
  signIn: '/signin',
  /** Where the code of a sign-in is asked for. */
  confirm: (reference: string, returnUrl: string | null) =>
    `/signin/confirm?${new URLSearchParams({ reference, ...(returnUrl === null ? {} : { returnUrl }) })}`,
  /** Where a password takes the place of the one that an administrator typed. */
  ownPassword: (returnUrl: string) => `/signin/password?${new URLSearchParams({ returnUrl })}`,
  signUp: '/signup',
  finalise: (code: string) => `/signup/finalise?${new URLSearchParams({ code })}`,
  resetPassword: '/reset-password',
  profile: '/profile',
  mailbox: '/mailbox',
  admin: '/admin',
  adminDashboard: '/admin/dashboard',
  adminUsers: '/admin/security/users',
  adminConfiguration: '/admin/configuration',
  adminOrganisations: '/admin/organisations',
  adminApprovals: '/admin/approvals',
  adminAudit: '/admin/audit-log',
  excel: '/excel',
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
  connectors: '/connectors',
  refresh: (type: string) => `/connectors/${encodeURIComponent(type)}/refresh`,
  manage: (type: string) => `/connectors/${encodeURIComponent(type)}/manage`,
  synchronise: (type: string) => `/connectors/${encodeURIComponent(type)}/v2/synchronise`,
  assignUsers: (type: string) => `/connectors/${encodeURIComponent(type)}/v2/assign-users`,
  tokens: (type: string) => `/connectors/${encodeURIComponent(type)}/v2/tokens`,
  /** Signing in anew at the source that a connector reads. */
  reconnect: (type: string, connectorId: string) =>
    `/connectors/${encodeURIComponent(type)}/manage?reconnect=${connectorId}`,
  /** What a month's tie-out proves, to be printed. */
  certificate: (type: string, connectorId: string, period: string) =>
    `/connectors/${encodeURIComponent(type)}/certificate?of=${connectorId}&period=${period}`,
  /** The type's dashboard with one run open over it; without a run, the connector's history. */
  run: (type: string, connectorId: string, runId: string | null) =>
    `/connectors/${encodeURIComponent(type)}/refresh?connector=${connectorId}${runId === null ? '' : `&run=${runId}`}`,
} as const

/** What lies over a page: one run, else a view of the connector; its runs, where none is named. */
interface OverPage {
  readonly run?: string | undefined
  readonly view?: string
}

/** The present address with a connector open over the page, which itself stays as it is. */
export function withConnector(
  current: URLSearchParams,
  connectorId: string,
  { run, view }: OverPage = {},
): URLSearchParams {
  const next = withoutConnector(current)
  next.set('connector', connectorId)
  if (run !== undefined) next.set('run', run)
  if (view !== undefined) next.set('view', view)
  return next
}

export function withoutConnector(current: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(current)
  for (const name of ['connector', 'run', 'view', 'table', 'period', 'account']) next.delete(name)
  return next
}

/** Where to go after signing in. */
export function returnPath(returnUrl: string | null): string {
  return safeReturnPath(returnUrl, window.location.origin) ?? paths.home
}
