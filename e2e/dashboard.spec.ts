import { expect, test, type Portal } from './portal.ts'
import type { Page } from '@playwright/test'

test('[DASH-1] the search waits a moment, goes into the address, and finds by name', async ({ page, portal }) => {
  await openDashboard(page, portal, 'postgres')
  const cards = page.getByRole('article')
  const before = await cards.count()
  expect(before).toBeGreaterThan(1)
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: 'Search' }))
    .first()
    .fill('Web SHOP')
  await page.waitForURL((url) => url.searchParams.get('search')?.toLowerCase() === 'web shop')
  await expect(cards).toHaveCount(1)
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: 'Search' }))
    .first()
    .fill('no such connector')
  await expect(cards).toHaveCount(0)
})

test('[DASH-1] the cards are asked for again every ten seconds', async ({ page, portal }) => {
  await page.clock.install()
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/refresh')
  await page.clock.fastForward(600)
  await expect(page.getByRole('article').first()).toBeVisible()
  const again = page.waitForRequest(
    (request) => request.url().includes('/connectors') && request.method() === 'GET' && !request.url().includes('types'),
  )
  await page.clock.fastForward(10_000)
  await again
})

test('[DASH-2] [DASH-4] a card tells status, name, when it was last completed, and who sees it', async ({ page, portal }) => {
  await openDashboard(page, portal, 'postgres')
  const card = page.getByRole('article', { name: 'Web shop' })
  await expect(card).toContainText('connected')
  await expect(card).toContainText(/Completed/)
  await expect(
    card
      .getByRole('list', { name: /People who see/ })
      .getByRole('img')
      .first(),
  ).toBeVisible()
})

test('[DASH-3] a run that goes on for more than half an hour is called stalled, and can be started anew', async ({ page, portal }) => {
  await openDashboard(page, portal, 'cin7', 'admin')
  const card = page.getByRole('article', { name: 'Branch stock' })
  await expect(card).toContainText('This connector seems to be taking longer than expected.')
  await expect(card).toContainText('Started')
  await expect(card.getByRole('button', { name: 'Refresh' })).toBeEnabled()
})

test('[DASH-4] [DASH-6] a connector whose source refused the credentials says so and leads administrators to its configuration', async ({
  page,
  portal,
}) => {
  await openDashboard(page, portal, 'postgres', 'admin')
  const card = page.getByRole('article', { name: 'Old shop archive' })
  await expect(card).toContainText('unkown')
  await expect(card).toContainText('This connector may have been disconnected.')
  await card.getByRole('link', { name: 'Retry' }).click()
  await page.waitForURL('**/connectors/postgres/manage')
})

test('[DASH-5] superadmins choose Incremental or Full, everybody else has Refresh', async ({ page, portal }) => {
  await openDashboard(page, portal, 'postgres', 'superadmin')
  const card = page.getByRole('article', { name: 'Web shop' })
  await expect(card.getByRole('button', { name: 'Incremental' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Full' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Refresh' })).toHaveCount(0)
})

for (const account of ['provideradmin', 'admin', 'user'] as const) {
  test(`[DASH-5] [ROLE-1] ${account} has Refresh only`, async ({ page, portal }) => {
    await openDashboard(page, portal, 'postgres', account)
    const card = page.getByRole('article', { name: 'Web shop' })
    await expect(card.getByRole('button', { name: 'Refresh' })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Incremental' })).toHaveCount(0)
    await expect(card.getByRole('button', { name: 'Full' })).toHaveCount(0)
  })
}

test('[DASH-5] while a connector runs it cannot be refreshed again, and what it does is shown', async ({ page, portal }) => {
  await openDashboard(page, portal, 'cin7', 'superadmin')
  const card = page.getByRole('article', { name: 'Stock and sales' })
  await card.getByRole('button', { name: 'Full' }).click()
  const run = page.getByRole('dialog')
  await expect(run).toBeVisible()
  await expect(run).toContainText(/Full run/)
  await run.getByRole('button', { name: 'Close' }).last().click()
  await expect(
    card.getByRole('button', { name: 'Full' }).and(page.locator(':disabled')).or(card.getByText('Completed just now')),
  ).toBeVisible()
})

test('[DASH-7] whoever sees no connectors is told to ask an administrator for permission', async ({ page, portal }) => {
  await portal.signIn('guest')
  await page.goto('/connectors/mysql/refresh')
  await expect(page.getByRole('main')).toContainText('Nothing much to do here.')
  await expect(page.getByRole('main')).toContainText(/ask your administrator for permission to see connectors/i)
})

async function openDashboard(page: Page, portal: Portal, type: string, account: Parameters<Portal['signIn']>[0] = 'admin'): Promise<void> {
  await portal.signIn(account)
  await page.goto(`/connectors/${type}/refresh`)
  await expect(page.getByRole('article').first()).toBeVisible()
}
