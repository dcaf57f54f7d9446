import { expectAccessible } from './accessible.ts'
import { expect, fillSignIn, password, test } from './portal.ts'

// Titles name the path: web/src/app/every-route.test.tsx uses it to find untested routes and paths that are not routes.

const publicPaths = [
  '/',
  '/signin',
  '/signin/confirm?reference=any',
  '/signup',
  '/signup/finalise?code=any',
  '/reset-password',
  '/reset-password/any-token',
  '/reset-password/redeem/any-token',
  '/set-password/redeem/any-token',
]
const protectedPaths = [
  '/home',
  '/connectors',
  '/connectors/cin7/refresh?search=abc',
  '/connectors/cin7/manage?new=true',
  '/admin',
  '/admin/dashboard',
  '/admin/security/users',
  '/excel/areas?search=quay',
  '/profile',
]

const screens = {
  '/home': 'Home',
  '/profile': 'Profile',
  '/profile/access-tokens': 'Access tokens',
  '/oauth/authorize': 'Allow an assistant',
  '/admin/dashboard': 'Dashboard',
  '/admin/configuration': 'Global Configuration',
  '/admin/security/users': 'Users',
  '/admin/approvals': 'Approvals',
  '/admin/organisations': 'Organisations',
  '/admin/audit-log': 'Audit log',
  '/admin/alerts': 'Alerts',
  '/admin/access-tokens': 'Access tokens',
  '/admin/assistants': 'Assistants',
  '/data/dictionary': 'Dictionary',
  '/data/connect': 'Connect',
  '/excel/loads': 'Load',
  '/excel/table-synchronisation': 'Table synchronisation',
  '/excel/security/security-groups': 'Security Groups',
  '/excel/security/user-security-groups': 'Users assigned to Security Groups',
  '/excel/security/user-helper-tables': 'Users assigned to Helper Tables',
  '/excel/helper-table-users': 'Helper Tables assigned to Users',
  '/excel/user-entities': 'Link user to entities',
  '/excel/entity-users': 'Link entity to users',
  '/excel/subareas/link': 'Link Areas to Subareas',
  '/excel/subarea-areas': 'Link Subareas to Areas',
  '/connectors/cin7/refresh': 'Cin7 Core Connectors',
  '/connectors/cin7/manage': 'Cin7 Core Connectors',
  '/connectors/xero/v2/tokens': 'Xero Connectors',
  '/connectors/xero/v2/synchronise': 'Xero Connectors',
  '/connectors/xero/v2/assign-users': 'Xero Connectors',
} as const

for (const [path, title] of Object.entries(screens)) {
  test(`[GATE-1] ${path} opens its screen`, async ({ page, portal }) => {
    await portal.signIn('superadmin')
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    expect(new URL(page.url()).pathname).toBe(path)
  })
}

const publicScreens = {
  '/': 'Sign in to Tributary',
  '/signin': 'Sign in to Tributary',
  '/signin/confirm?reference=any': 'Check your e-mail',
  '/signup': 'Sign up for Tributary',
  '/signup/finalise?code=any': 'Finish signing up',
  '/reset-password': 'Reset your password',
  '/setup': 'Set up Tributary',
} as const

for (const [path, title] of Object.entries(publicScreens)) {
  test(`[GATE-1] ${path} opens its screen`, async ({ page, portal }) => {
    // The server refuses invalid links.
    portal.expectFailedCalls()
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    expect(new URL(page.url()).pathname).toBe(path.split('?')[0])
  })
}

test('[GATE-1] /connectors opens the first type’s dashboard', async ({ page, portal }) => {
  await portal.signIn('superadmin')
  await page.goto('/connectors')
  await page.waitForURL(/\/connectors\/\w+\/refresh$/)
})

test('[GATE-1] /connectors/cin7 opens the type’s dashboard', async ({ page, portal }) => {
  await portal.signIn('superadmin', '/connectors/cin7')
  await page.waitForURL('**/connectors/cin7/refresh')
})

test('[GATE-1] /signup/frame opens within the sign-up, and redirects there on its own', async ({ page, portal }) => {
  // The code belongs to no provider account.
  portal.expectFailedCalls()
  await page.goto('/signup?provider=Acme&atid=any')
  await expect(page.frameLocator('iframe').getByRole('main')).toContainText(/\w{4}/u)
  await page.goto('/signup/frame?provider=Acme&atid=any')
  await page.waitForURL((url) => url.pathname === '/signup' && url.searchParams.get('atid') === 'any')
})

test('[GATE-1] /signin/password opens for a user with an administrator’s temporary password, and has no accessibility violation', async ({
  page,
}) => {
  await page.route('**/api/auth/signin', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as object), mustChangePassword: true } })
  })
  await page.goto('/profile')
  await fillSignIn(page, 'user@demo.example', password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(
    (url) => url.pathname === '/signin/password' && url.searchParams.get('returnUrl') === '/profile',
  )
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose your own password')
  await expectAccessible(page)
})

for (const path of publicPaths) {
  test(`[GATE-2] ${path} opens for a visitor`, async ({ page, portal }) => {
    // The server refuses invalid links.
    portal.expectFailedCalls()
    await page.goto(path)
    await expect(page.getByRole('main')).toBeVisible()
    expect(new URL(page.url()).searchParams.has('returnUrl')).toBe(false)
  })
}

