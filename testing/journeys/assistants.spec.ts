/**
 * Assistants: the switches of the provider, the organisation and its sources, and the consent of a person. In one file, so that no test
 * runs while another has the provider's switch off.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import type { AssistantPolicy } from '@tributary/contract/assistants'
import { expectAccessible } from './accessible.ts'
import { apiAs, codeFor, logOut, password, signInToNewOrganisation } from './people.ts'
import { expect, fillSignIn, password as demoPassword, test } from './portal.ts'

const callback = 'https://assistant.example/callback'

/** Switches assistants on, by the provider and in the organisation of the person. */
async function switchOn(request: APIRequestContext, emailAddress: string): Promise<void> {
  const provider = await apiAs(request, 'superadmin@demo.example')
  await provider.post('/admin/globalconfiguration', { key: 'Assistants', value: 'true' })
  const { get, headers } = await apiAs(request, emailAddress, password)
  const [organisation] = await get<{ Id: string }[]>('/organisations')
  const switched = await request.put(`/api/tributary/clients/${organisation?.Id}/assistants`, {
    headers,
    data: { allowed: true },
  })
  expect(switched.status()).toBe(200)
}

async function assistantPolicy(request: APIRequestContext, emailAddress: string): Promise<AssistantPolicy> {
  const { get } = await apiAs(request, emailAddress, password)
  const [organisation] = await get<{ Id: string }[]>('/organisations')
  return get(`/tributary/clients/${organisation?.Id}/assistants`)
}

