import type { Page } from '@playwright/test'
import { expect, test } from './portal.ts'

const storageKeys = [
  'jwt',
  'entities',
  'organisations',
  'organisationSelected',
  'areas',
  'subAreas',
  'versions',
  'helperTables',
  'user',
  'breadCrumb',
  'connectorTypes',
  'organisationConnectorTypes',
  // In addition to those of the specification.
  'preferences',
]

test('[SHELL-1] the sidebar holds profile, organisations by name, Home, Admin, connectors and logout', async ({
  page,
  portal,
}) => {
  await portal.signIn('superadmin')
  const nav = page.getByRole('navigation', { name: 'Main' })
  const profile = nav.getByRole('link', { name: /superadmin@demo\.example/ })
  await expect(profile).toHaveAttribute('href', '/profile')
  const firstName = await page.evaluate(
    () => (JSON.parse(localStorage.getItem('user') ?? '{}') as { firstName: string }).firstName,
  )
  await expect(profile.locator('[data-letter]')).toHaveAttribute('data-letter', firstName.slice(0, 1).toUpperCase())
  await expect(nav.getByRole('link', { name: 'Home' })).toBeVisible()
  await expect(nav.getByRole('link', { name: 'Admin', exact: true })).toBeVisible()
  await expect(nav.getByRole('link', { name: /Cin7/ })).toBeVisible()
  await expect(nav.getByRole('button', { name: 'Logout' })).toBeVisible()
  const names = nav
    .getByRole('combobox')
    .or(nav.getByRole('textbox', { name: /organisation/i }))
    .first()
  await names.click()
  await expect(page.getByRole('option').nth(1)).toBeVisible()
  const options = await page.getByRole('option').allTextContents()
  expect(options.length).toBeGreaterThanOrEqual(2)
  expect(options).toEqual(options.toSorted(new Intl.Collator('en-GB', { sensitivity: 'base', numeric: true }).compare))
})

for (const account of ['user', 'guest'] as const) {
  test(`[SHELL-1] [ROLE-1] ${account} sees no Admin`, async ({ page, portal }) => {
    await portal.signIn(account)
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin', exact: true }),
    ).toHaveCount(0)
  })
}

test('[SHELL-2] the connector list shows skeletons while it loads', async ({ page, portal }) => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/connector-types', async (route) => {
    await held
    await route.continue()
  })
  await portal.signIn('admin')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect(nav.locator('[aria-busy="true"]')).toBeVisible()
  release()
  await expect(nav.getByRole('link', { name: /Cin7/ })).toBeVisible()
  await expect(nav.locator('[aria-busy="true"]')).toHaveCount(0)
})

test('[SHELL-3] the state of the sidebar is stored in the cookie nav', async ({ page, portal, context }) => {
  await portal.signIn('admin')
  await page.getByRole('button', { name: 'Collapse navigation' }).click()
  await expect(page.getByRole('button', { name: 'Expand navigation' })).toBeVisible()
  expect((await context.cookies()).some(({ name }) => name === 'nav')).toBe(true)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Expand navigation' })).toBeVisible()
})

test('[SHELL-3] under 575 px the sidebar is collapsed by default', async ({ page, portal }) => {
  await page.setViewportSize({ width: 574, height: 800 })
  await page.goto('/home')
  await page.waitForURL((url) => url.pathname === '/')
  await page.getByRole('textbox', { name: 'Username' }).fill('admin@demo.example')
  await page.getByLabel('Password', { exact: true }).fill('tributary-demo-1')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/home')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  expect(portal).toBeDefined()
})

test('[SHELL-4] a skeleton is painted immediately, the layout is revealed after 500 ms', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('#skeleton')).toBeAttached()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const delay = await page.locator('[data-reveal-ms]').getAttribute('data-reveal-ms')
  expect(delay).toBe('500')
})

test('[SHELL-5] the organisation is the one in the address, else the last one, else the first', async ({
  page,
  portal,
}) => {
  await portal.signIn('superadmin')
  await expect(page.getByRole('heading', { name: 'Your connectors' })).toBeVisible()
  const chosen = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('organisationSelected') ?? '{}').organisationId as string)
  const organisations = await page.evaluate(
    () => JSON.parse(localStorage.getItem('organisations') ?? '[]') as { Id: string; CompanyName: string }[],
  )
  const sorted = organisations.toSorted((a, b) => a.CompanyName.localeCompare(b.CompanyName))
  await expect.poll(chosen).toBe(sorted[0]?.Id)
  await page.goto(`/home?organisation=${sorted[1]?.Id.toUpperCase()}`)
  await expect.poll(chosen).toBe(sorted[1]?.Id)
  await page.goto('/home')
  await expect.poll(chosen).toBe(sorted[1]?.Id)
})

