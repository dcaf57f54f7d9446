/** The Xero of the trial: its page of consent, as a person uses it, and an app that it knows. */
import { expect, type Page } from '@playwright/test'
import { guidOf } from '@tributary/sims/xero/oauth/grants'

/** Comes from 'Add connector' to the page of consent. */
export async function setOut(page: Page): Promise<void> {
  await page.goto('/connectors/xero/manage')
  await page.getByRole('button', { name: 'Add connector' }).click()
  await page.getByRole('link', { name: 'Continue to Xero' }).click()
}

/** Says who one is, opens these companies and no others, and is brought back. */
export async function consent(page: Page, companies: readonly string[], person = 'Mei Chen'): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in to the simulated Xero' })).toBeVisible()
  await page.getByRole('radio', { name: person }).check()
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
  for (const name of companies) await page.getByRole('checkbox', { name: new RegExp(`^${name}\\s*[A-Z]{2}$`) }).check()
  await page.getByRole('button', { name: 'Allow access' }).click()
  await page.waitForURL('**/connectors/xero/**')
}

/** The simulator of the trial grows from this seed, always the same. */
const seed = 20_261_120
const idOf = (word: string) => guidOf(`${seed} ${word}`)

/** Reaches 'Northside Interiors' without anybody signing in. */
export const customConnection = {
  clientId: idOf('machine').replaceAll('-', '').toUpperCase(),
  clientSecret: idOf('machine secret'),
}
/** An app that a customer registered at Xero. */
export const ownApp = {
  clientId: idOf('other app').replaceAll('-', '').toUpperCase(),
  clientSecret: idOf('other app secret'),
}
