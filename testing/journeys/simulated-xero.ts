/** The simulated Xero of the trial: its consent page, and registered apps. */
import { type APIRequestContext, expect, type Page } from '@playwright/test'
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

interface Disconnection {
  /** Of the simulator. */
  readonly origin: string
  readonly company: string
  readonly emailAddress: string
}

/** The app of the trial's operator. */
const operatorApp = {
  clientId: idOf('app').replaceAll('-', '').toUpperCase(),
  clientSecret: idOf('app secret'),
}

/** Removes the operator's app from a company, as its administrator can at Xero. */
export async function disconnectAtXero(request: APIRequestContext, disconnection: Disconnection): Promise<void> {
  const { origin, company, emailAddress } = disconnection
  const redirectUri = 'http://127.0.0.1/disconnected'
  const consented = await request.post(`${origin}/identity/connect/authorize`, {
    maxRedirects: 0,
    form: {
      response_type: 'code',
      client_id: operatorApp.clientId,
      redirect_uri: redirectUri,
      scope: 'accounting.settings.read',
      state: 'disconnect',
      person: idOf(emailAddress),
      tenant: idOf(company),
      decision: 'allow',
    },
  })
  const code = new URL(consented.headers()['location'] ?? '').searchParams.get('code') ?? ''
  const exchanged = await request.post(`${origin}/connect/token`, {
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: operatorApp.clientId,
      client_secret: operatorApp.clientSecret,
    },
  })
  const { access_token: token } = (await exchanged.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  const connections = (await (await request.get(`${origin}/connections`, { headers })).json()) as {
    readonly id: string
    readonly tenantId: string
  }[]
  const connection = connections.find(({ tenantId }) => tenantId === idOf(company))
  const removed = await request.delete(`${origin}/connections/${connection?.id}`, { headers })
  expect(removed.status(), `the status of the disconnection of ${company}`).toBe(204)
}
