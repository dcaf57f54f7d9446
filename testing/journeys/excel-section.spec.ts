/** Navigation to the Excel pages by sidebar, home and top bar; and who is refused. */
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

const screens = {
  '/excel/areas': 'Areas',
  '/excel/subareas': 'Subareas',
  '/excel/versions': 'Versions',
  '/excel/helper-tables': 'Helper Tables',
  '/excel/security/entities': 'Entities for organisation Harbour Trading',
} as const

for (const [path, title] of Object.entries(screens)) {
  test(`[GATE-1] ${path} opens its screen`, async ({ page, portal }) => {
    await portal.signIn('user', path)
    await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(page.getByRole('table', { name: title })).toBeVisible()
  })
}

test('[GATE-1] /excel opens the areas', async ({ page, portal }) => {
  await portal.signIn('admin', '/excel')
  await page.waitForURL('**/excel/areas')
})

for (const account of ['superadmin', 'provideradmin', 'admin', 'user'] as const) {
  test(`[SHELL-2] [HOME-2] [ROLE-1] ${account} finds Excel in the sidebar and on home, where its card goes to Areas`, async ({
    page,
    portal,
  }) => {
    await portal.signIn(account)
    await page.getByRole('region', { name: 'Your connectors' }).getByRole('link', { name: 'Excel' }).click()
    await page.waitForURL('**/excel/areas')
    await page.goto('/home')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Excel' }).click()
    await page.waitForURL('**/excel/areas')
  })
}

test('[SHELL-2] [HOME-2] [GATE-8] [ROLE-1] a guest has no Excel, and is refused by portal and API whatever the link', async ({
  page,
  portal,
  request,
}) => {
  await portal.signIn('guest')
  await expect(page.getByRole('heading', { name: 'Your connectors' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Excel' })).toHaveCount(0)
  for (const path of [...Object.keys(screens), '/excel']) {
    await page.goto(path)
    await expect(page.getByText('You do not have permission to see this.')).toBeVisible()
  }
  const { headers } = await apiAs(request, 'guest@demo.example')
  for (const path of ['areas', 'subareas', 'versions', 'helperTables', 'entities'])
    expect((await request.get(`/api/${path}`, { headers })).status()).toBe(403)
})

test('[SHELL-10] the top bar has the sections, Link under Areas and Subareas, and the groups under Security', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/excel/areas')
  const links = (name: string) => page.getByRole('navigation', { name, exact: true }).getByRole('link')
  await expect(links('Areas sections')).toHaveText([
    'Map',
    'Areas',
    'Subareas',
    'Versions',
    'Helper Tables',
    'Load',
    'Configure',
    'Security',
  ])
  await expect(links('Areas')).toHaveText(['Link'])
  await expect(links('Areas')).toHaveAttribute('href', '/excel/subareas/link')
  await links('Areas sections').filter({ hasText: 'Subareas' }).click()
  await expect(links('Subareas')).toHaveAttribute('href', '/excel/subarea-areas')
  await expect(links('Subareas sections').filter({ hasText: 'Security' })).toHaveAttribute(
    'href',
    '/excel/security/security-groups',
  )
  await page.goto('/excel/security/entities')
  await expect(links('Security').filter({ hasText: /groups|helper/i })).toHaveText([
    'Groups',
    'User groups',
    'User helper tables',
  ])
})