async function signInAs(page: Page, emailAddress: string): Promise<void> {
  await page.goto('/signin')
  await fillSignIn(page, emailAddress, demoPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/home')
}

/** Registers an assistant. Returns it with the address of its request. */
async function registerAssistant(request: APIRequestContext) {
  const registered = await request.post('/oauth/register', {
    data: { client_name: 'Ledger assistant', redirect_uris: [callback] },
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  const { resource } = (await (await request.get('/.well-known/oauth-protected-resource/mcp')).json()) as {
    resource: string
  }
  const verifier = randomBytes(32).toString('base64url')
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    state: 'of-the-journey',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
  })
  return { clientId, verifier, address: `/oauth/authorize?${parameters}` }
}

/** The provider's switch of all organisations, changed on its page. */
async function setProviderSwitch(page: Page, isOn: boolean): Promise<void> {
  await page.goto('/admin/configuration')
  const control = page.getByRole('switch', { name: 'Assistants' })
  await expect(control).toBeVisible()
  if ((await control.isChecked()) === isOn) return
  const saved = page.waitForResponse(
    (response) => response.url().endsWith('/globalconfiguration') && response.request().method() === 'POST',
  )
  await control.click()
  expect((await saved).status()).toBe(200)
  await expect(control).toBeChecked({ checked: isOn })
}

const organisationSwitch = (page: Page) => page.getByRole('switch', { name: /^Assistants may read/u })
const addressShown = (page: Page) => page.getByText('People connect their assistants at')

test('[SEE-13] assistants stay off until the provider and an administrator have switched them on, and Xero until its terms are confirmed', async ({
  page,
  portal,
  request,
  browser,
}) => {
  portal.expectFailedCalls()
  const provider = await browser.newContext()
  const providerPage = await provider.newPage()
  await signInAs(providerPage, 'superadmin@demo.example')
  await setProviderSwitch(providerPage, false)
  const { emailAddress } = await signInToNewOrganisation(page, request)
  await page.goto('/admin/assistants')
  await expect(organisationSwitch(page)).not.toBeChecked()
  await organisationSwitch(page).click()
  await expect(organisationSwitch(page)).toBeChecked()
  await expect(page.getByText('The provider has not switched assistants on.')).toBeVisible()
  await expect(addressShown(page)).toHaveCount(0)
  await setProviderSwitch(providerPage, true)
  await provider.close()
  await page.reload()
  await expect(addressShown(page)).toContainText('/mcp')

  const xero = page.getByRole('switch', { name: /^Xero/u })
  await expect(xero).not.toBeChecked()
  await xero.click()
  const dialog = page.getByRole('dialog', { name: 'Open Xero to assistants?' })
  const terms = dialog.getByRole('link', { name: 'Xero Developer Platform Terms and Conditions' })
  await expect(terms).toHaveAttribute('href', /^https:\/\/developer\.xero\.com\//u)
  await expect(dialog.getByRole('button', { name: 'Open Xero' })).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(xero).not.toBeChecked()
  await xero.click()
  await expect(dialog.getByRole('checkbox')).not.toBeChecked()
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Open Xero' }).click()
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await expect(xero).toBeChecked()
  await expect(page.getByRole('listitem').filter({ has: xero })).toContainText('by Nia Planner')
  expect(await assistantPolicy(request, emailAddress)).toMatchObject({ Allowed: true, AllowedByProvider: true })

  await organisationSwitch(page).click()
  await expect(addressShown(page)).toHaveCount(0)
  expect(await assistantPolicy(request, emailAddress)).toMatchObject({ Allowed: false })
})

test('[SEE-13] people who are no administrators are refused the switches of assistants, on the page and by a call', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  for (const account of ['user', 'guest'] as const) {
    await portal.signIn(account, '/admin/assistants')
    await expect(page.getByRole('main')).toContainText('You do not have permission to see this')
    const { get, headers } = await apiAs(request, `${account}@demo.example`)
    const [organisation] = await get<{ Id: string }[]>('/organisations')
    const switches = `/api/tributary/clients/${organisation?.Id}/assistants`
    for (const [path, data] of [
      [switches, { allowed: true }],
      [`${switches}/sources/xero`, { allowed: true, acceptedTerms: null }],
    ] as const)
      expect((await request.put(path, { headers, data })).status()).toBe(403)
  }
})

test('[SEE-13] a person signs in, sees who asks for what, allows it with their second factor, finds it among their tokens, and refuses another', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  await page.route('https://assistant.example/**', (route) => route.fulfill({ body: 'The assistant goes on.' }))
  const person = await signInToNewOrganisation(page, request)
  await switchOn(request, person.emailAddress)
  const assistant = await registerAssistant(request)
  await logOut(page)

  const opened = await page.goto(assistant.address)
  expect(opened?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  await fillSignIn(page, person.emailAddress, password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/oauth/authorize?**')
  const panel = page.getByRole('region', { name: 'An assistant asks to read as you' })
  await expect(panel).toContainText('Ledger assistant')
  await expect(panel).toContainText('assistant.example')
  await expect(panel.getByRole('listitem')).toHaveCount(2)
  await expect(panel.getByRole('radio')).toBeChecked()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Allow' }).click()
  await page.getByLabel('Verification code').fill(await codeFor(request, person))
  await page.waitForURL('https://assistant.example/**')
  const answer = new URL(page.url()).searchParams
  expect(answer.get('state')).toBe('of-the-journey')

  const form = {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    client_id: assistant.clientId,
    redirect_uri: callback,
    code_verifier: assistant.verifier,
  }
  expect((await request.post('/oauth/token', { form })).status()).toBe(200)
  await page.goto('/profile/access-tokens')
  const entry = page.getByRole('listitem').filter({ hasText: 'Ledger assistant' })
  await expect(entry).toContainText('Assistant')
  await entry.getByRole('button', { name: 'Revoke Ledger assistant' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(entry.getByText('Revoked', { exact: true })).toBeVisible()

  const other = await registerAssistant(request)
  await page.goto(other.address)
  await panel.getByRole('link', { name: 'Refuse' }).click()
  await page.waitForURL('https://assistant.example/**')
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
})

test('[SEE-13] a person whose organisations do not allow assistants, and requests that are wrong, say what is wrong and send nothing by themselves', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const provider = await apiAs(request, 'superadmin@demo.example')
  await provider.post('/admin/globalconfiguration', { key: 'Assistants', value: 'true' })
  const { address } = await registerAssistant(request)
  await signInToNewOrganisation(page, request)

  await page.goto(address)
  await expect(page.getByText('None of your organisations allows assistants.')).toBeVisible()
  await expectAccessible(page)
  await page.goto(address.replace('S256', 'plain'))
  await expect(page.getByText('The request cannot be allowed.')).toBeVisible()
  await expect(page.getByText('code_challenge_method must be S256.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0)
  await expectAccessible(page)
  await page.goto(address.replace('assistant.example', 'evil.example'))
  await expect(page.getByText('at an address that it has not registered')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to the home page' })).toBeVisible()
  expect(await page.locator('a[href*="evil.example"]').count()).toBe(0)
  await expectAccessible(page)
})
