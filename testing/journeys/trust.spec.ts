/** The Trust page: whether the figures of an organisation are proven. */
import { expectAccessible } from './accessible.ts'
import { makeConnectorIn } from './journey-connector.ts'
import { apiAs, password, signInToNewOrganisation } from './people.ts'
import { expect, test } from './portal.ts'

test('[TRUST-12] [GATE-1] /trust is opened from the navigation, gives the verdict of each source, and has no accessibility violation', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const { emailAddress } = await signInToNewOrganisation(page, page.request)
  await page.getByRole('link', { name: 'Trust', exact: true }).click()
  await expect(page).toHaveURL(/\/trust$/u)
  await expect(page.getByText('No source yet')).toBeVisible()
  await expectAccessible(page)

  const admin = await apiAs(page.request, emailAddress, password)
  const [organisation] = await admin.get<{ Id: string }[]>('/organisations')
  const { name } = await makeConnectorIn(admin, organisation?.Id ?? '', 'postgres')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Trust' })).toBeVisible()
  const source = page.getByRole('list', { name: 'Sources' }).getByRole('listitem').filter({ hasText: name })
  await expect(source).toContainText('Not proven yet')
  await expect(page.getByText('The source is not proven to agree with its origin yet')).toBeVisible()
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page)
  }
})
