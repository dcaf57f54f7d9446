/**
 * Draws the pictures of docs/users from a new trial: run `npm start`, and in another terminal
 * `node tools/draw-pictures.ts http://localhost:3000`. Names after the address limit the pictures.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'

const largestBytes = 120 * 1024
interface PortalPicture {
  /** The account to sign in with; undefined for pages of visitors. */
  readonly account?: string
  readonly path: string
  readonly prepare?: (page: Page) => Promise<void>
}

const pictures: { readonly [name: string]: PortalPicture } = {
  'sign-in': { path: '/signin' },
  profile: { account: 'user', path: '/profile' },
  connectors: { account: 'admin', path: '/connectors/postgres/refresh' },
  'failed-run': { account: 'admin', path: '/home' },
  'tie-out': { account: 'admin', path: '/connectors/xero/refresh', prepare: openMonth },
  load: { account: 'admin', path: '/excel/loads', prepare: choosePlan },
  users: { account: 'admin', path: '/admin/security/users' },
  'users-table': { account: 'admin', path: '/admin/security/users', prepare: selectUsers },
  approvals: { account: 'superadmin', path: '/admin/approvals' },
  alerts: { account: 'admin', path: '/admin/alerts', prepare: addChannel },
  manage: { account: 'admin', path: '/connectors/postgres/manage' },
  'connector-form': { account: 'admin', path: '/connectors/postgres/manage', prepare: addConnector },
  xero: { account: 'admin', path: '/connectors/xero/manage' },
  warehouse: { account: 'admin', path: '/connectors/postgres/refresh', prepare: openWarehouse },
  'structure-map': { account: 'admin', path: '/excel/map' },
  versions: { account: 'admin', path: '/excel/versions' },
  'security-group': { account: 'admin', path: '/excel/security/security-groups', prepare: createGroup },
  dashboard: { account: 'superadmin', path: '/admin/dashboard' },
  organisations: { account: 'superadmin', path: '/admin/organisations' },
  configuration: { account: 'superadmin', path: '/admin/configuration' },
}

const [address = 'http://localhost:3000', ...chosen] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const name of chosen.length === 0 ? Object.keys(pictures) : chosen) await draw(browser, name)
} finally {
  await browser.close()
}

async function draw(window: Browser, name: string): Promise<void> {
  const picture = pictures[name]
  if (picture === undefined)
    throw new Error(`There is no picture ${name}. There are: ${Object.keys(pictures).join(', ')}.`)
  const page = await window.newPage({
    baseURL: address,
    viewport: { width: 1120, height: 680 },
    reducedMotion: 'reduce',
    // As the organisations of the trial.
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  })
  page.setDefaultTimeout(10_000)
  if (picture.account === undefined) await page.goto(picture.path)
  else await signIn(page, picture.account, picture.path)
  await picture.prepare?.(page)
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
  const bytes = await page.screenshot({ animations: 'disabled' })
  await page.close()
  if (bytes.length > largestBytes) throw new Error(`${name}.png has ${bytes.length} bytes, more than ${largestBytes}.`)
  writeFileSync(join(import.meta.dirname, '../docs/images', `${name}.png`), bytes)
  console.log(`docs/images/${name}.png, ${Math.round(bytes.length / 1024)} KiB`)
}

async function signIn(page: Page, account: string, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('textbox', { name: 'Username' }).fill(`${account}@demo.example`)
  await page.getByLabel('Password', { exact: true }).fill('tributary-demo-1')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForURL(`**${path}`)
}

async function selectUsers(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('combobox', { name: 'Filter by status' }).selectOption('Active')
  await page.getByRole('combobox', { name: 'Filter by sign-in' }).selectOption('Never signed in')
  for (const name of ['Gareth Pike', 'Ulla Berg']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
}

async function addConnector(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add connector' }).click()
  await page.getByRole('button', { name: 'Test connection' }).waitFor()
}

async function addChannel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a channel' }).click()
  await page.getByRole('textbox', { name: 'Address' }).waitFor()
}

async function createGroup(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create Security Group' }).first().click()
  await page.getByText('1. Areas').waitFor()
}

async function openMonth(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'See the figures' }).first().click()
  await page.getByRole('dialog').getByRole('table').getByRole('link').first().click()
}

async function openWarehouse(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect your reports' }).first().click()
  await page.getByRole('dialog').getByText('Database', { exact: true }).waitFor()
}

async function choosePlan(page: Page): Promise<void> {
  const lines = ['Month;Amount', '2027-01-31;1200.50', '2027-02-28;1180.00', '2027-03-31;1310.25']
  await page
    .getByLabel('File to load')
    .setInputFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
  await page.getByLabel('Row of the headings').waitFor()
}
