/** Access tokens: making one with a second factor, using it, revoking it, and the administrators’ page. */
import { expectAccessible } from './accessible.ts'
import { apiAs, codeFor, enterPassword, makePerson, password } from './people.ts'
import { expect, test } from './portal.ts'

test('[SEE-12] a person makes a token with their second factor, copies it, uses it, and revokes it', async ({
  context,
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const person = await makePerson(request, 'Theo')
  await enterPassword(page, person)
  await page.waitForURL('**/home')
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Access tokens' }).click()
  await expect(page.getByText('You have no access tokens.')).toBeVisible()
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByRole('button', { name: 'Make the token' }).click()
  await expect(dialog.getByText('Choose at least one.')).toBeVisible()
  await dialog.getByLabel('Name').fill('Month-end workbook')
  await dialog.getByLabel('Expires').selectOption('After 30 days')
  await dialog.getByRole('checkbox', { name: 'status.read' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Make the token' }).click()
  const proof = page.getByRole('dialog', { name: 'Is it still you?' })
  await expect(proof.getByText('This needs your second factor')).toBeVisible()
  await expectAccessible(page)
  await proof.getByLabel('Verification code').fill(await codeFor(request, person))

  const shown = page.getByRole('dialog', { name: 'Month-end workbook' })
  await expect(shown.getByText('it is shown this once')).toBeVisible()
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Copy token' }).click()
  const secret = await page.evaluate(() => navigator.clipboard.readText())
  expect(secret).toMatch(/^trib_pat_[0-9A-Za-z]{49}$/)
  await shown.getByRole('button', { name: 'I have copied it' }).click()

  const headers = { authorization: `Bearer ${secret}`, 'user-agent': 'month-end/2' }
  const use = async () => (await request.get('/api/organisations', { headers })).status()
  expect(await use()).toBe(200)
  expect((await request.get('/api/audit-events', { headers })).status()).toBe(403)
  await page.reload()
  const entry = page.getByRole('listitem').filter({ hasText: 'Month-end workbook' })
  await expect(entry).toContainText(/status\.read; expires on .*last used just now from .* by month-end\/2, 2 calls/)
  await expectAccessible(page)
  await entry.getByRole('button', { name: 'Revoke Month-end workbook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(entry.getByText('Revoked', { exact: true })).toBeVisible()
  expect(await use()).toBe(401)
})

test('[SEE-12] an administrator adds a service account, gives it a token, renews it, sees all tokens and switches them off', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const person = await makePerson(request, 'Asta', 'admin')
  await enterPassword(page, person)
  await page.waitForURL('**/home')
  await page.goto('/admin/access-tokens')
  const name = `Export ${person.emailAddress.slice(5, 13)}`
  await page.getByRole('button', { name: 'Add a service account' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a service account' })
  await adding.getByLabel('Name').fill(name)
  await adding.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: `New token of ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByLabel('Name').fill(`Token ${name}`)
  await dialog.getByRole('checkbox', { name: 'connectors.run' }).check()
  await dialog.getByRole('button', { name: 'Make the token' }).click()
  await page.getByLabel('Verification code').fill(await codeFor(request, person))
  const shown = page.getByRole('dialog', { name: `Token ${name}` })
  const former = (await shown.getByText(/^trib_svc_/).textContent()) ?? ''
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  const use = async (secret: string) =>
    (await request.get('/api/organisations', { headers: { authorization: `Bearer ${secret}` } })).status()
  expect(await use(former)).toBe(200)

  await page.getByRole('button', { name: `Renew Token ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click()
  const current = (await shown.getByText(/^trib_svc_/).textContent()) ?? ''
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  expect([await use(former), await use(current)]).toEqual([401, 200])
  await expectAccessible(page)

  // Another organisation’s tests use tokens, too, so the switch goes back at once.
  const policy = page.getByRole('switch', { name: 'People and service accounts may use access tokens' })
  await policy.click()
  await expect(policy).not.toBeChecked()
  expect(await use(current)).toBe(403)
  await policy.click()
  await expect(policy).toBeChecked()

  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: `Delete ${name}` })).toHaveCount(0)
  expect(await use(current)).toBe(401)
  const { get } = await apiAs(request, person.emailAddress, password)
  const events = await get<{ Action: string }[]>('/audit-events?page=1&pageSize=20')
  expect(events.map(({ Action }) => Action)).toContain('api_token.renewed')
})
