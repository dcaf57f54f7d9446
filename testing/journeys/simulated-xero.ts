/** The simulated Xero of the trial: its consent page, and registered apps. */
import { expect, type Page } from '@playwright/test'
import { guidOf } from '@tributary/sims/xero/oauth/grants'

/** Navigates from 'Add connector' to the consent page. */
export async function startAuthorisation(page: Page): Promise<void> {
  await page.goto('/connectors/xero/manage')
  await page.getByRole('button', { name: 'Add connector' }).click()
  await page.getByRole('link', { name: 'Continue to Xero' }).click()
}

/** Signs in as the person, authorises only these companies, and returns to the portal. */
export async function consent(page: Page, companies: readonly string[], person = 'Mei Chen'): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in to the simulated Xero' })).toBeVisible()
  await page.getByRole('radio', { name: person }).check()
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
  for (const name of companies) await page.getByRole('checkbox', { name: new RegExp(`^${name}\\s*[A-Z]{2}$`) }).check()
  await page.getByRole('button', { name: 'Allow access' }).click()
  await page.waitForURL('**/connectors/xero/**')
}

/** The fixed seed of the trial's simulator. */
const seed = 20_261_120
const idOf = (word: string) => guidOf(`${seed} ${word}`)

/** Connects to 'Northside Interiors' without a sign-in. */
export const customConnection = {
  clientId: idOf('machine').replaceAll('-', '').toUpperCase(),
  clientSecret: idOf('machine secret'),
}
/** An app that a customer registered at Xero. */
export const ownApp = {
  clientId: idOf('other app').replaceAll('-', '').toUpperCase(),
  clientSecret: idOf('other app secret'),
}
