/** Safety in the browser: messages between windows, sign-out without a network, and renewed tokens. */
import { expect, test } from './portal.ts'

test('the sign-up page accepts messages only from the form in its frame: messages of other windows and sites are ignored', async ({
  page,
  portal,
}) => {
  // The sign-up does not exist, which the form in the frame shows; the page still receives the frame's messages.
  portal.expectFailedCalls()
  await page.goto('/signup?atid=none&provider=acme')
  const frame = page.locator('iframe')
  await expect(frame).toBeVisible()
  const before = await frame.evaluate((element) => element.style.height)

  const send = (origin: string, source: 'the frame' | 'the page' | 'none') =>
    page.evaluate(
      (sent) => {
        const own = document.querySelector('iframe')?.contentWindow ?? null
        const windows = { 'the frame': own, 'the page': window, none: null }
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
  for (const source of ['the page', 'none'] as const) await send('ours', source)
  await page.evaluate(() => window.postMessage({ kind: 'height', heightPx: 9_999 }, window.location.origin))
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  await expect(frame).toBeVisible()
  expect(await frame.evaluate((element) => element.style.height)).not.toBe('9999px')
  expect(before).toMatch(/px$/)

  // The same message from the frame is accepted, so the sender was the reason for the refusals.
  await send('ours', 'the frame')
  await expect(page.getByText('mere@people.example')).toBeVisible()
})

test('signing out without a network also empties the storage', async ({ page, portal, context }) => {
  portal.expectFailedCalls()
  await portal.signIn('guest')
  expect(await page.evaluate(() => localStorage.getItem('jwt'))).not.toBeNull()
  await context.setOffline(true)
  const left = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest())
  await page.getByRole('button', { name: 'Logout' }).click()
  await left
  await context.setOffline(false)
  // The browser's error page may appear meanwhile.
  await expect(() => page.goto('/signin')).toPass()
  const storageKeys = [
    'jwt',
    'user',
    'organisations',
    'organisationSelected',
    'connectorTypes',
    'entities',
    'areas',
    'versions',
  ]
  expect(
    await page.evaluate((names) => names.filter((name) => localStorage.getItem(name) !== null), storageKeys),
  ).toEqual([])
  expect(await page.evaluate(() => document.cookie)).not.toContain('logged_in=')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
})

test('the API page has its style, and its console stays clean', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('960px')
  // The browser makes automatic requests after the page has loaded.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
})

test('[SHELL-13] a page that is opened with an expired token renews it, and its console stays clean', async ({
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
