import { createBrowserRouter, type DataRouter, type RouteObject } from 'react-router'
import { FailurePage } from './failure-page.tsx'
import { Gate } from './gate.tsx'
import { loadChunk } from './load-chunk.ts'

export function createRouter(): DataRouter {
  return createBrowserRouter(routes)
}

const signIn = page(() => import('../features/sign-in/sign-in-page.tsx'), 'SignInPage')
const signUp = page(() => import('../features/sign-in/account-help-page.tsx'), 'SignUpHelpPage')
const resetPassword = page(() => import('../features/sign-in/account-help-page.tsx'), 'ResetHelpPage')

/** Pages that any visitor may open stand outside the gate; all others, unknown ones included, behind it. */
export const routes: RouteObject[] = [
  {
    errorElement: <FailurePage />,
    // Never seen: the page is drawn only when its first chunk is here.
    hydrateFallbackElement: <></>,
    children: [
      { path: '/', ...signIn },
      { path: '/signin', ...signIn },
      { path: '/signup/*', ...signUp },
      { path: '/reset-password/*', ...resetPassword },
      { path: '/set-password/*', ...resetPassword },
      { path: '/setup', ...page(() => import('../features/sign-in/setup-page.tsx'), 'SetupPage') },
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

function signedIn(): RouteObject[] {
  return [
    { path: '/home', ...page(() => import('../features/home/home-page.tsx'), 'HomePage') },
    { path: '/profile', ...page(() => import('../features/profile/profile-page.tsx'), 'ProfilePage') },
    { path: '/admin', ...page(() => import('../features/admin/admin-entry.tsx'), 'AdminEntry') },
    { path: '/admin/dashboard', ...page(() => import('../features/admin/dashboard-page.tsx'), 'AdminDashboardPage') },
    { path: '/admin/security/users', ...page(() => import('../features/admin/users-page.tsx'), 'UsersPage') },
    { path: '/connectors', ...page(() => import('../features/connectors/connectors-entry.tsx'), 'ConnectorsEntry') },
    { path: '/connectors/:type', ...page(() => import('../features/connectors/connectors-entry.tsx'), 'ConnectorsEntry') },
    { path: '/connectors/:type/refresh', ...page(() => import('../features/connectors/dashboard-page.tsx'), 'ConnectorDashboardPage') },
    { path: '/connectors/:type/manage', ...page(() => import('../features/connectors/manage-page.tsx'), 'ManagePage') },
  ]
}

function page<Name extends string>(load: () => Promise<Record<Name, () => React.ReactNode>>, name: Name): Pick<RouteObject, 'lazy'> {
  return { lazy: async () => ({ Component: (await loadChunk(load))[name] }) }
}
