import { createBrowserRouter, type DataRouter, Navigate, type RouteObject } from 'react-router'
import { isTrial } from '../api/trial-mode.ts'
import { ResetRequestPage } from '../features/reset-password/reset-request-page.tsx'
import { VerificationPage } from '../features/sign-in/verification-page.tsx'
import { SignInPage } from '../features/sign-in/sign-in-page.tsx'
import { paths } from '../paths.ts'
import { FailurePage } from './failure-page.tsx'
import { Gate } from './gate.tsx'
import { loadChunk } from '../api/load-chunk.ts'

export function createRouter(): DataRouter {
  return createBrowserRouter(routes)
}

/** Pages that any visitor may open stand outside the gate; all others, unknown ones included, behind it. */
export const routes: RouteObject[] = [
  {
    errorElement: <FailurePage />,
    // Never seen: the page is drawn only when its first chunk is here.
    hydrateFallbackElement: <></>,
    children: [
      ...beforeSigningIn(),
      {
        element: <Gate />,
        children: [
          { ...page(() => import('./shell/shell.tsx'), 'Shell'), children: signedIn() },
          { path: '*', element: <FailurePage /> },
        ],
      },
    ],
  },
]

/** Signing in is part of the entry: it should not wait for a further file. None of them brings along what signed-in pages share. */
function beforeSigningIn(): RouteObject[] {
  const redeem = [
    '/reset-password/:token',
    '/reset-password/redeem/:token',
    '/set-password/:token',
    '/set-password/redeem/:token',
  ]
  const unknown = ['/signin/*', '/signup/*', '/reset-password/*', '/set-password/*']
  return [
    { path: '/', Component: SignInPage },
    { path: '/signin', Component: SignInPage },
    { path: '/signin/confirm', Component: VerificationPage },
    { path: '/signup', ...page(() => import('../features/sign-up/sign-up-page.tsx'), 'SignUpPage') },
    { path: '/signup/finalise', ...page(() => import('../features/sign-up/finalise-page.tsx'), 'FinalisePage') },
    { path: '/signup/frame', ...page(() => import('../features/sign-up/sign-up-frame-page.tsx'), 'SignUpFramePage') },
    { path: '/reset-password', Component: ResetRequestPage },
    ...redeem.map((path) => ({
      path,
      ...page(() => import('../features/reset-password/set-password-page.tsx'), 'SetPasswordPage'),
    })),
    ...unknown.map((path) => ({ path, Component: FailurePage })),
    {
      path: '/signin/password',
      ...page(() => import('../features/sign-in/password-change-page.tsx'), 'PasswordChangePage'),
    },
    { path: '/setup', ...page(() => import('../features/sign-in/setup-page.tsx'), 'SetupPage') },
    ...(isTrial()
      ? [{ path: '/mailbox', ...page(() => import('../features/mailbox/mailbox-page.tsx'), 'MailboxPage') }]
      : []),
  ]
}

function signedIn(): RouteObject[] {
  return [
    { path: '/home', ...page(() => import('../features/home/home-page.tsx'), 'HomePage') },
    { path: '/profile', ...page(() => import('../features/profile/profile-page.tsx'), 'ProfilePage') },
    { path: '/admin', ...page(() => import('../features/admin/admin-entry.tsx'), 'AdminEntry') },
    { path: '/admin/dashboard', ...page(() => import('../features/insights/insights-page.tsx'), 'InsightsPage') },
    { path: '/admin/security/users', ...page(() => import('../features/users/users-page.tsx'), 'UsersPage') },
    {
      path: '/admin/configuration',
      ...page(
        () => import('../features/global-configuration/global-configuration-page.tsx'),
        'GlobalConfigurationPage',
      ),
    },
    {
      path: '/admin/organisations',
      ...page(() => import('../features/organisations/organisations-page.tsx'), 'OrganisationsPage'),
    },
    {
      path: '/admin/approvals/:approvalId?',
      ...page(() => import('../features/approvals/approvals-page.tsx'), 'ApprovalsPage'),
    },
    { path: '/admin/audit-log', ...page(() => import('../features/audit-log/audit-log-page.tsx'), 'AuditLogPage') },
    { ...page(() => import('../features/planning-structure/excel-section.tsx'), 'ExcelSection'), children: excel() },
    { path: '/connectors', ...page(() => import('../features/connectors/connectors-entry.tsx'), 'ConnectorsEntry') },
    {
      path: '/connectors/:type',
      ...page(() => import('./shell/connector-section.tsx'), 'ConnectorSection'),
      children: ofType(),
    },
  ]
}

