/** Actions after publications: the page of the administrators. */
import type { Page } from '@playwright/test'
import { startPowerBi } from '../server/publishing/simulated-power-bi.ts'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './portal.ts'

const powerBiPort = Number(process.env['TRIBUTARY_E2E_POWERBI_PORT'])

async function deleteAction(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toHaveCount(0)
}

test('[GATE-1] [TRUST-13] /data/after-publishing: by keyboard alone an administrator adds a refresh of Power BI, tests it, runs it and reads its log', async ({
  page,
  portal,
}) => {
  await using powerBi = await startPowerBi(powerBiPort)
  await portal.signIn('admin', '/data/after-publishing')
  const press = (...keys: string[]) =>
    keys.reduce((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve())
  await page.getByRole('button', { name: 'Add an action' }).focus()
  await press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add an action' })
  await expect(dialog.getByRole('radio', { name: 'Webhook' })).toBeFocused()
  await press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: 'Power BI' })).toBeChecked()
  const { tenantId, applicationId, clientSecret, workspaceId, datasetId } = powerBi
  for (const [label, text] of [
    ['Tenant', tenantId],
    ['Application', applicationId],
    ['Client secret', clientSecret],
    ['Workspace', workspaceId],
    ['Dataset', datasetId],
  ] as const) {
    const field = dialog.getByLabel(label, { exact: true })
    for (let tabs = 0; tabs < 3 && !(await field.evaluate((node) => node === document.activeElement)); tabs += 1)
      await press('Tab')
    await expect(field).toBeFocused()
    await page.keyboard.type(text)
  }
  await press('Tab', 'Tab')
  await page.keyboard.type('Sales report')
  await press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(`Power BI, refresh of dataset ${datasetId}`)).toBeVisible()
  await page.getByRole('button', { name: 'Test Sales report' }).focus()
  await press('Enter')
  await expect(
    page.getByText('Power BI accepts the sign-in and knows the dataset. Nothing was refreshed.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Run now: Sales report' }).focus()
  await press('Enter')
  await expect(page.getByText('Power BI accepted the refresh.')).toBeVisible()
  expect(powerBi.refreshes).toMatchObject([{ refreshType: 'ViaApi' }])
  await page.getByRole('button', { name: 'Log of Sales report' }).focus()
  await press('Enter')
  const log = page.getByRole('dialog', { name: 'Log of Sales report' })
  await expect(log.getByText(/Started by a person/)).toBeVisible()
  await expect(log.getByText(/Power BI accepted the refresh\. \(HTTP 202/)).toBeVisible()
  await press('Escape')
  await expect(log).toHaveCount(0)
  await page.getByRole('button', { name: 'Change Sales report' }).focus()
  await press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Replace Client secret' })).toBeVisible()
  await press('Escape')
  await deleteAction(page, 'Sales report')
})

test('/data/after-publishing with actions, their logs and their dialogs have no accessibility violation', async ({
  page,
  portal,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('admin', '/data/after-publishing')
  await page.getByRole('button', { name: 'Add an action' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'dbt' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectAccessible(page, () => expect(dialog.getByText('required').first()).toBeVisible())
  await dialog.getByLabel('Account').fill('12')
  await dialog.getByLabel('Job').fill('34')
  await dialog.getByLabel('Service token', { exact: true }).fill('a token')
  await dialog.getByLabel('Name').fill('Nightly models')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Run now: Nightly models' }).click()
  // Another test may have started a service at this address, which refuses the token.
  await expectAccessible(page, () => expect(page.getByText(/does not answer|may not do this/)).toBeVisible())
  await page.getByRole('button', { name: 'Log of Nightly models' }).click()
  await expectAccessible(page, () => expect(dialog.getByRole('list', { name: 'Runs' })).toBeVisible())
  await page.keyboard.press('Escape')
  await deleteAction(page, 'Nightly models')
})
