/** Shared by the journeys of the management page. */
import type { Page } from '@playwright/test'
import { expect, type TrialAccount, type Portal } from './portal.ts'

export async function openManage(
  page: Page,
  portal: Portal,
  type: string,
  account: TrialAccount = 'admin',
): Promise<void> {
  await portal.signIn(account)
  await page.goto(`/connectors/${type}/manage`)
  await expect(page.getByRole('article').first()).toBeVisible()
}

export async function addDemo(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Fill with demo source' }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/[?&]run=/)
}
