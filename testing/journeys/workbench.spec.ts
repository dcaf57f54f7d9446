/** A superadmin drafts a source from a sample reply, tries it, proves it, and throws the draft away. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { descriptionOfGuide, sampleOfGuide } from '@tributary/testing/engine/described/guide.ts'
import { type OrchardApi, startOrchard } from '@tributary/testing/engine/described/orchard-api.ts'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './portal.ts'

let api: OrchardApi
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  api = await startOrchard({ now: () => Date.now(), port: Number(process.env['TRIBUTARY_E2E_ORCHARD_PORT']) })
})
test.afterAll(() => api[Symbol.asyncDispose]())

const name = 'Orchard of the journey'
const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })

/** The text of the guide, for the API that listens on this computer. */
const ownDescription = () =>
  descriptionOfGuide()
    .replace('base: https://api.orchard.example/v1/', `base: ${api.address}`)
    .replace('hosts: [api.orchard.example]', `hosts: [${new URL(api.address).hostname}]`)

async function openDraft(page: Page): Promise<void> {
  await page.getByRole('link', { name }).click()
  await expect(text(page)).toBeVisible()
}

test('[SRC-10] the workbench without a draft says what it is for, and drafts from a sample reply', async ({
  page,
  portal,
}) => {
  await portal.signIn('superadmin', '/admin/workbench')
  const begin = page.getByRole('button', { name: 'New draft' })
  await expect(page.getByText('Describe a new source.')).toBeVisible()
  await expectAccessible(page, () => expect(begin).toBeVisible())
  await begin.click()
  const dialog = page.getByRole('dialog', { name: 'New draft' })
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  await dialog.getByLabel('Begin with', { exact: true }).selectOption('sample')
  await expectAccessible(page, () => expect(dialog.getByLabel('Sample reply', { exact: true })).toBeVisible())
  await dialog
    .getByLabel('Address', { exact: true })
    .fill(`${api.address}orders?limit=100&after=0&updatedSince=2026-01-01`)
  await dialog.getByLabel('Sample reply', { exact: true }).fill(sampleOfGuide())
  await dialog.getByRole('button', { name: 'Write the draft' }).click()
  await expect(page.getByText('# check:', { exact: true })).toBeVisible()
  await expect(text(page)).toHaveValue(/records: \/orders/u)
})

test('[SRC-10] a superadmin corrects the text at line and column, saves it, and downloads it', async ({
  page,
  portal,
}) => {
  await portal.signIn('superadmin', '/admin/workbench')
  await expectAccessible(page, () => expect(page.getByRole('link', { name })).toBeVisible())
  await openDraft(page)
  await text(page).fill(ownDescription().replace('engine: rest', 'engine: soap'))
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Line 3, column/u })).toBeVisible()
  await expectAccessible(page, () => expect(page.getByText('1 problem')).toBeVisible())
  await text(page).fill(ownDescription())
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByText(`and reads order.`)).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Saved' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(`${name}.yaml`)
  expect(readFileSync(await file.path(), 'utf8')).toBe(ownDescription())
})

test('[SRC-10] a try shows requests, replies, rows and types side by side, and no secret', async ({ page, portal }) => {
  await portal.signIn('superadmin', '/admin/workbench')
  await openDraft(page)
  await page.getByLabel('API key', { exact: true }).fill('ork_wrong_secret')
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await expect(page.getByText('Reading ended before it was complete')).toBeVisible()
  expect(await page.getByRole('main').innerText()).not.toContain('ork_wrong_secret')
  await page.getByLabel('API key', { exact: true }).fill(api.key)
  await page.getByRole('button', { name: 'Try', exact: true }).click()
  await expect(page.getByText('200 rows of order. The list has more pages.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Reply 1' })).toContainText('"amount": 12.5')
  await expect(page.getByRole('table', { name: 'Rows of order_line' })).toContainText('sku-0')
  expect(await page.getByRole('main').innerText()).not.toContain(api.key)
  await expectAccessible(page, () =>
    expect(page.getByRole('table', { name: 'Rows of order', exact: true })).toBeVisible(),
  )
})

test('[SRC-10] a proof gives each check its verdict and reason', async ({ page, portal }) => {
  await portal.signIn('superadmin', '/admin/workbench')
  await openDraft(page)
  await page.getByLabel('API key', { exact: true }).fill(api.key)
  await page.getByRole('button', { name: 'Prove', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: '1 of 2: order' })).toBeVisible()
  await expect(page.getByLabel('Result', { exact: true })).toBeVisible({ timeout: 90_000 })
  const row = (check: string) => page.getByRole('row', { name: new RegExp(`^${check} `, 'u') })
  await expect(row('Paging')).toContainText('Proven live')
  await expect(row('Kills')).toContainText('Proven simulated')
  await expect(row('Limits')).toContainText('x-ratelimit-remaining')
  await expectAccessible(page, () => expect(page.getByRole('table', { name: 'What is proven' })).toBeVisible())
})

test('[SRC-10] a deleted draft is gone', async ({ page, portal }) => {
  await portal.signIn('superadmin', '/admin/workbench')
  await openDraft(page)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Describe a new source.')).toBeVisible()
})

test('[GATE-1] [SRC-10] /admin/workbench opens for superadmins, and no other role finds it', async ({
  page,
  portal,
}) => {
  await portal.signIn('superadmin', '/admin/configuration')
  await page.getByRole('link', { name: 'Workbench' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Workbench' })).toBeVisible()
  await portal.signIn('provideradmin', '/admin/configuration')
  await expect(page.getByRole('switch').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Workbench' })).toBeHidden()
  await page.goto('/admin/workbench')
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible()
})
