import { expect, test } from './portal.ts'

test('[HOME-1] own and available connectors are cards with an icon, five to a row', async ({ page, portal }) => {
  await portal.signIn('admin')
  await expect(page.getByRole('heading', { name: 'Your connectors' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Available connectors' })).toBeVisible()
  const own = page.getByRole('region', { name: 'Your connectors' }).getByRole('list')
  await expect(own.getByRole('link', { name: 'Cin7 Core' })).toBeVisible()
  const columns = await own.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
  expect(columns).toBe(5)
  const cards = page
    .getByRole('region', { name: /connectors$/ })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link') })
  const drawn = cards.filter({ has: page.locator('[data-drawing] svg') })
  await expect(drawn).toHaveCount(await cards.count())
})

test('[HOME-1] each available connector describes its data in a sentence, and cards show which is at an early stage', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  const available = page.getByRole('region', { name: 'Available connectors' })
  const own = page.getByRole('region', { name: 'Your connectors' })
  await expect(own.getByRole('listitem').filter({ hasText: 'Uniconta' })).toContainText('early stage')
  await expect(available.getByRole('listitem').filter({ hasText: 'SQL Server' })).toContainText(
    'Tables and views of a SQL Server database',
  )
  await expect(available.getByRole('listitem').filter({ hasText: 'SQL Server' })).not.toContainText('early stage')
})

test('home makes all its requests before its code has loaded, and each only once', async ({ page, portal }) => {
  await portal.signIn('admin')
  await expect(page.getByRole('heading', { name: 'Available connectors' })).toBeVisible()
  // The previous page makes no requests any more.
  await page.goto('about:blank')
  const requested: string[] = []
  page.on('request', (request) => void requested.push(new URL(request.url()).pathname))
  // The entry is delivered after all preloaded requests were made.
  await page.route('**/assets/index-*.js', async (route) => {
    await expect.poll(() => requested.filter((path) => path.startsWith('/api/'))).toHaveLength(4)
    await route.continue()
  })
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Available connectors' })).toBeVisible()
  const calls = requested.filter((path) => path.startsWith('/api/'))
  expect(calls).toEqual([...new Set(calls)])
  expect(calls.map((path) => path.replace(/[0-9a-f-]{36}/, '{id}')).toSorted()).toEqual([
    '/api/organisations',
    '/api/tributary/clients/connector-types',
    '/api/tributary/clients/{id}/connector-types',
    '/api/tributary/clients/{id}/overview',
  ])
})

test('[HOME-1] at 360 the cards are in one column, and nothing scrolls sideways', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.setViewportSize({ width: 360, height: 800 })
  const own = page.getByRole('region', { name: 'Your connectors' }).getByRole('list')
  await expect(own).toBeVisible()
  expect(await own.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)).toBe(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
})

test('[HOME-2] the Excel card leads to Areas for users, and guests have none', async ({ page, portal }) => {
  await portal.signIn('user')
  await page.getByRole('region', { name: 'Your connectors' }).getByRole('link', { name: 'Excel' }).click()
  await page.waitForURL('**/excel/areas')
})

test('[HOME-2] guests have no Excel card', async ({ page, portal }) => {
  await portal.signIn('guest')
  const own = page.getByRole('region', { name: 'Your connectors' })
  await expect(own.getByRole('link', { name: 'PostgreSQL' })).toBeVisible()
  await expect(own.getByText('Excel')).toHaveCount(0)
})

test('[HOME-3] an available connector that needs no authorisation opens Manage ready to add one', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.getByRole('region', { name: 'Available connectors' }).getByRole('link', { name: /MySQL/ }).click()
  await page.waitForURL('**/connectors/mysql/manage?new=true')
  await expect(page.getByRole('dialog', { name: /Add MySQL/ })).toBeVisible()
})

test('[HOME-1] a user who may not add connectors sees whom to ask', async ({ page, portal }) => {
  await portal.signIn('user')
  const available = page.getByRole('region', { name: 'Available connectors' })
  await expect(available.getByText('Ask your administrator to connect it.').first()).toBeVisible()
  await expect(available.getByRole('link')).toHaveCount(0)
})
