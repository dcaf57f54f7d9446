/**
 * The route table of the portal: every address with its page, its title, who may open it and what it requests first.
 * The router, the navigation, preloading and the tests read it. So does the build, in Node: nothing here may import a
 * component statically.
 */
import { paths } from '../paths.ts'
import { dataRoutes } from './data-routes.ts'
import { excelRoutes } from './excel-routes.ts'
import { type LazyPage, lazyPage, type PortalRoute } from './portal-route.ts'

const verificationPage = lazyPage(() => import('../features/sign-in/verification-page.tsx'), 'VerificationPage')
const resetRequestPage = lazyPage(() => import('../features/reset-password/reset-request-page.tsx'), 'ResetRequestPage')
const setPasswordPage = lazyPage(() => import('../features/reset-password/set-password-page.tsx'), 'SetPasswordPage')
const passwordChangePage = lazyPage(() => import('../features/sign-in/password-change-page.tsx'), 'PasswordChangePage')
const signUpPage = lazyPage(() => import('../features/sign-up/sign-up-page.tsx'), 'SignUpPage')
const finalisePage = lazyPage(() => import('../features/sign-up/finalise-page.tsx'), 'FinalisePage')
const signUpFramePage = lazyPage(() => import('../features/sign-up/sign-up-frame-page.tsx'), 'SignUpFramePage')
const setupPage = lazyPage(() => import('../features/sign-in/setup-page.tsx'), 'SetupPage')
const mailboxPage = lazyPage(() => import('../features/mailbox/mailbox-page.tsx'), 'MailboxPage')

const visitorRoutes: readonly PortalRoute[] = [
  visitorRoute('/', 'signIn'),
  visitorRoute(paths.signIn, 'signIn'),
  visitorRoute('/signin/confirm', verificationPage),
  visitorRoute('/signin/password', passwordChangePage),
  visitorRoute(paths.signUp, signUpPage),
  visitorRoute('/signup/finalise', finalisePage),
  visitorRoute('/signup/frame', signUpFramePage),
  visitorRoute(paths.resetPassword, resetRequestPage),
  visitorRoute('/reset-password/:token', setPasswordPage),
  visitorRoute('/reset-password/redeem/:token', setPasswordPage),
  visitorRoute('/set-password/:token', setPasswordPage),
  visitorRoute('/set-password/redeem/:token', setPasswordPage),
  visitorRoute('/setup', setupPage),
  { ...visitorRoute(paths.mailbox, mailboxPage), isTrialOnly: true },
]

function visitorRoute(path: string, page: LazyPage | 'signIn'): PortalRoute {
  return { path, title: '', allow: 'visitor', page }
}

