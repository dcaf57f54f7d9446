/** What the browser itself must keep to, whoever sends it something and whether or not the server can be reached. */
import { expect, test } from './portal.ts'

test('the sign-up page hears the form in its own frame only: what another window or another site sends is not heard', async ({
  page,
  portal,
}) => {
  // Nobody is signing up by this name, which the form in the frame says; the page around it hears it all the same.
  portal.expectFailedCalls()
  await page.goto('/signup?atid=none&provider=acme')
  const frame = page.locator('iframe')
  await expect(frame).toBeVisible()
  const before = await frame.evaluate((element) => element.style.height)

  const send = (origin: string, source: 'the frame' | 'the page' | 'nobody') =>
    page.evaluate(
      (sent) => {
        const own = document.querySelector('iframe')?.contentWindow ?? null
        const windows = { 'the frame': own, 'the page': window, nobody: null }
        const signedUp = { emailAddress: 'mere@people.example', verificationReference: 'reference', code: null }
        const origin = sent.origin === 'ours' ? window.location.origin : sent.origin
        for (const data of [
          { kind: 'height', heightPx: 9_999 },
          { kind: 'done', signedUp },
        ])
          window.dispatchEvent(new MessageEvent('message', { origin, source: windows[sent.source], data }))
      },
      { origin, source },
    )
  for (const origin of ['https://evil.example', 'http://localhost', 'null', '']) await send(origin, 'the frame')
  for (const source of ['the page', 'nobody'] as const) await send('ours', source)
  await page.evaluate(() => window.postMessage({ kind: 'height', heightPx: 9_999 }, window.location.origin))
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  await expect(frame).toBeVisible()
  expect(await frame.evaluate((element) => element.style.height)).not.toBe('9999px')
  expect(before).toMatch(/px$/)

  // The same from the frame itself is heard: it was the sender that was not believed.
  await send('ours', 'the frame')
  await expect(page.getByText('mere@people.example')).toBeVisible()
})

test('signing out without a network empties the storage all the same', async ({ page, portal, context }) => {
  portal.expectFailedCalls()
  await portal.signIn('guest')
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).not.toBeNull()
  await context.setOffline(true)
  const left = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest())
  await page.getByRole('button', { name: 'Logout' }).click()
  await left
  await context.setOffline(false)
  // The browser's own page of the failure may come meanwhile.
  await expect(() => page.goto('/signin')).toPass()
  const kept = [
    'jwt',
    'user',
    'organisations',
    'organisationSelected',
    'connectorTypes',
    'entities',
    'areas',
    'versions',
  ]
  expect(await page.evaluate((names) => names.filter((name) => localStorage.getItem(name) !== null), kept)).toEqual([])
  expect(await page.evaluate(() => document.cookie)).not.toContain('logged_in=')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
})

test('the page about the API is drawn with its own style, and its console stays clean', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('960px')
  // What the browser asks for by itself it asks for after the page is there.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
})

test('[SHELL-13] a page that is opened with a token that has run out renews it, and its console stays clean', async ({
  page,
  portal,
}) => {
  await portal.signIn('guest')
  await expect(page.getByRole('heading', { name: 'Available connectors' })).toBeVisible()
  const renewed: string[] = []
  page.on('request', (request) => void (request.url().endsWith('/auth/refresh') && renewed.push(request.url())))
  await page.evaluate(() => {
    const [head, payload = '', signature] = (localStorage.getItem('jwt') ?? '').split('.')
    const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as object
    const past = btoa(JSON.stringify({ ...claims, exp: 1 }))
    localStorage.setItem('jwt', [head, past, signature].join('.'))
    location.reload()
  })
  await expect.poll(() => renewed).toHaveLength(1)
  await expect(page.getByRole('heading', { name: 'Available connectors' })).toBeVisible()
  expect(renewed).toHaveLength(1)
})
