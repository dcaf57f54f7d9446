/** The addresses of the portal's pages. */
import { safeReturnPath } from '@tributary/contract/return-path'

export const paths = {
  home: '/home',
  signIn: '/signin',
  /** Where the code of a sign-in is asked for. */
  confirm: (reference: string, returnUrl: string | null) =>
    `/signin/confirm?${new URLSearchParams({ reference, ...(returnUrl === null ? {} : { returnUrl }) })}`,
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
  /** The type's dashboard with one run open over it; without a run, the connector's history. */
  run: (type: string, connectorId: string, runId: string | null) =>
    `/connectors/${encodeURIComponent(type)}/refresh?connector=${connectorId}${runId === null ? '' : `&run=${runId}`}`,
} as const

/** Where to go after signing in. */
export function returnPath(returnUrl: string | null): string {
  return safeReturnPath(returnUrl, window.location.origin) ?? paths.home
}