for (const path of protectedPaths) {
  test(`[GATE-3] ${path} redirects a visitor to the root with the return address`, async ({ page }) => {
    await page.goto(path)
    await page.waitForURL((url) => url.pathname === '/' && url.searchParams.get('returnUrl') === path)
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  })
}

test('[GATE-4] signed-in pages have the layout, public ones do not', async ({ page, portal }) => {
  await page.goto('/signin')
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await portal.signIn('admin')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

for (const account of ['superadmin', 'provideradmin'] as const) {
  test(`[GATE-1] [GATE-5] /admin opens the dashboard for ${account}`, async ({ page, portal }) => {
    await portal.signIn(account)
    await page.goto('/admin')
    await page.waitForURL('**/admin/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Dashboard')
  })
}

test('[GATE-5] /admin opens the users list for an administrator of an organisation', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/admin')
  await page.waitForURL('**/admin/security/users')
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('[GATE-6] [GATE-7] [ROLE-2] an unknown path, a page that throws and a chunk that fails to load show ‘Unexpected Application Error!’', async ({
  browser,
  baseURL,
}) => {
  // On a separate page, because the browser logs the errors that this test causes.
  const page = await browser.newPage({ baseURL: baseURL ?? '' })
  const failure = page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!', exact: true })
  const chunk = '**/assets/profile-page-*.js'
  await page.goto('/home')
  await fillSignIn(page, 'user@demo.example', password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.goto('/no/such/page')
  await expect(failure).toBeVisible()
  await expect(page.getByRole('main')).toContainText('There is no page at this address.')
  await page.getByRole('link', { name: 'Go home' }).click()
  await expect(page.getByRole('heading', { name: 'Available connectors' })).toBeVisible()

  await page.route(chunk, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: "export function ProfilePage() { throw new Error('broken') }",
    }),
  )
  await page.goto('/profile')
  await expect(failure).toBeVisible()
  await expect(page.getByRole('main')).toContainText('This page could not be displayed.')
  await page.unroute(chunk)

  await page.route(chunk, () => undefined)
  await page.clock.install()
  await page.goto('/home')
  await page.getByRole('link', { name: /user@demo\.example/ }).click()
  await page.clock.fastForward(120_000)
  await expect(failure).toBeVisible()
  await expect(page.getByRole('main')).toContainText('A part of this page took too long to load.')
  await page.unroute(chunk)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await page.close()
})

test('a missing page renderer is reported with what to do', async ({ browser, baseURL }) => {
  const page = await browser.newPage({ baseURL: baseURL ?? '' })
  await page.route('**/assets/react-dom-*.js', (route) => route.abort())
  await page.goto('/signin')
  await expect(page.getByRole('alert')).toHaveText(
    'Tributary could not be loaded. Check your connection, then load this page again.',
  )
  await page.unroute('**/assets/react-dom-*.js')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await page.close()
})

for (const { path, isSignedIn, preloaded, left } of [
  {
    path: '/excel/areas',
    isSignedIn: true,
    preloaded: ['signed-in', 'shared', 'excel'],
    left: ['registration', 'dialog-frame'],
  },
  {
    path: '/connectors/mysql/manage',
    isSignedIn: true,
    preloaded: ['shared', 'manage-page', 'authorisation-dialogs'],
    left: ['opened-dialog'],
  },
  { path: '/signup', isSignedIn: false, preloaded: ['registration'], left: ['signed-in', 'shared'] },
  { path: '/profile', isSignedIn: false, preloaded: [], left: ['signed-in', 'shared', 'profile-page'] },
] as const) {
  test(`${path} requests its files before the portal's code has loaded, ${isSignedIn ? 'signed in' : 'not signed in'}`, async ({
    page,
    portal,
  }) => {
    if (isSignedIn) await portal.signIn('admin')
    const files = new Set<string>()
    page.on('request', (request) => {
      const name = /\/assets\/(.+)-[\w-]{8}\.js$/.exec(request.url())?.[1]
      if (name !== undefined) files.add(name)
    })
    // The entry is delivered after all preloaded requests were made.
    await page.route('**/assets/index-*.js', async (route) => {
      await expect.poll(() => preloaded.filter((name) => !files.has(name))).toEqual([])
      expect(left.filter((name) => files.has(name))).toEqual([])
      await route.continue()
    })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(files).toContain('index')
  })
}

for (const [account, path] of [
  ['user', '/admin/security/users'],
  ['guest', '/admin'],
  ['admin', '/admin/dashboard'],
  ['guest', '/admin/security/users'],
] as const) {
  test(`[GATE-8] ${path} is shown as refused to ${account}, without signing out`, async ({ page, portal }) => {
    portal.expectFailedCalls()
    await portal.signIn(account)
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText('You do not have permission to see this')
    await page.goto('/home')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  })
}

test('[SIGN-7] [GATE-3] after signing in the portal opens the requested page', async ({ page, portal }) => {
  await portal.signIn('admin', '/connectors/cin7/refresh?search=stock')
  await page.waitForURL(
    (url) => url.pathname === '/connectors/cin7/refresh' && url.searchParams.get('search') === 'stock',
  )
})

for (const evil of [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  'javascript:alert(1)',
  '/%2F%2Fevil.example',
  '/nowhere',
]) {
  test(`[SIGN-7] a returnUrl of ${evil} leads home, not out of the portal`, async ({ page }) => {
    await page.goto(`/signin?returnUrl=${encodeURIComponent(evil)}`)
    await fillSignIn(page, 'admin@demo.example', password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/home')
  })
}
