/** The Configure page: the organisation's own database and its tables. */
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

const path = '/excel/table-synchronisation'
const note =
  'These credentials are for the entire organisation and not per user. These SQL credentials will be used to write data to your database'

test('[ACC-6] [ENG-4] an administrator synchronises the tables, and sees the result and how reports respect the rights', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', path)
  const credentials = page.getByRole('region', { name: 'Database Credentials' })
  await expect(credentials.getByText(note, { exact: true })).toBeVisible()
  for (const label of ['Host', 'Database', 'Schema', 'Username', 'Password'])
    await expect(credentials.getByLabel(label, { exact: true })).toBeVisible()
  await expect(credentials.getByRole('button', { name: 'Save', exact: true })).toBeVisible()
  await credentials.getByRole('button', { name: 'Test connection' }).click()
  await expect(credentials.getByText('The connection works.')).toBeVisible()
  await credentials.getByRole('button', { name: 'Synchronise' }).click()
  const tables = page.getByRole('table', { name: 'Tables' })
  await expect(tables.getByRole('row', { name: /B2SBudget2026 Version/u })).toBeVisible()
  await expect(tables.getByRole('row', { name: /tributary_row_right View/u })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Row-level security in Power BI' })).toContainText(
    `'tributary_row_right'[TableName], "B2SBudget2026"`,
  )
  await page.reload()
  await expect(page.getByText(/^Synchronised .+ by Amara Okafor, in Tributary’s own warehouse/u)).toBeVisible()
})

test('[ACC-6] an incomplete address is refused before anything is sent; the server’s message is in a banner that can be dismissed', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin', path)
  await page.getByLabel('Host', { exact: true }).fill('db.invalid')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('required')).toHaveCount(3)
  await page.getByLabel('Database', { exact: true }).fill('finance')
  await page.getByLabel('Username', { exact: true }).fill('writer')
  await page.getByLabel('Password', { exact: true }).fill('not-the-real-one')
  portal.expectFailedCalls()
  await page.getByLabel('Schema', { exact: true }).fill('1; DROP')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const banner = page.getByRole('alert').filter({ hasText: 'The target schema must begin with' })
  await expect(banner).toBeVisible()
  await banner.getByRole('button', { name: 'Dismiss error' }).click()
  await expect(banner).toHaveCount(0)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(banner).toBeVisible()

  await page.getByLabel('Schema', { exact: true }).fill('plan')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('The connection does not work yet.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save anyway' })).toBeVisible()
  await expect(page.getByText(/^Saved /u)).toHaveCount(0)
  await page.route('**/database-credentials', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 502, contentType: 'text/html', body: '<p>proxy</p>' })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await expect(page.getByText('An unkown error has occured.')).toBeVisible()
})

test('[SHELL-10] [GATE-8] [ROLE-1] a user has no Configure, and is refused by portal and API whatever the link', async ({
  page,
  portal,
  request,
}) => {
  await portal.signIn('user', '/excel/areas')
  await expect(page.getByRole('link', { name: 'Configure' })).toHaveCount(0)
  await page.goto(path)
  await expect(page.getByText('You do not have permission to see this.')).toBeVisible()
  const { headers } = await apiAs(request, 'user@demo.example')
  const organisations = (await (await request.get('/api/organisations', { headers })).json()) as { Id: string }[]
  for (const call of ['database-credentials', 'database-table-sync', 'table-synchronisation'])
    expect((await request.get(`/api/organisations/${organisations[0]?.Id}/${call}`, { headers })).status()).toBe(403)
})
