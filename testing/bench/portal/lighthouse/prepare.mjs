/** Creates records that routes need: a load, a connector with a tie-out, and a pending request. */
import { expect } from '@playwright/test'
import { makePlan } from '../../../journeys/plan.ts'

const columns = ['Entity', 'Area', 'Subarea', 'Milestone', 'Month', 'Amount']

/** Runs as the user who is signed in in the browser: an administrator of the trial's first organisation. */
export async function prepare(browser) {
  const plan = await makePlan(browser.request)
  const organisations = await plan.api.get('/organisations')
  const client = `/tributary/clients/${organisations.find(({ CompanyName }) => CompanyName === 'Harbour Trading').Id}`
  const approvals = await plan.api.get('/approvals')
  return {
    approvalId: approvals.find(({ ApprovalStatus }) => ApprovalStatus === 'PENDING').Id,
    loadId: await load(browser, plan),
    ...(await compared(plan.api, client)),
    ...(await loadedTable(plan.api, client)),
  }
}

/** A table of the warehouse with rows. */
async function loadedTable(api, client) {
  const sources = await api.get(`${client}/data/tables`)
  const found = sources.flatMap(({ Tables }) => Tables).find(({ Name }) => Name === 'invoice_line')
  return { schema: found.Schema, table: found.Name }
}

async function load(browser, plan) {
  const page = await browser.newPage()
  await page.goto('/excel/loads')
  const rows = [1, 2, 3].map((amount) =>
    plan.row(amount).map((cell) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : cell)),
  )
  const text = [columns, ...rows].map((row) => row.join(',')).join('\n')
  await page
    .getByLabel('File to load')
    .setInputFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByLabel('Table', { exact: true }).selectOption({ label: plan.version })
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByRole('button', { name: /^Load \d+ rows?$/u }).click()
  await page.getByRole('region', { name: `Receipt for ${plan.version}` }).waitFor()
  const loadId = new URL(page.url()).pathname.split('/').at(-1)
  await page.close()
  return loadId
}

/** Waits for the first run of the trial, which reads a year of books and ties them out. */
async function compared(api, client) {
  let found
  let periods
  await expect(async () => {
    const all = await api.get(`${client}/connectors?type=xero`)
    found = all.find(({ Name }) => Name === 'Harbour Trading')
    periods = (await api.get(`${client}/connectors/${found.Id}/tie-out`)).Periods
    expect(periods.length).toBeGreaterThan(0)
  }).toPass({ timeout: 240_000, intervals: [2_000] })
  return { connectorId: found.Id, period: periods[0].Period }
}
