/**
 * Several companies of the trial's Xero in one set of tables, in an organisation that no other journey uses. Only this file uses the
 * companies of the Kauri group, which Aroha Ngata authorises.
 */
import type { APIRequestContext, Page } from '@playwright/test'
import type { Connector } from '@tributary/contract/connectors'
import { expectAccessible } from './accessible.ts'
import { apiAs, enterPassword, mailTo, password, type Person, signInToNewOrganisation } from './people.ts'
import { expect, expectEnd, test } from './portal.ts'
import { consent, disconnectAtXero } from './simulated-xero.ts'

const holdings = 'Kauri Group Holdings'
const joinery = 'Kauri Timber and Joinery of the South Island'
const flooring = 'Kauri Flooring'
const interiors = 'Kauri Interiors'
const connectorName = `${flooring} and others`
const aroha = { name: 'Aroha Ngata', emailAddress: 'aroha.ngata@books.example' }

let person: Person | undefined
/** The address of the simulator. */
let origin = ''

test.describe.configure({ mode: 'serial' })
test.beforeEach(({ portal }) => {
  // They wait for runs, and check several screens at several widths.
  test.slow()
  // The consent page belongs to the source, so its console errors are ignored.
  portal.expectFailedCalls()
})
test.afterAll(({ request }) => deleteConnectors(request))

test('[SRC-12] an administrator chooses companies at the source for one set of tables, by keyboard, and the first run moves all of them', async ({
  page,
  request,
}) => {
  person = await signInToNewOrganisation(page, request)
  await page.goto('/connectors/xero/manage?new=true')
  await page.getByRole('link', { name: 'Continue to Xero' }).click()
  origin = new URL(page.url()).origin
  await consent(page, [holdings, joinery, flooring], aroha.name)
  const dialog = page.getByRole('dialog', { name: 'Which companies?' })
  await dialog.getByRole('radio', { name: /^Each company/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: /^All in one set of tables/ })).toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Connect 3 companies' }).focus()
  await page.keyboard.press('Enter')
  const run = page.getByRole('dialog', { name: connectorName })
  await expectEnd(run)
  await expect(run.getByRole('row', { name: /^company / })).toHaveText(/3/u)
  await page.goto('/connectors/xero/manage')
  await expect(card(page)).toContainText(`3 companies: ${flooring}, ${holdings}, ${joinery}`)
  await expectAccessible(page)
})

test('[SRC-12] the explorer, the dictionary and the OData feed have the rows of every company and its column', async ({
  page,
  request,
}) => {
  await signIn(page)
  await page.goto('/data')
  const section = page.getByRole('region', { name: connectorName, exact: true })
  await section.getByRole('link', { name: 'company', exact: true }).click()
  const companies = page.getByRole('grid', { name: 'Rows of company' })
  for (const name of [holdings, joinery, flooring]) await expect(companies).toContainText(name)
  await expectAccessible(page)
  const schema = new URL(page.url()).pathname.split('/').at(-2) ?? ''

  await page.goto(`/data/tables/${schema}/invoice`)
  const invoices = page.getByRole('grid', { name: 'Rows of invoice' })
  await expect(invoices.getByRole('columnheader').nth(1)).toContainText('company_id')

  await page.goto('/data/dictionary')
  await page
    .getByRole('table', { name: `Tables of ${connectorName}` })
    .getByRole('link', { name: 'invoice', exact: true })
    .click()
  const columns = page.getByRole('table', { name: 'Columns of invoice' })
  await expect(columns.getByRole('row', { name: /^company_id / })).toContainText(/company/iu)
  await expect(
    page.getByRole('group', { name: 'Tables around invoice' }).getByRole('link', { name: /^company\b/ }),
  ).toBeVisible()
  await expectAccessible(page)

  const { get } = await apiAs(request, administrator().emailAddress, password)
  const [organisation] = await get<{ Id: string }[]>('/organisations')
  const feed = `/odata/${organisation?.Id}/${schema}`
  const all = await readFeed(request, `${feed}_company?$select=company_id,name`)
  expect(all.map(({ name }) => name).toSorted()).toEqual([flooring, holdings, joinery])
  const ids = await readFeed(request, `${feed}_invoice?$apply=groupby((company_id))`)
  expect(ids.map(({ company_id: id }) => id).toSorted()).toEqual(all.map(({ company_id: id }) => id).toSorted())
})

