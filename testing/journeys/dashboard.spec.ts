import { expect, test, type Portal } from './portal.ts'
import type { Page } from '@playwright/test'

test('[DASH-1] the search is debounced, stored in the address, and finds by name', async ({ page, portal }) => {
  await openDashboard(page, portal, 'postgres')
  const cards = page.getByRole('article')
  expect(await cards.count()).toBeGreaterThan(1)
  const search = page.getByRole('searchbox', { name: 'Search PostgreSQL connectors' })
  await search.fill('Web SHOP')
  await page.waitForURL((url) => url.searchParams.get('search')?.toLowerCase() === 'web shop')
  await expect(cards).toHaveCount(1)
  await search.fill('no such connector')
  await expect(cards).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(cards.first()).toBeVisible()
})

test('[DASH-1] the cards are polled every ten seconds, and nothing moves when they arrive', async ({
  page,
  portal,
}) => {
  await page.clock.install()
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/refresh')
  await page.clock.fastForward(600)
  const card = page.getByRole('article').first()
  await expect(card).toBeVisible()
  const before = await card.boundingBox()
  const again = page.waitForResponse(
    (response) => response.url().endsWith('/connectors') && response.request().method() === 'GET',
  )
  await page.clock.fastForward(10_000)
  await again
  expect(await card.boundingBox()).toEqual(before)
})

test('[DASH-2] [DASH-4] a card shows status, name, last completion, users and next run', async ({ page, portal }) => {
  await openDashboard(page, portal, 'postgres')
  const card = page.getByRole('article', { name: 'Web shop' })
  await expect(card).toContainText('connected')
  await expect(card.getByRole('link', { name: /^Completed (just now|\d+ (minute|hour|day)s? ago)$/ })).toBeVisible()
  await expect(card.getByRole('list', { name: 'People who see Web shop' }).getByRole('img').first()).toBeVisible()
  await expect(card).toContainText('Every 4 hours')
  // On the hour the next run is now.
  await expect(card).toContainText(/Next \w{3} \d\d:00, (in |just now|about to start)/)
  await expect(card.getByRole('link', { name: /^Runs: the last 14: \d+ completed/ })).toBeVisible()
})

test('cards are equal in height, whatever their content', async ({ page, portal }) => {
  await openDashboard(page, portal, 'postgres')
  const heights = await page
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().height)))
  expect(new Set(heights).size).toBe(1)
})

test('[DASH-3] a run that takes more than half an hour is shown as stalled with the reason, and can be restarted', async ({
  page,
  portal,
}) => {
  await openDashboard(page, portal, 'cin7', 'admin')
  const card = page.getByRole('article', { name: 'Branch stock' })
  await expect(card).toContainText('This connector seems to be taking longer than expected.')
  await expect(card).toContainText('Started')
  await expect(card.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  await card.getByRole('link', { name: 'Why is this stalled?' }).click()
  const run = page.getByRole('dialog', { name: 'Branch stock' })
  await expect(run).toContainText('Waiting for Cin7 Core until')
  await expect(run).toContainText('It is not stuck: it is waiting and resumes automatically.')
})

test('[DASH-4] [DASH-6] a connector whose source refused the credentials shows it and leads administrators to its configuration', async ({
  page,
  portal,
}) => {
  await openDashboard(page, portal, 'postgres', 'admin')
  const card = page.getByRole('article', { name: 'Old shop archive' })
  await expect(card).toContainText('unkown')
  await expect(
    card.getByText('This connector may have been disconnected.', { exact: true }).filter({ visible: true }),
  ).toHaveCount(1)
  await card.getByRole('link', { name: 'Retry' }).click()
  await page.waitForURL('**/connectors/postgres/manage?*')
})

test('[DASH-5] superadmins choose Incremental or Full, other roles have Refresh', async ({ page, portal }) => {
  await openDashboard(page, portal, 'postgres', 'superadmin')
  const card = page.getByRole('article', { name: 'Web shop' })
  await expect(card.getByRole('button', { name: 'Incremental', exact: true })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Full', exact: true })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Refresh' })).toHaveCount(0)
})

for (const account of ['provideradmin', 'admin', 'user'] as const) {
  test(`[DASH-5] [ROLE-1] ${account} has Refresh only${account === 'user' ? '' : ', and a button that reloads some tables'}`, async ({
    page,
    portal,
  }) => {
    await openDashboard(page, portal, 'postgres', account)
    const card = page.getByRole('article', { name: 'Web shop' })
    await expect(card.getByRole('button', { name: 'Refresh', exact: true })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Incremental' })).toHaveCount(0)
    await expect(card.getByRole('button', { name: 'Full' })).toHaveCount(0)
    await expect(card.getByRole('button', { name: 'Only some tables, or from a date' })).toHaveCount(
      account === 'user' ? 0 : 1,
    )
  })
}

test('[DASH-5] while a connector runs it cannot be refreshed again, and its progress is shown', async ({
  page,
  portal,
}) => {
  await openDashboard(page, portal, 'cin7', 'superadmin')
  const card = page.getByRole('article', { name: 'Stock and sales' })
  await card.getByRole('button', { name: 'Full' }).click()
  const run = page.getByRole('dialog')
  await expect(run).toBeVisible()
  await expect(run).toContainText(/Full run/)
  await run.getByRole('button', { name: 'Close' }).last().click()
  await expect(
    card
      .getByRole('button', { name: 'Full' })
      .and(page.locator(':disabled'))
      .or(card.getByText('Completed just now'))
      .first(),
  ).toBeVisible()
})

test('[DASH-7] a user without connectors sees whom to ask for permission', async ({ page, portal }) => {
  await portal.signIn('guest')
  await page.goto('/connectors/mysql/refresh')
  await expect(page.getByRole('main')).toContainText('Nothing much to do here.')
  await expect(page.getByRole('main')).toContainText('Please ask your administrator for permission to see connectors.')
})

test('the list is filtered by status, sorted and shown as a table, and the address stores it', async ({
  page,
  portal,
}) => {
  await openDashboard(page, portal, 'postgres')
  const shop = page.getByRole('article', { name: 'Web shop' })
  const archive = page.getByRole('article', { name: 'Old shop archive' })
  await page.getByRole('button', { name: /^Needs attention/ }).click()
  await expect(shop).toHaveCount(0)
  await expect(archive).toBeVisible()
  expect(new URL(page.url()).searchParams.get('status')).toBe('needsYou')
  await page.getByRole('button', { name: /^All/ }).click()

  const order = page.getByRole('combobox', { name: 'Sort by' })
  const names = () => page.getByRole('article').getByRole('heading').allInnerTexts()
  const isFirst = async (one: string, other: string) => (await names()).indexOf(one) < (await names()).indexOf(other)
  await order.selectOption({ label: 'Needs attention first' })
  await expect.poll(() => isFirst('Old shop archive', 'Web shop')).toBe(true)
  await order.selectOption({ label: 'Latest run first' })
  await expect.poll(() => isFirst('Web shop', 'Old shop archive')).toBe(true)

  await page.getByRole('button', { name: 'Table', exact: true }).click()
  const row = page.getByRole('row', { name: /Web shop/ })
  await expect(row).toContainText('connected')
  await expect(row.getByRole('button', { name: 'Refresh', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('table', { name: 'PostgreSQL connectors' })).toBeVisible()
})

async function openDashboard(
  page: Page,
  portal: Portal,
  type: string,
  account: Parameters<Portal['signIn']>[0] = 'admin',
): Promise<void> {
  await portal.signIn(account)
  await page.goto(`/connectors/${type}/refresh`)
  await expect(page.getByRole('article').first()).toBeVisible()
}
