/** The consent for an assistant: sign-in first, what the person sees, allowing, refusing, and requests that lead nowhere. */
import { createHash, randomBytes } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { apiAs, codeFor, logOut, password, signInToNewOrganisation } from './people.ts'
import { expect, fillSignIn, test } from './portal.ts'

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