test('[SRC-12] the tie-out shows each company with its report, and the certificate its figures, on screen and on paper', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/connectors/xero/refresh')
  await card(page).getByRole('link', { name: 'See the figures' }).click()
  const dialog = page.getByRole('dialog', { name: connectorName })
  const compared = dialog.getByRole('table', { name: /^Companies of the connector/ })
  for (const name of [`${flooring}, AUD`, `${holdings}, NZD`, `${joinery}, NZD`])
    await expect(compared.getByRole('row', { name: new RegExp(`^${name} Ties out`) })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('table', { name: 'Months, latest first' }).getByRole('link').nth(1).click()
  await expect(dialog.getByRole('table', { name: /^Debits of .* by company$/ }).getByRole('row')).toHaveCount(4)
  await expectAccessible(page)

  await dialog.getByRole('link', { name: 'Certificate' }).click()
  const sheet = page.getByRole('article', { name: 'Tie-out of 3 companies' })
  await expect(sheet.getByText(/^Every one of the \d+ accounts/)).toBeVisible()
  for (const [name, currency] of [
    [flooring, 'AUD'],
    [holdings, 'NZD'],
    [joinery, 'NZD'],
  ] as const)
    await expect(
      sheet
        .getByRole('region', { name, exact: true })
        .getByRole('table', { name: new RegExp(`^Movements of the month of ${name} in ${currency}`) }),
    ).toBeVisible()
  await page.getByRole('button', { name: 'Issue certificate' }).click()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('banner').filter({ visible: true })).toHaveCount(0)
  await expect(sheet.getByRole('region', { name: joinery, exact: true })).toBeVisible()
  await expect.poll(async () => (await sheet.boundingBox())?.y, 'the sheet begins at the top').toBe(0)
})

test('[SRC-12] one company that is disconnected at the source is named on the card, on the run, in the mail and in the tie-out, and the others stay current', async ({
  page,
  request,
}) => {
  await disconnectAtXero(request, { origin, company: joinery, emailAddress: aroha.emailAddress })
  await signIn(page)
  await refresh(page)
  await expect(card(page)).toContainText(`1 of 3 companies could not be read completely`)
  await expect(card(page)).toContainText(`‘${joinery}’`)
  await card(page).getByRole('link', { name: 'What to do' }).click()
  const run = page.getByRole('dialog', { name: connectorName })
  const fault = run.getByRole('region', { name: 'Some companies could not be read' })
  await expect(fault).toContainText(`‘${joinery}’: The company may have been disconnected`)
  await expect(fault).toContainText('Those of the others are up to date.')
  await expectAccessible(page)
  const mail = await mailTo(request, administrator(), new RegExp(`^${connectorName} needs attention`))
  expect(mail.Text).toContain(`‘${joinery}’`)

  await page.goto('/connectors/xero/refresh')
  await card(page).getByRole('link', { name: 'See the figures' }).click()
  const compared = run.getByRole('table', { name: /^Companies of the connector/ })
  await expect(compared.getByRole('row', { name: new RegExp(`^${joinery} Not compared`) })).toBeVisible()
  await expect(compared.getByRole('row', { name: new RegExp(`^${flooring}, AUD Ties out`) })).toBeVisible()
  await run.getByRole('table', { name: 'Months, latest first' }).getByRole('link').nth(1).click()
  await run.getByRole('link', { name: 'Certificate' }).click()
  const sheet = page.getByRole('article', { name: 'Tie-out of 3 companies' })
  await expect(sheet).toContainText('could not be compared in full')
  await expect(sheet.getByRole('region', { name: joinery, exact: true })).toContainText('Not compared')
})

