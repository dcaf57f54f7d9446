import { expect, fillSignIn, password, test } from './portal.ts'

const open = [
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
const shut = [
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
  '/admin/dashboard': 'Dashboard',
  '/admin/security/users': 'Users',
  '/connectors/cin7/refresh': 'Cin7 Core Connectors',
  '/connectors/cin7/manage': 'Cin7 Core Connectors',
} as const

for (const [path, title] of Object.entries(screens)) {
  test(`[GATE-1] ${path} opens its screen`, async ({ page, portal }) => {
    await portal.signIn('superadmin')
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    expect(new URL(page.url()).pathname).toBe(path)
  })
}

for (const path of ['/', '/signin'] as const) {
  test(`[GATE-1] ${path} opens the sign-in`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to Tributary')
  })
}

test('[GATE-1] /connectors opens the first type’s dashboard', async ({ page, portal }) => {
  await portal.signIn('superadmin')
  await page.goto('/connectors')
  await page.waitForURL(/\/connectors\/\w+\/refresh$/)
})

for (const path of open) {
  test(`[GATE-2] ${path} opens for a visitor`, async ({ page, portal }) => {
    // Of a link that is not in force the server says so.
    portal.expectFailedCalls()
    await page.goto(path)
    await expect(page.getByRole('main')).toBeVisible()
    expect(new URL(page.url()).searchParams.has('returnUrl')).toBe(false)
  })
}

for (const path of shut) {
  test(`[GATE-3] ${path} sends a visitor to the root with the way back`, async ({ page }) => {
    await page.goto(path)
    await page.waitForURL((url) => url.pathname === '/' && url.searchParams.get('returnUrl') === path)
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  })
}

test('[GATE-4] signed-in pages sit inside the layout, public ones do not', async ({ page, portal }) => {
  await page.goto('/signin')
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
  await portal.signIn('admin')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

for (const account of ['superadmin', 'provideradmin'] as const) {
  test(`[GATE-5] /admin opens the dashboard for ${account}`, async ({ page, portal }) => {
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

for (const [account, path] of [
  ['user', '/admin/security/users'],
  ['guest', '/admin'],
  ['admin', '/admin/dashboard'],
  ['guest', '/admin/security/users'],
] as const) {
  test(`[GATE-8] ${path} is shown as refused to ${account}, and nobody is signed out by it`, async ({ page, portal }) => {
    portal.expectFailedCalls()
    await portal.signIn(account)
    await page.goto(path)
    await expect(page.getByRole('main')).toContainText('You do not have permission to see this')
    await page.goto('/home')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  })
}

test('[SIGN-7] [GATE-3] after signing in the portal goes where the visitor wanted to', async ({ page, portal }) => {
  await portal.signIn('admin', '/connectors/cin7/refresh?search=stock')
  await page.waitForURL((url) => url.pathname === '/connectors/cin7/refresh' && url.searchParams.get('search') === 'stock')
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