const homeAndAdminRoutes: readonly PortalRoute[] = [
  {
    path: paths.home,
    title: 'Home',
    key: 'h',
    guide: 'users/user#find-your-way',
    allow: 'signedIn',
    page: lazyPage(() => import('../features/home/home-page.tsx'), 'HomePage'),
    preload: 'home',
  },
  {
    path: paths.trust,
    title: 'Trust',
    key: 'j',
    guide: 'users/user#is-it-right',
    allow: 'seeRuns',
    page: lazyPage(() => import('../features/trust/trust-page.tsx'), 'TrustPage'),
  },
  {
    path: paths.profile,
    title: 'Profile',
    key: 'p',
    guide: 'users/user#protect-your-account',
    allow: 'signedIn',
    page: lazyPage(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
    preload: 'profile',
  },
  {
    path: paths.accessTokens,
    title: 'Access tokens',
    guide: 'users/user#let-a-program-in-with-an-access-token',
    allow: 'signedIn',
    page: lazyPage(() => import('../features/tokens/tokens-page.tsx'), 'TokensPage'),
    preload: 'accessTokens',
  },
  {
    path: paths.allowAssistant,
    title: 'Allow an assistant',
    isListed: false,
    guide: 'users/user#allow-an-assistant',
    allow: 'signedIn',
    page: lazyPage(() => import('../features/oauth/allow-assistant-page.tsx'), 'AllowAssistantPage'),
  },
  {
    path: paths.auditorRoom,
    title: 'Auditor room',
    isListed: false,
    guide: 'users/user#read-in-an-auditor-room',
    allow: 'signedIn',
    page: lazyPage(() => import('../features/auditor-rooms/own-room-page.tsx'), 'OwnRoomPage'),
  },
  {
    path: paths.adminAuditorRooms,
    title: 'Auditor rooms',
    guide: 'users/administrator#open-an-auditor-room',
    allow: 'editUsers',
    page: lazyPage(() => import('../features/auditor-rooms/rooms-page.tsx'), 'RoomsPage'),
  },
  {
    path: paths.connectors,
    title: 'Connectors',
    key: 'c',
    isListed: false,
    guide: 'users/user#refresh-the-figures',
    allow: 'signedIn',
    page: lazyPage(() => import('../features/connectors/connectors-entry.tsx'), 'ConnectorsEntry'),
  },
  {
    path: paths.admin,
    title: 'Admin',
    isListed: false,
    guide: 'users/administrator#invite-people',
    allow: 'seeAdminMenu',
    page: lazyPage(() => import('../features/admin/admin-entry.tsx'), 'AdminEntry'),
  },
  {
    path: paths.adminDashboard,
    title: 'Dashboard',
    key: 'd',
    guide: 'users/provider#watch-every-organisation',
    allow: 'seeAdminDashboard',
    page: lazyPage(() => import('../features/insights/insights-page.tsx'), 'InsightsPage'),
    preload: 'adminDashboard',
  },
  {
    path: paths.adminConfiguration,
    title: 'Global Configuration',
    key: 'f',
    guide: 'users/provider#change-the-global-configuration',
    allow: 'seeGlobalConfiguration',
    page: lazyPage(
      () => import('../features/global-configuration/global-configuration-page.tsx'),
      'GlobalConfigurationPage',
    ),
    preload: 'adminConfiguration',
  },
  {
    path: paths.adminWorkbench,
    title: 'Workbench',
    guide: 'users/provider#describe-a-new-source',
    allow: 'useWorkbench',
    page: lazyPage(() => import('../features/workbench/workbench-page.tsx'), 'WorkbenchPage'),
    preload: 'adminWorkbench',
  },
  {
    path: paths.adminUsers,
    title: 'Users',
    key: 'u',
    guide: 'users/administrator#invite-people',
    allow: 'seeAdminMenu',
    page: lazyPage(() => import('../features/users/users-page.tsx'), 'UsersPage'),
    preload: 'adminUsers',
  },
  {
    path: `${paths.adminApprovals}/:approvalId?`,
    title: 'Approvals',
    key: 'q',
    guide: 'users/administrator#decide-on-a-request-to-join',
    allow: 'decideApprovals',
    page: lazyPage(() => import('../features/approvals/approvals-page.tsx'), 'ApprovalsPage'),
    preload: 'approvals',
    preloadWithRecord: 'approval',
  },
  {
    path: paths.adminOrganisations,
    title: 'Organisations',
    key: 'o',
    guide: 'users/administrator#require-a-second-factor',
    allow: 'seeAdminMenu',
    page: lazyPage(() => import('../features/organisations/organisations-page.tsx'), 'OrganisationsPage'),
  },
  {
    path: paths.adminAlerts,
    title: 'Alerts',
    key: 'w',
    guide: 'users/administrator#send-alerts-to-slack-or-microsoft-teams',
    allow: 'editAlerts',
    page: lazyPage(() => import('../features/alert-channels/alerts-page.tsx'), 'AlertsPage'),
    preload: 'adminAlerts',
  },
  {
    path: paths.adminAccessTokens,
    title: 'Access tokens',
    label: 'Tokens',
    guide: 'users/administrator#manage-access-tokens',
    allow: 'manageTokens',
    page: lazyPage(() => import('../features/tokens/organisation-tokens-page.tsx'), 'OrganisationTokensPage'),
    preload: 'adminAccessTokens',
  },
  {
    path: paths.adminAssistants,
    title: 'Assistants',
    guide: 'users/administrator#let-assistants-read',
    allow: 'manageTokens',
    page: lazyPage(() => import('../features/assistants/assistants-page.tsx'), 'AssistantsPage'),
    preload: 'adminAssistants',
  },
  {
    path: paths.adminAudit,
    title: 'Audit log',
    key: 'l',
    guide: 'users/administrator#find-out-who-did-what',
    allow: 'seeAudit',
    page: lazyPage(() => import('../features/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
    preload: 'auditLog',
  },
]

/** Below `/connectors/:type`, in the layout of a connector type. */
const connectorTypeRoutes: readonly PortalRoute[] = [
  {
    path: '/connectors/:type',
    title: 'Connectors',
    isListed: false,
    guide: 'users/user#refresh-the-figures',
    allow: 'signedIn',
    page: lazyPage(() => import('../features/connectors/connectors-entry.tsx'), 'ConnectorsEntry'),
  },
  {
    path: '/connectors/:type/refresh',
    title: 'Refresh',
    guide: 'users/user#refresh-the-figures',
    allow: 'listConnectors',
    page: lazyPage(() => import('../features/connectors/dashboard/dashboard-page.tsx'), 'ConnectorDashboardPage'),
    preload: 'connectorDashboard',
  },
  {
    path: '/connectors/:type/manage',
    title: 'Manage',
    guide: 'users/administrator#connect-a-database-or-an-api',
    allow: 'listConnectors',
    page: lazyPage(() => import('../features/connectors/manage/manage-page.tsx'), 'ManagePage'),
    outlet: lazyPage(() => import('../features/authorisations/authorisation-dialogs.tsx'), 'AuthorisationDialogs'),
    preload: 'manageConnectors',
  },
  {
    path: '/connectors/:type/certificate',
    title: 'Tie-out certificate',
    isListed: false,
    guide: 'users/user#check-that-the-books-agree',
    allow: 'listConnectors',
    page: lazyPage(() => import('../features/tie-out/certificate-page.tsx'), 'CertificatePage'),
    preload: 'certificate',
  },
  {
    path: '/connectors/:type/v2/tokens',
    title: 'Tokens',
    isForAccounting: true,
    guide: 'users/provider#manage-tokens-of-accounting-sources',
    allow: 'seeTokens',
    page: lazyPage(() => import('../features/accounting/tokens-page.tsx'), 'TokensPage'),
    preload: 'tokens',
  },
  {
    path: '/connectors/:type/v2/synchronise',
    title: 'Refresh V2',
    isForAccounting: true,
    guide: 'users/user#synchronise-an-accounting-product',
    allow: 'listConnectors',
    page: lazyPage(() => import('../features/accounting/synchronise-page.tsx'), 'SynchronisePage'),
    preload: 'synchronise',
  },
  {
    path: '/connectors/:type/v2/assign-users',
    title: 'Configure V2',
    isForAccounting: true,
    guide: 'users/administrator#assign-an-accounting-product',
    allow: 'assignConnectorUsers',
    page: lazyPage(() => import('../features/accounting/assign-users-page.tsx'), 'AssignUsersPage'),
    preload: 'assignUsers',
  },
]

export const routes: readonly PortalRoute[] = [
  ...visitorRoutes,
  ...homeAndAdminRoutes,
  ...dataRoutes,
  ...excelRoutes,
  ...connectorTypeRoutes,
]
