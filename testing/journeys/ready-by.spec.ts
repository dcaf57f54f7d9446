/** *Ready by*: an administrator sets a time, sees the planned start, and takes the time away again. */
import type { Page } from '@playwright/test'
import type { Connector } from '@tributary/contract/connectors'
import { expectAccessible } from './accessible.ts'
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

const books = 'Harbour Trading'
let connectorId = ''

/** Waits until the trial has its connector. */
test.beforeAll(async ({ request }) => {
  test.setTimeout(240_000)
  const admin = await apiAs(request, 'admin@demo.example')
  const organisations = await admin.get<{ Id: string; CompanyName: string }[]>('/organisations')
  const client = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === books)?.Id}`
  await expect(async () => {
    const all = await admin.get<Connector[]>(`${client}/connectors?type=xero`)
    connectorId = all.find(({ Name }) => Name === books)?.Id ?? ''
    expect(connectorId).not.toBe('')
  }).toPass({ timeout: 220_000, intervals: [2_000] })
})

async function openView(page: Page) {
  await page.goto(`/connectors/xero/refresh?connector=${connectorId}`)
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', { name: 'Ready by' }).click()
  await expect(drawer.getByRole('heading', { name: 'Time of the connector' })).toBeVisible()
  return drawer
}

test('[SCALE-3] an administrator sets a time for a connector, sees the planned start, and removes it', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  const drawer = await openView(page)
  await drawer.getByRole('radio', { name: 'A different time' }).check()
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(drawer).toContainText('planned start', { timeout: 40_000 })
  await expect(drawer).toContainText('By 07:30 on working days')
  await drawer.getByRole('radio', { name: 'As the organisation' }).check()
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(drawer).toContainText('No time is set')
})

test('the view of times by which rows must be ready has no accessibility violation', async ({ page, portal }) => {
  test.slow()
  await portal.signIn('admin')
  const drawer = await openView(page)
  await drawer.getByRole('radio', { name: 'A different time' }).check()
  await expectAccessible(page)
})
