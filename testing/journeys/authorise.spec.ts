/**
 * Connecting by authorisation at the source: the complete OAuth flow over the consent page of the trial's Xero, in the
 * organisation 'Summit Foods'. Only this file uses the company 'Northside Interiors'. All connectors are deleted.
 */
import type { APIRequestContext, Page } from '@playwright/test'
import type { OauthApp } from '@tributary/contract/authorisations'
import type { Connector } from '@tributary/contract/connectors'
import { expectAccessible } from './accessible.ts'
import { countClicks, reportJob } from './measured-job.ts'
import { apiAs } from './people.ts'
import { expect, expectEnd, test } from './portal.ts'
import { consent, customConnection, ownApp, startAuthorisation } from './simulated-xero.ts'

const northside = 'Northside Interiors'
const summit = 'Summit Foods'

test.describe.configure({ mode: 'serial' })
test.beforeAll(({ request }) => deleteConnectorsAndApps(request))
test.afterAll(({ request }) => deleteConnectorsAndApps(request))
// The consent page belongs to the source, so its console errors are ignored.
test.beforeEach(({ portal }) => portal.expectFailedCalls())

test('[HOME-3] [ACC-7] a user authorises a company at Xero from Home, and returns to its first run', async ({
  page,
  portal,
}) => {
  await portal.signIn('otherAdmin')
  await page.getByRole('region', { name: 'Available connectors' }).getByRole('link', { name: 'Xero' }).click()
  await consent(page, [northside])
  await expect(page.getByText(`${northside} is connected. Its first run starts automatically.`)).toBeVisible()
  await expectFirstRun(page, northside)
  await page.goto('/connectors/xero/manage')
  const card = cardOf(page, northside)
  await expect(card).toContainText(`${northside} · United Kingdom, GBP`)
  await expect(card).toContainText('mei.chen@books.example, by Tributary’s app')
  expect(new URL(page.url()).search).toBe('')
  await expectAccessible(page)
})

test('[UX-HOME-20] from home to the first rows of another Xero company takes at most 4 clicks, those at Xero included', async ({
  page,
  portal,
  request,
}) => {
  const counter = await countClicks(page)
  await portal.signIn('otherAdmin')
  const own = page.getByRole('region', { name: 'Your connectors' })
  const card = own.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Xero' }) })
  await expect(card).toBeVisible()
  const job = counter.start()
  await card.getByRole('link', { name: 'Add another connector' }).click()
  await page.getByRole('checkbox', { name: new RegExp(`^${summit}\\s*[A-Z]{2}$`) }).check()
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expectFirstRun(page, summit)
  await expectEnd(page.getByRole('dialog', { name: summit }))
  await expect(page.getByRole('table', { name: 'Tables of this run' })).toContainText(/[1-9]/)
  reportJob('First rows of another Xero company', job)
  expect(job.clicks()).toBeLessThanOrEqual(4)
  await deleteConnector(request, summit)
})

