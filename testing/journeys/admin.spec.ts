import { expect, fillSignIn, test } from './portal.ts'
import { addUser, newUser, openUsers } from './users.ts'

for (const [account, links] of [
  [
    'provideradmin',
    ['Dashboard', 'Global Configuration', 'Users', 'Approvals', 'Organisations', 'Alerts', 'Programs', 'Audit log'],
  ],
  ['admin', ['Users', 'Approvals', 'Organisations', 'Alerts', 'Programs', 'Audit log']],
] as const) {
  test(`[SHELL-9] the admin bar of ${account}`, async ({ page, portal }) => {
    await portal.signIn(account)
    await page.goto('/admin')
    const bar = page.getByRole('navigation', { name: /sections$/ })
    await expect(bar.getByRole('link')).toHaveText([...links])
  })
}

test('[SHELL-9] the users page searches while typing, and the address holds the term in lowercase', async ({
  page,
  portal,
}) => {
  await openUsers(page, portal)
  await page.getByRole('searchbox', { name: 'Search users' }).fill('ULLA')
  await page.waitForURL('**/admin/security/users?search=ulla')
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('[ADMIN-1] the organisation’s id is copied, and the confirmation stays for three seconds', async ({
  page,
  portal,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await portal.signIn('provideradmin')
  await page.goto('/admin/dashboard')
  const panel = page.getByRole('region', { name: 'Organisation', exact: true })
  await expect(panel).toContainText('Harbour Trading')
  await panel.getByRole('button', { name: 'Copy organisation id' }).click()
  await expect(panel.getByRole('button', { name: 'Copied organisation id' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('00000000-0000-4000-8000-000000000101')
  await expect(panel.getByRole('button', { name: 'Copy organisation id' })).toBeVisible()
})

test('[ADMIN-2] the dashboard shows when nothing runs', async ({ page, portal }) => {
  await page.route('**/api/tributary/connectors/insights', (route) => route.fulfill({ json: [] }))
  await portal.signIn('provideradmin')
  await page.goto('/admin/dashboard')
  await expect(page.getByText('No connectors are running at the moment.')).toBeVisible()
})

test('[ADMIN-2] running connectors are listed by client with their start time', async ({ page, portal }) => {
  const at = new Date(Date.now() - 5 * 60_000).toISOString()
  const insight = (ClientName: string, ClientConnectorName: string) => ({
    ClientName,
    ClientConnectorName,
    ClientConnectorId: crypto.randomUUID(),
    AutomaticallyTriggeredAtUtc: null,
    ManuallyTriggeredAtUtc: at,
  })
  const running = [
    insight('Harbour Trading', 'Web shop'),
    insight('Summit Foods', 'Stock'),
    insight('Harbour Trading', 'Ledger'),
  ]
  await page.route('**/api/tributary/connectors/insights', (route) => route.fulfill({ json: running }))
  await portal.signIn('provideradmin')
  await page.goto('/admin/dashboard')
  const panel = page.getByRole('region', { name: 'Running connectors' })
  await expect(panel.getByRole('heading', { level: 3 })).toHaveText(['Harbour Trading', 'Summit Foods'])
  await expect(panel.getByRole('listitem')).toHaveText([/^Web shop.*Started 5 minutes ago$/, /^Ledger/, /^Stock/])
})

test('[ADMIN-3] switches are named by their key split at capitals, and keep their state after a reload', async ({
  page,
  portal,
}) => {
  await portal.signIn('provideradmin')
  await page.goto('/admin/configuration')
  const names = [
    'Allow Sign Up',
    'Require Approval',
    'Require Multi Factor Authentication',
    'External Providers',
    'Scheduled Runs',
    'Access Tokens',
    'Maintenance Mode',
  ]
  for (const name of names) await expect(page.getByRole('switch', { name: new RegExp(`^${name}`) })).toBeVisible()
  const toggle = page.getByRole('switch', { name: /^Scheduled Runs/ })
  await toggle.click()
  await expect(page.getByText('Scheduled Runs is off.')).toBeVisible()
  await page.reload()
  await expect(toggle).not.toBeChecked()
  await toggle.click()
  await expect(page.getByText('Scheduled Runs is on.')).toBeVisible()
})

test('[ADMIN-4] [ADMIN-5] [ADMIN-7] a user is added, signs in, is locked and cannot, and is deleted', async ({
  page,
  portal,
  browser,
}) => {
  await openUsers(page, portal)
  const person = newUser('Ines')
  const card = await addUser(page, person)
  await expect(card).toContainText('User')
  await expect(card).toContainText('ACTIVE')

  const other = await browser.newPage()
  await other.goto('/signin')
  await fillSignIn(other, person.email, 'a-good-one-77')
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.getByRole('navigation', { name: 'Main' })).toBeVisible()

  await card.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${person.firstName} ${person.lastName}` })
  await expect(dialog.getByRole('heading', { name: 'General' })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'Security' })).toBeVisible()
  await expect(dialog.getByLabel('Microsoft Id')).toHaveCount(0)
  await dialog.getByLabel('Status').selectOption({ label: 'locked' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('LOCKED')

  await other.goto('/home')
  await expect(other.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await fillSignIn(other, person.email, 'a-good-one-77')
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.getByRole('alert')).toContainText('Please check your email address and password.')
  await other.close()

  await card.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(card).toHaveCount(0)
})

test('[ADMIN-5] the Microsoft Id is for superadmins', async ({ page, portal }) => {
  await openUsers(page, portal, 'superadmin')
  await page.getByRole('article', { name: 'Ulla Berg' }).getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByRole('dialog').getByLabel('Microsoft Id')).toBeVisible()
})

test('[ADMIN-5] [ADMIN-6] [FORM-1] passwords must match, and a refusal of the server is shown in a banner that can be dismissed', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  await openUsers(page, portal)
  await page.getByRole('button', { name: 'Add user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add user' })
  await dialog.getByLabel('First name').fill('Ulla')
  await dialog.getByLabel('Last name').fill('Again')
  await dialog.getByLabel('Email').fill('user@demo.example')
  await dialog.getByLabel('Password', { exact: true }).fill('a-good-one-77')
  await dialog.getByLabel('Confirm password').fill('another')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Does not match Password')).toBeVisible()
  await dialog.getByLabel('Confirm password').fill('a-good-one-77')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const banner = dialog.getByRole('alert').filter({ hasText: 'This email address is already in use' })
  await expect(banner).toBeVisible()
  await banner.getByRole('button', { name: 'Dismiss error' }).click()
  await expect(banner).toHaveCount(0)
})

test('inviting several people at once: invited people appear, invalid lines stay in the box', async ({
  page,
  portal,
}) => {
  await openUsers(page, portal)
  const person = newUser('Otto')
  await page.getByRole('button', { name: 'Invite by email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite by email' })
  await dialog.getByLabel('People').fill(`${person.firstName} ${person.lastName} <${person.email}>\nnonsense`)
  await dialog.getByRole('button', { name: 'Invite' }).click()
  await expect(dialog.getByLabel('People')).toHaveValue('nonsense')
  await expect(dialog.getByRole('listitem')).toHaveText(['nonsense: Invalid email address'])
  await dialog.getByLabel('People').fill('')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: /^\d+ invited$/u }).click()
  const row = page.getByRole('dialog', { name: 'Invited' }).getByRole('row').filter({ hasText: person.email })
  await expect(row).toContainText('User')
  await row.getByRole('button', { name: 'Withdraw' }).click()
  await expect(row).toHaveCount(0)
})

test('an organisation is created, renamed, requires a second factor, is archived and restored', async ({
  page,
  portal,
}) => {
  const { lastName: mark } = newUser('x')
  await portal.signIn('provideradmin')
  await page.goto('/admin/organisations')
  await page.getByRole('button', { name: 'Add organisation' }).click()
  const adding = page.getByRole('dialog', { name: 'Add organisation' })
  await adding.getByLabel('Name').fill(`Northwind ${mark}`)
  await adding.getByRole('button', { name: 'Save' }).click()
  await expect(adding).toHaveCount(0)
  await page
    .getByRole('article', { name: `Northwind ${mark}` })
    .getByRole('button', { name: 'Edit' })
    .click()
  const editing = page.getByRole('dialog', { name: `Edit Northwind ${mark}` })
  await editing.getByLabel('Name').fill(`Southwind ${mark}`)
  await editing.getByRole('switch', { name: 'Require multi-factor authentication' }).click()
  await editing.getByRole('button', { name: 'Save' }).click()
  const card = page.getByRole('article', { name: `Southwind ${mark}` })
  await expect(card).toContainText('Requires multi-factor authentication')
  const choose = async (action: string) => {
    await card.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Archive')
  await expect(card).toContainText('ARCHIVED')
  await choose('Restore')
  await expect(card).toContainText('ACTIVE')
})

test('[UX-AUDIT-1] [UX-AUDIT-3] the audit log says in sentences who did what, is filtered, and exported as CSV', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  await portal.signIn('admin')
  await page.goto('/admin/audit-log?search=login')
  const table = page.getByRole('table', { name: 'Audit log' })
  await expect(table.getByRole('rowheader').first()).toContainText(/ signed in with a password/u)
  await expect(table).toContainText('Amara Okafor signed in with a password')
  await page.getByLabel('Outcome').selectOption({ label: 'Refused' })
  await page.waitForURL('**outcome=refused**')
  await page.getByLabel('Outcome').selectOption({ label: 'All' })
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/^harbour-trading-audit-\d{4}-\d\d-\d\d\.csv$/)
})

test('[GATE-8] [ROLE-1] the admin pages are refused to lower roles, by the portal and by the API', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  await portal.signIn('user')
  for (const path of [
    '/admin',
    '/admin/dashboard',
    '/admin/configuration',
    '/admin/security/users',
    '/admin/approvals',
    '/admin/organisations',
    '/admin/audit-log',
    '/admin/alerts',
    '/data/after-publishing',
    '/admin/access-tokens',
  ]) {
    await page.goto(path)
    await expect(page.getByText('You do not have permission to see this.')).toBeVisible()
  }
  const status = await page.evaluate(async () => {
    const response = await fetch('/api/admin/globalconfiguration', {
      headers: { authorization: `Bearer ${localStorage.getItem('jwt')}` },
    })
    return response.status
  })
  expect(status).toBe(403)
})

test('by keyboard alone a user is added in at most twelve presses in addition to typing', async ({ page, portal }) => {
  await openUsers(page, portal)
  const person = newUser('Kai')
  let presses = 0
  const press = async (key: string) => {
    presses += 1
    await page.keyboard.press(key)
  }
  await page.getByRole('button', { name: 'Add user' }).focus()
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add user' })
  await expect(dialog.getByLabel('First name')).toBeFocused()
  await page.keyboard.type(person.firstName)
  await press('Tab')
  await page.keyboard.type(person.lastName)
  await press('Tab')
  await page.keyboard.type(person.email)
  // Skips Role, which keeps its default.
  await press('Tab')
  await press('Tab')
  await page.keyboard.type('a-good-one-77')
  // Skips the button that shows the password.
  await press('Tab')
  await press('Tab')
  await page.keyboard.type('a-good-one-77')
  await press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('article', { name: `${person.firstName} ${person.lastName}` })).toBeVisible()
  expect(presses).toBeLessThanOrEqual(12)
})