/** All of them under the links of the type. */
function ofType(): RouteObject[] {
  return [
    { index: true, ...page(() => import('../features/connectors/connectors-entry.tsx'), 'ConnectorsEntry') },
    {
      path: 'refresh',
      ...page(() => import('../features/connectors/dashboard/dashboard-page.tsx'), 'ConnectorDashboardPage'),
    },
    {
      path: 'manage',
      ...page(() => import('../features/connectors/manage/manage-page.tsx'), 'ManagePage'),
      children: [
        {
          index: true,
          ...page(() => import('../features/authorisations/authorisation-dialogs.tsx'), 'AuthorisationDialogs'),
        },
      ],
    },
    { path: 'certificate', ...page(() => import('../features/tie-out/certificate-page.tsx'), 'CertificatePage') },
    { path: 'v2/tokens', ...page(() => import('../features/accounting/tokens-page.tsx'), 'TokensPage') },
    { path: 'v2/synchronise', ...page(() => import('../features/accounting/synchronise-page.tsx'), 'SynchronisePage') },
    {
      path: 'v2/assign-users',
      ...page(() => import('../features/accounting/assign-users-page.tsx'), 'AssignUsersPage'),
    },
  ]
}

/** All of them under the section's links, and refused as a whole to those who may not see Excel. */
function excel(): RouteObject[] {
  return [
    { path: '/excel', element: <Navigate to={paths.areas} replace /> },
    { path: paths.areas, ...page(() => import('../features/planning-structure/areas-page.tsx'), 'AreasPage') },
    { path: paths.subareas, ...page(() => import('../features/planning-structure/subareas-page.tsx'), 'SubareasPage') },
    { path: paths.versions, ...page(() => import('../features/planning-structure/versions-page.tsx'), 'VersionsPage') },
    {
      path: paths.helperTables,
      ...page(() => import('../features/planning-structure/helper-tables-page.tsx'), 'HelperTablesPage'),
    },
    { path: paths.tableSync, ...page(() => import('../features/table-sync/table-sync-page.tsx'), 'TableSyncPage') },
    { path: `${paths.loads}/:loadId?`, ...page(() => import('../features/loads/loads-page.tsx'), 'LoadsPage') },
    { path: paths.entities, ...page(() => import('../features/planning-structure/entities-page.tsx'), 'EntitiesPage') },
    { path: paths.areaLinks, ...page(() => import('../features/assignments/area-links-page.tsx'), 'AreaLinksPage') },
    {
      path: paths.subareaLinks,
      ...page(() => import('../features/assignments/area-links-page.tsx'), 'SubareaLinksPage'),
    },
    { path: paths.securityGroups, ...page(() => import('../features/groups/groups-page.tsx'), 'SecurityGroupsPage') },
    { path: paths.userGroups, ...page(() => import('../features/assignments/assignment-pages.tsx'), 'UserGroupsPage') },
    {
      path: paths.userHelperTables,
      ...page(() => import('../features/assignments/assignment-pages.tsx'), 'UserHelperTablesPage'),
    },
    {
      path: paths.helperTableUsers,
      ...page(() => import('../features/assignments/assignment-pages.tsx'), 'HelperTableUsersPage'),
    },
    {
      path: paths.userEntities,
      ...page(() => import('../features/assignments/assignment-pages.tsx'), 'UserEntitiesPage'),
    },
    {
      path: paths.entityUsers,
      ...page(() => import('../features/assignments/assignment-pages.tsx'), 'EntityUsersPage'),
    },
  ]
}

/** `handle` tells `page-modules.test.ts` which module it is, so that the first page's files are asked for before this is run. */
function page<Name extends string>(
  load: () => Promise<Record<Name, () => React.ReactNode>>,
  name: Name,
): Pick<RouteObject, 'lazy' | 'handle'> {
  return { lazy: async () => ({ Component: (await loadChunk(load))[name] }), handle: load }
}