test('[SHELL-6] another organisation reloads the page’s data, and no data of the previous one stays', async ({
  page,
  portal,
}) => {
  await portal.signIn('superadmin')
  await expect(page.getByRole('heading', { name: 'Your connectors' })).toBeVisible()
  const nav = page.getByRole('navigation', { name: 'Main' })
  const organisations = await page.evaluate(
    () => JSON.parse(localStorage.getItem('organisations') ?? '[]') as { Id: string; CompanyName: string }[],
  )
  const harbour = organisations.find(({ CompanyName }) => CompanyName === 'Harbour Trading')
  const summit = organisations.find(({ CompanyName }) => CompanyName === 'Summit Foods')
  await page.goto(`/connectors/postgres/refresh?organisation=${harbour?.Id}`)
  const before = page.getByRole('article').filter({ hasText: 'Web shop' })
  await expect(before).toBeVisible()
  const types = page.waitForRequest((request) => request.url().endsWith(`/clients/${summit?.Id}/connector-types`))
  await nav
    .getByRole('combobox')
    .or(nav.getByRole('textbox', { name: /organisation/i }))
    .first()
    .click()
  await page.getByRole('option', { name: 'Summit Foods' }).click()
  await types
  await expect(before).toHaveCount(0)
})

test('[SHELL-6] two tabs work in two organisations, and neither takes the session from the other', async ({
  page,
  portal,
  context,
}) => {
  await portal.signIn('superadmin')
  await expect(page).toHaveTitle(/^Home - /)
  const ids = await page.evaluate(() => {
    const all = JSON.parse(localStorage.getItem('organisations') ?? '[]') as { Id: string; CompanyName: string }[]
    return Object.fromEntries(all.map(({ Id, CompanyName }) => [CompanyName, Id]))
  })
  await page.goto(`/excel/areas?organisation=${ids['Harbour Trading']}`)
  await expect(page).toHaveTitle(/Harbour Trading/)
  const typed = page.getByRole('searchbox')
  await typed.fill('typed')
  let renewals = 0
  context.on('request', (request) => {
    if (request.url().endsWith('/auth/refresh')) renewals += 1
  })
  const other = await context.newPage()
  await other.goto(`/excel/areas?organisation=${ids['Summit Foods']}`)
  await expect(other).toHaveTitle(/Summit Foods/)
  // By the time that the other tab has saved something, this tab has received its message.
  await other.getByRole('searchbox').fill('other')
  await expect(other.getByText(/matches 'other'/)).toBeVisible()
  await expect(page).toHaveTitle(/Harbour Trading/)
  await expect(typed).toHaveValue('typed')
  await typed.fill('typed on')
  await expect(page.getByText(/matches 'typed on'/)).toBeVisible()
  expect(renewals).toBe(1)
})

test('[SHELL-7] the top bar shows the section and its sub-links', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/cin7/refresh')
  const bar = page.getByRole('banner')
  await expect(bar.getByRole('link', { name: 'Refresh' })).toHaveAttribute('aria-current', 'page')
  await expect(bar.getByRole('link', { name: 'Manage' })).toBeVisible()
})

test('[SHELL-8] [SHELL-12] logout clears every cached key and the cookie, and returns to the root', async ({
  page,
  portal,
  context,
}) => {
  // A request at that moment is refused.
  portal.expectFailedCalls()
  await portal.signIn('admin')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  const left = await page.evaluate(() => Object.keys(localStorage))
  for (const key of storageKeys) expect(left).not.toContain(key)
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('logged_in')
  await page.goto('/home')
  await page.waitForURL((url) => url.pathname === '/')
})

test('the theme of the browser stays after a logout', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await portal.signIn('admin', '/profile')
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Theme: / })
    .click()
  await page
    .getByRole('menuitemradio', { name: 'Dark' })
    .or(page.getByRole('menuitem', { name: 'Dark' }))
    .click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('[SHELL-12] nothing is stored under a key that is not listed', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/cin7/manage')
  await expect(page.getByRole('article').first()).toBeVisible()
  const stored = () => page.evaluate(() => Object.keys(localStorage))
  const wanted = [
    'jwt',
    'user',
    'organisations',
    'organisationSelected',
    'connectorTypes',
    'organisationConnectorTypes',
  ]
  await expect.poll(stored).toEqual(expect.arrayContaining(wanted))
  const keys = await stored()
  const extra = keys.filter((key) => !storageKeys.includes(key) && !/cache|scheme/i.test(key))
  expect(extra).toEqual([])
})

test('[SHELL-13] a session that was ended elsewhere also ends on screen', async ({ page, portal, context }) => {
  portal.expectFailedCalls()
  await portal.signIn('admin')
  await replaceToken(page, 'not.a.token')
  await context.clearCookies()
  await page.goto('/connectors')
  await page.waitForURL((url) => url.pathname === '/')
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).toBeNull()
})

test('[SHELL-13] an expired token is renewed once and silently', async ({ page, portal }) => {
  portal.expectFailedCalls()
  await portal.signIn('admin')
  await replaceToken(page, 'not.a.token')
  let renewals = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh')) renewals += 1
  })
  await page.goto('/connectors')
  await expect(page.getByRole('article').first()).toBeVisible()
  expect(renewals).toBe(1)
})

/** Stores a token for the next page, outside the portal, so that no call of the previous page renews it. */
async function replaceToken(page: Page, token: string): Promise<void> {
  await page.goto('about:blank')
  await page.addInitScript((jwt) => {
    if (sessionStorage.getItem('left') !== null) return
    sessionStorage.setItem('left', '')
    localStorage.setItem('jwt', jwt)
  }, token)
}
