import type { Page, Request } from '@playwright/test'
import { firstCalls } from '../../web/plugins/first-calls.ts'
import { expect, test } from './portal.ts'

/** What the calls of these need is the provider's alone. */
const ofTheProvider = ['/admin/dashboard', '/admin/configuration', '/connectors/xero/v2/tokens']
/** A load needs one that was made: loads.spec.ts opens it. */
const routes = Object.keys(firstCalls.calls).filter((route) => !['*', '/excel/loads/:loadId?'].includes(route))

test('what a page asks for early is what its code asks for in these very words, and none of it is asked for twice', async ({
  page,
  portal,
}) => {
  test.setTimeout(240_000)
  await portal.signIn('admin')
  for (const route of routes.filter((one) => !ofTheProvider.includes(one)))
    await test.step(route, () => opened(page, route))
})

test('so it is for the pages of the provider', async ({ page, portal }) => {
  await portal.signIn('superadmin')
  for (const route of ofTheProvider) await test.step(route, () => opened(page, route))
})

test('nobody asks early for what their role is refused', async ({ page, portal }) => {
  await portal.signIn('guest')
  const refused: string[] = []
  page.on('response', (response) => void (response.status() === 403 && refused.push(response.url())))
  for (const path of ['/excel/areas', '/connectors/xero/v2/tokens', '/admin/configuration']) {
    const calls = await opened(page, path, { mayBeRefused: true })
    expect(calls).toContain('/api/organisations')
  }
  expect(refused).toEqual([])
})

test('an address that opens a dialog comes with the names of what dialogs are drawn with; a list comes without', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  const linked = async (path: string) =>
    (await page.request.get(path, { headers: { accept: 'text/html' } })).headers()['link'] ?? ''
  expect(await linked(`/admin/approvals/${crypto.randomUUID()}`)).toContain('/assets/dialog-frame-')
  expect(await linked('/admin/approvals')).toContain('/assets/approvals-page-')
  expect(await linked('/admin/approvals')).not.toContain('/assets/dialog-frame-')
})

/** What names a part of the query is not asked for without one: tie-out.spec.ts opens the certificate of a month. */
const withoutQuery = (route: string) =>
  (firstCalls.calls[route] ?? []).filter(([, address]) => !/\{(?!org)/u.test(address))

/** The calls made until all early ones were taken over. */
async function opened(page: Page, route: string, { mayBeRefused = false } = {}): Promise<string[]> {
  const calls: string[] = []
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${pathname}${search}`.replace(/[\w-]{36}/, '{org}'))
  }
  // The former page asks for nothing any more.
  await page.goto('about:blank')
  page.on('request', note)
  await page.goto(route.replace(/\?$/, '').replace(':type', 'postgres').replace(':approvalId', crypto.randomUUID()))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => page.evaluate('Object.keys(window.earlyCalls.answers)')).toEqual([])
  page.off('request', note)
  const early = [...(firstCalls.calls['*'] ?? []), ...(mayBeRefused ? [] : withoutQuery(route))]
  for (const [, address] of early) expect(calls.filter((call) => call === address)).toEqual([address])
  return calls
}