test('[SRC-12] signing in again repairs the company and adds another; the next run is complete', async ({ page }) => {
  await signIn(page)
  await openEdit(page)
  const edit = page.getByRole('dialog', { name: `Edit ${connectorName}` })
  await edit.getByRole('link', { name: 'Reconnect or add companies' }).click()
  await page.getByRole('link', { name: 'Continue to Xero' }).click()
  await consent(page, [holdings, joinery, flooring, interiors], aroha.name)
  const dialog = page.getByRole('dialog', { name: `Add companies to ${connectorName}` })
  await expect(dialog.getByRole('checkbox')).toHaveCount(1)
  await dialog.getByRole('checkbox', { name: interiors }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add 1 company' }).click()
  await expect(dialog).toBeHidden()
  await page.goto('/connectors/xero/refresh')
  await expect(card(page)).toContainText('Ties out', { timeout: 90_000 })
  await expect(card(page)).not.toContainText('could not be read')
  await page.goto('/connectors/xero/manage')
  await expect(card(page)).toContainText(`4 companies: ${flooring}, ${holdings} and 2 more`)
})

test('[SRC-12] the rows of a company that is taken off leave with the next run, or stay by choice', async ({
  page,
  request,
}) => {
  await signIn(page)
  await openEdit(page)
  await page.getByRole('button', { name: `Take off ${interiors}` }).click()
  await expect(page.getByRole('dialog', { name: `Take ${interiors} off?` })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Cancel' }).last().click()
  await takeOff(page, interiors, 'Remove its rows')
  await takeOff(page, joinery, 'Keep its rows')
  const edit = page.getByRole('dialog', { name: `Edit ${connectorName}` })
  const companies = edit.getByRole('list', { name: 'Companies' }).getByRole('listitem')
  await expect(companies).toHaveCount(3)
  await expect(companies.filter({ hasText: joinery })).toContainText('taken off; its rows stay')
  await expectAccessible(page)
  await refresh(page)
  await expect(card(page)).toContainText('Ties out')
  await page.goto('/data')
  await page
    .getByRole('region', { name: connectorName, exact: true })
    .getByRole('link', { name: 'company', exact: true })
    .click()
  const rows = page.getByRole('grid', { name: 'Rows of company' })
  for (const name of [flooring, holdings, joinery]) await expect(rows).toContainText(name)
  await expect(rows).not.toContainText(interiors)
  const schema = new URL(page.url()).pathname.split('/').at(-2) ?? ''
  const { get } = await apiAs(request, administrator().emailAddress, password)
  const [organisation] = await get<{ Id: string }[]>('/organisations')
  const left = await readFeed(request, `/odata/${organisation?.Id}/${schema}_invoice?$apply=groupby((company_id))`)
  expect(left).toHaveLength(3)
})

async function openEdit(page: Page): Promise<void> {
  await page.goto('/connectors/xero/manage')
  await card(page).getByRole('button', { name: 'Edit' }).click()
}

async function takeOff(page: Page, company: string, rows: string): Promise<void> {
  await page.getByRole('button', { name: `Take off ${company}` }).click()
  const dialog = page.getByRole('dialog', { name: `Take ${company} off?` })
  await dialog.getByRole('radio', { name: rows }).check()
  await dialog.getByRole('button', { name: 'Take off' }).click()
  await expect(dialog).toHaveCount(0)
}

/** Starts a run from the card and waits for its end. */
async function refresh(page: Page): Promise<void> {
  await page.goto('/connectors/xero/refresh')
  await card(page).getByRole('button', { name: 'Refresh', exact: true }).click()
  const run = page.getByRole('dialog', { name: connectorName })
  await expect(run.getByText(/^(?:Completed|Failed)$/u).first()).toBeVisible({ timeout: 90_000 })
  await page.goto('/connectors/xero/refresh')
}

async function readFeed(request: APIRequestContext, path: string): Promise<readonly Record<string, string>[]> {
  const { headers } = await apiAs(request, administrator().emailAddress, password)
  const reply = await request.get(path, { headers })
  expect(reply.status(), await reply.text()).toBe(200)
  return ((await reply.json()) as { value: Record<string, string>[] }).value
}

function administrator(): Person {
  if (person === undefined) throw new Error('No organisation has been made.')
  return person
}

function card(page: Page) {
  return page.getByRole('article', { name: connectorName, exact: true })
}

async function signIn(page: Page): Promise<void> {
  await enterPassword(page, administrator())
  await page.waitForURL('**/home')
}

async function deleteConnectors(request: APIRequestContext): Promise<void> {
  if (person === undefined) return
  const { get, headers } = await apiAs(request, administrator().emailAddress, password)
  const [organisation] = await get<{ Id: string }[]>('/organisations')
  const path = `/tributary/clients/${organisation?.Id}/connectors`
  for (const { Id, Status } of await get<Connector[]>(path))
    if (Status !== 'DELETED') await request.delete(`/api${path}/${Id}`, { headers })
}