test('[MAN-5] [ACC-7] cancelling at Xero shows its message', async ({ page, portal }) => {
  await portal.signIn('otherAdmin')
  await startAuthorisation(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'Adding the Xero connector was either cancelled or was not allowed.',
  )
  await page.getByRole('button', { name: 'Dismiss error' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('[MAN-5] [ACC-7] a company that another organisation has connected shows its message', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await startAuthorisation(page)
  await consent(page, [northside])
  await expect(page.getByRole('alert')).toContainText(
    'The Xero connector you are trying to add already belongs to another organisation. Please speak to your organisation administrator.',
  )
})

test('[MAN-5] [ACC-7] a callback without an OAuth flow shows the general error', async ({ page, portal }) => {
  await portal.signIn('otherAdmin')
  await page.goto('/api/authorise/xero/callback?code=made-up&state=made-up')
  await expect(page.getByRole('alert')).toContainText(
    'Something seems to have gone wrong while trying to add the Xero connector. Please try again.',
  )
})

test('[MAN-2] a disconnected connector continues with its company; another company needs a confirmation', async ({
  page,
  portal,
}) => {
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/xero/manage')
  await cardOf(page, northside).getByRole('button', { name: 'Disconnect' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(northside)
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect(cardOf(page, northside)).toContainText('disconnected')

  await reconnect(page)
  await consent(page, [summit])
  await expect(dialog).toHaveAccessibleName(`Reconnect ${northside}`)
  await expect(dialog).toContainText(`${northside} was not opened.`)
  await dialog.getByRole('button', { name: 'Reconnect' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    `This connector moved ${northside} so far, and ${summit} is another company: its rows would take the place of those in the tables.`,
  )
  await expect(dialog.getByRole('button', { name: `Continue with ${summit}` })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await reconnect(page)
  await consent(page, [northside])
  await expectFirstRun(page, northside)
  await page.goto('/connectors/xero/manage')
  await expect(cardOf(page, northside).getByRole('button', { name: 'Disconnect' })).toBeVisible()
})

test('the user chooses among several authorised companies, once', async ({ page, portal, request }) => {
  await deleteConnectorsAndApps(request)
  await portal.signIn('otherAdmin')
  await startAuthorisation(page)
  await consent(page, [northside, summit])
  const dialog = page.getByRole('dialog', { name: 'Which companies?' })
  await expect(dialog.getByRole('button', { name: 'Connect 2 companies' })).toBeVisible()
  await expectAccessible(page)
  const address = page.url()
  await dialog.getByRole('checkbox', { name: summit }).uncheck()
  await dialog.getByRole('button', { name: 'Connect 1 company' }).click()
  await expectFirstRun(page, northside)
  await page.goto('/connectors/xero/manage')
  await expect(cardOf(page, northside)).toBeVisible()
  await expect(cardOf(page, summit)).toHaveCount(0)
  await page.goto(address)
  await expect(page.getByText('There is nothing left to choose here.')).toBeVisible()
})

test('[ACC-7] a custom connection needs no sign-in, and a wrong secret is reported in the form', async ({
  page,
  portal,
  request,
}) => {
  await deleteConnectorsAndApps(request)
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/xero/manage?new=true')
  const dialog = page.getByRole('dialog', { name: 'Add Xero' })
  await dialog.getByRole('radio', { name: /^A custom connection/ }).check()
  await expectAccessible(page)
  await dialog.getByLabel('Client id').fill(customConnection.clientId)
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill('not the secret')
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'Xero does not accept this client id and secret for a custom connection.',
  )
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill(customConnection.clientSecret)
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText(`${northside} is connected. Its first run starts automatically.`)).toBeVisible()
  await expectFirstRun(page, northside)
  await page.goto('/connectors/xero/manage')
  await expect(page.getByText('by a custom connection')).toBeVisible()
})

test('[ACC-7] an organisation’s own app is stored and used to sign in, and can be deleted only when unused', async ({
  page,
  portal,
  request,
}) => {
  await deleteConnectorsAndApps(request)
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/xero/manage?new=true')
  const dialog = page.getByRole('dialog', { name: 'Add Xero' })
  await dialog.getByRole('radio', { name: /^Sign in with an app of your own/ }).check()
  await expect(dialog.getByText(/\/api\/authorise\/xero\/callback$/)).toBeVisible()
  await dialog.getByLabel('Client id').fill(ownApp.clientId)
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill(ownApp.clientSecret)
  await dialog.getByRole('button', { name: 'Save and continue to Xero' }).click()
  await consent(page, [northside])
  await expectFirstRun(page, northside)
  await page.goto('/connectors/xero/manage')
  await expect(page.getByText('mei.chen@books.example, by an app of your own')).toBeVisible()

  await page.goto('/connectors/xero/manage?new=true')
  await expect(dialog.getByText('App, used by 1 connector')).toBeVisible()
  await expect(dialog.getByRole('button', { name: `Delete ${ownApp.clientId}` })).toBeDisabled()
})

/** Expects the run drawer over the dashboard of the type, as after adding a connector of another source. */
async function expectFirstRun(page: Page, name: string): Promise<void> {
  await page.waitForURL(
    ({ pathname, searchParams }) => pathname === '/connectors/xero/refresh' && searchParams.has('run'),
  )
  await expect(page.getByRole('dialog', { name })).toBeVisible()
}

function cardOf(page: Page, name: string) {
  // The cards of deleted connectors remain.
  return page.getByRole('article', { name, exact: true }).filter({ hasNotText: 'deleted' })
}

async function reconnect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByRole('link', { name: 'Continue to Xero' }).click()
}

async function deleteConnector(request: APIRequestContext, name: string): Promise<void> {
  const { get, headers } = await apiAs(request, 'admin@other.example')
  const [organisation] = await get<{ Id: string }[]>('/organisations')
  const path = `/tributary/clients/${organisation?.Id}/connectors`
  const found = (await get<Connector[]>(path)).find(({ Name, Status }) => Name === name && Status !== 'DELETED')
  expect((await request.delete(`/api${path}/${found?.Id}`, { headers })).ok()).toBe(true)
}

/** Deletes the organisation's connectors to Xero, then its apps there. */
async function deleteConnectorsAndApps(request: APIRequestContext): Promise<void> {
  const { get, headers } = await apiAs(request, 'admin@other.example')
  const organisations = await get<{ Id: string; CompanyName: string }[]>('/organisations')
  const client = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === summit)?.Id}`
  const connectors = await get<Connector[]>(`${client}/connectors?type=xero`)
  for (const { Id, Status } of connectors)
    if (Status !== 'DELETED') await request.delete(`/api${client}/connectors/${Id}`, { headers })
  const { Own } = await get<{ Own: OauthApp[] }>(`${client}/oauth-apps`)
  for (const { Id } of Own) await request.delete(`/api${client}/oauth-apps/${Id}`, { headers })
}
