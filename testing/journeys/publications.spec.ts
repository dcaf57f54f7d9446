/** Publications: an administrator publishes in the warehouse, reads why it waits, and switches it off. */
import type { RunDetail } from '@tributary/contract/runs'
import { expectAccessible } from './accessible.ts'
import { makeConnectorIn } from './journey-connector.ts'
import { apiAs, password, signInToNewOrganisation } from './people.ts'
import { expect, test } from './portal.ts'

test('[TRUST-12] [GATE-1] /data/publications: by keyboard an administrator publishes a connector, sees what the views show, and switches it off; the page and its dialogs have no accessibility violation', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { emailAddress } = await signInToNewOrganisation(page, page.request)
  await page.goto('/data/publications')
  await expect(page.getByText('There is nothing to publish yet.')).toBeVisible()
  const admin = await apiAs(page.request, emailAddress, password)
  const [organisation] = await admin.get<{ Id: string }[]>('/organisations')
  const { id, name, clientId } = await makeConnectorIn(admin, organisation?.Id ?? '', 'postgres')
  const run = async () => {
    const path = `/tributary/clients/${clientId}/connectors/${id}`
    const { RunId } = await admin.post<{ RunId: string }>(`${path}/process`, {})
    await expect
      .poll(async () => (await admin.get<RunDetail>(`${path}/runs/${RunId}`)).Status, { timeout: 60_000 })
      .toBe('COMPLETED')
  }
  await page.reload()

  const panel = page.getByRole('region', { name: 'Tributary’s own warehouse' })
  await expect(panel).toContainText('Reports read the tables as each run leaves them.')
  await panel.getByRole('button', { name: 'Publish' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Publish in Tributary’s own warehouse' })
  await expect(dialog.getByRole('checkbox', { name })).toBeChecked()
  await dialog.getByLabel('Verified identical within days').fill('0')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('must be a whole number from 1 to 365')
  await dialog.getByLabel('Verified identical within days').fill('')
  await expectAccessible(page)
  await dialog.getByLabel('Verified identical within days').press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(panel).toContainText(`There is no publication yet. It waits for ${name}.`)
  await expectAccessible(page)

  await run()
  await expect(panel).toContainText('The views show the latest run of each connector.', { timeout: 30_000 })
  await expect(panel.getByRole('table')).toContainText('Satisfies the rule')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Publications' }).click()
  const history = page.getByRole('dialog', { name: 'Publications in Tributary’s own warehouse' })
  await expect(history.getByRole('table', { name: 'Publications, latest first' })).toContainText(`${name} as of`)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.goto('/trust')
  await expect(page.getByRole('list', { name: 'Sources' })).toContainText('Published views show it as of')

  await page.goto('/data/publications')
  await panel.getByRole('button', { name: 'Switch off' }).click()
  const confirm = page.getByRole('dialog', { name: /^Switch publishing off/u })
  await expect(confirm).toContainText('History that was kept stays')
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('Reports read the tables as each run leaves them.', { timeout: 30_000 })
})
