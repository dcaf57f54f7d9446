/** An administrator describes a REST API and fills in an OData service; the provider decides about their hosts. */
import type { Page } from '@playwright/test'
import { type HostileApi, startHostileApi } from '@tributary/sims/hostile/server'
import { type HostileOData, startHostileOData } from '@tributary/sims/hostile/odata/server'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './portal.ts'

const clock = { now: () => Date.now() }
const quiet = { clock, seed: 5, documents: 30, pageSize: 10 } as const
let rest: HostileApi
let odata: HostileOData
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  rest = await startHostileApi({ ...quiet, paging: 'none', port: Number(process.env['TRIBUTARY_E2E_REST_PORT']) })
  odata = await startHostileOData({ ...quiet, links: 'byKey', port: Number(process.env['TRIBUTARY_E2E_ODATA_PORT']) })
})
test.afterAll(async () => {
  await rest[Symbol.asyncDispose]()
  await odata[Symbol.asyncDispose]()
})

const hostOf = ({ url }: { readonly url: string }): string => new URL(url).host

test('[SRC-9] an administrator begins a description from a form, sees its problems, and saves it; it waits', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/connectors/rest-api/manage?new=true')
  const dialog = page.getByRole('dialog', { name: 'Add REST API' })
  await dialog.getByLabel('Name', { exact: true }).fill('Our documents')
  await dialog.getByText('Begin from a form').click()
  await dialog.getByLabel('Address of the API', { exact: true }).fill(rest.url)
  await dialog.getByLabel('Table', { exact: true }).fill('document')
  await dialog.getByLabel('Path of the list', { exact: true }).fill('documents')
  await dialog.getByLabel('Records', { exact: true }).fill('/data')
  await dialog.getByLabel('Columns', { exact: true }).fill('id bigint\nname txt')
  await dialog.getByRole('button', { name: 'Write the description' }).click()
  await dialog.getByRole('button', { name: 'Check the description' }).click()
  await expect(dialog.getByText('1 problem')).toBeVisible()
  await expectAccessible(page, () => expect(dialog.getByText('1 problem')).toBeVisible())
  const text = dialog.getByLabel('Description', { exact: true })
  await text.fill((await text.inputValue()).replace('"txt"', '"text"'))
  await dialog.getByRole('button', { name: 'Check the description' }).click()
  await expect(dialog.getByText(`It calls ${hostOf(rest)}, and reads document.`)).toBeVisible()
  await dialog.getByLabel('Key or token', { exact: true }).fill(rest.token)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const card = page.getByRole('article', { name: 'Our documents' })
  await expect(card).toContainText(`Waiting for approval of ${hostOf(rest)} by the provider.`)
  await expectAccessible(page, () => expect(card).toBeVisible())
  expect(rest.calls).toEqual([])
})

test('[SRC-9] the form writes a valid description of numbered pages: with their size, or why no record moves', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', '/connectors/rest-api/manage?new=true')
  const dialog = page.getByRole('dialog', { name: 'Add REST API' })
  await dialog.getByText('Begin from a form').click()
  for (const [label, value] of [
    ['Address of the API', rest.url],
    ['Table', 'document'],
    ['Path of the list', 'documents'],
    ['Columns', 'id bigint'],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByLabel('Pages', { exact: true }).selectOption('Pages have numbers')
  await dialog.getByLabel('Parameter with the number', { exact: true }).fill('page')
  const write = dialog.getByRole('button', { name: 'Write the description' })
  const text = dialog.getByLabel('Description', { exact: true })
  const fits = async (): Promise<void> => {
    await dialog.getByRole('button', { name: 'Check the description' }).click()
    await expect(dialog.getByText(`It calls ${hostOf(rest)}, and reads document.`)).toBeVisible()
  }
  // Neither the size nor a reason: nothing is written.
  await write.click()
  await expect(text).toHaveValue('')
  await dialog.getByLabel('Why no record moves to another page', { exact: true }).fill('New records come last.')
  await write.click()
  await expect(text).toHaveValue(/stable: "New records come last\."/u)
  await fits()
  await dialog.getByLabel('Parameter with the size of a page', { exact: true }).fill('per_page')
  await expect(dialog.getByLabel('Why no record moves to another page', { exact: true })).toBeHidden()
  await expectAccessible(page, () => expect(write).toBeVisible())
  await write.click()
  await expect(text).toHaveValue(/size: \{ parameter: "per_page", rows: 100 \}/u)
  await fits()
})

test('[SRC-9] an administrator fills in an OData service; it waits, too', async ({ page, portal }) => {
  await portal.signIn('admin', '/connectors/odata-service/manage?new=true')
  const dialog = page.getByRole('dialog', { name: 'Add OData service' })
  await dialog.getByLabel('Name', { exact: true }).fill('Our service')
  await dialog.getByLabel('Address of the service', { exact: true }).fill(odata.url)
  await dialog.getByLabel('Sign-in', { exact: true }).selectOption('bearer')
  await dialog.getByLabel('Key or token', { exact: true }).fill(odata.token)
  await expectAccessible(page, () => expect(dialog.getByLabel('Address of the service', { exact: true })).toBeVisible())
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('article', { name: 'Our service' })).toContainText('Waiting for approval')
  expect(odata.calls).toEqual([])
})

test('[SRC-9] the provider reads both descriptions and approves them; their rows arrive', async ({ page, portal }) => {
  await portal.signIn('superadmin', '/admin/approvals')
  for (const there of [rest, odata]) {
    const card = page.getByRole('article', { name: hostOf(there) })
    await card.getByText('Description', { exact: true }).click()
    await expect(card.getByRole('region')).toContainText(there.url)
  }
  await expectAccessible(page, () => expect(page.getByRole('heading', { name: 'Hosts of connectors' })).toBeVisible())
  for (const there of [rest, odata]) {
    const card = page.getByRole('article', { name: hostOf(there) })
    await card.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(card).toContainText('Approved')
  }
  await portal.signIn('admin')
  for (const [type, name] of [
    ['rest-api', 'Our documents'],
    ['odata-service', 'Our service'],
  ] as const) {
    await page.goto(`/connectors/${type}`)
    const card = page.getByRole('article', { name })
    await card.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByRole('dialog', { name })).toContainText('Completed')
  }
})

test('[SRC-9] another host waits again', async ({ page, portal }) => {
  await portal.signIn('admin')
  await edit(page, 'Our documents', rest.url.replace('127.0.0.1', 'localhost'))
  await expect(page.getByRole('article', { name: 'Our documents' })).toContainText('Waiting for approval of localhost')
})

async function edit(page: Page, name: string, address: string): Promise<void> {
  await page.goto('/connectors/rest-api/manage')
  await page.getByRole('article', { name }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
  const text = dialog.getByLabel('Description', { exact: true })
  const { hostname } = new URL(address)
  await text.fill((await text.inputValue()).replaceAll('127.0.0.1', hostname))
  await dialog.getByRole('button', { name: 'Replace Key or token' }).click()
  await dialog.getByLabel('Key or token', { exact: true }).fill(rest.token)
  await dialog.getByRole('button', { name: 'Save' }).click()
}
