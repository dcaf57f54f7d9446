import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { expect, test } from './portal.ts'

interface PreloadingRoute {
  readonly path: string
  readonly requests: readonly (readonly [roleLevel: number, address: string])[]
}

interface PreloadManifest {
  readonly layout: Pick<PreloadingRoute, 'requests'>
  readonly routes: readonly PreloadingRoute[]
}

/** Pages with requests that only the provider may make. */
const pagesOfProvider = ['/admin/dashboard', '/admin/configuration', '/admin/workbench', '/connectors/:type/v2/tokens']

/** Reads the manifest of the built portal. */
function readManifest(): PreloadManifest {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../web/dist/routes.json'), 'utf8')) as PreloadManifest
}

/** All routes except the page of a load, which needs an existing load: loads.spec.ts opens it. */
function preloadingRoutes(): PreloadingRoute[] {
  return readManifest().routes.filter(({ path, requests }) => requests.length > 0 && path !== '/excel/loads/:loadId')
}

test('a page takes every request that is preloaded for it, and makes none of them twice', async ({ page, portal }) => {
  test.setTimeout(240_000)
  await portal.signIn('admin')
  for (const route of preloadingRoutes().filter(({ path }) => !pagesOfProvider.includes(path)))
    await test.step(route.path, () => openPage(page, route))
})

test('the pages of the provider take their preloaded requests, too', async ({ page, portal }) => {
  await portal.signIn('superadmin')
  for (const route of preloadingRoutes().filter(({ path }) => pagesOfProvider.includes(path)))
    await test.step(route.path, () => openPage(page, route))
})

test('no request is preloaded that the role is refused', async ({ page, portal }) => {
  await portal.signIn('guest')
  const refused: string[] = []
  page.on('response', (response) => void (response.status() === 403 && refused.push(response.url())))
  for (const path of ['/excel/areas', '/connectors/:type/v2/tokens', '/admin/configuration']) {
    const requests = await openPage(page, routeAt(path), { mayBeRefused: true })
    expect(requests).toContain('/api/organisations?pageSize=1000')
  }
  expect(refused).toEqual([])
})

test('a page that a user navigates to makes its requests while its code loads, and takes their responses', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await expect(page.getByRole('heading', { name: 'Available connectors' })).toBeVisible()
  const requested = page.waitForRequest(/\/api\/invitations/u)
  await page.route('**/assets/users-page-*.js', async (route) => {
    await requested
    await route.continue()
  })
  await page.getByRole('link', { name: 'Admin', exact: true }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expectAllTaken(page)
})

test('an address that opens a dialog preloads the dialog frame; the list without one does not', async ({
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

function routeAt(path: string): PreloadingRoute {
  const route = readManifest().routes.find((one) => one.path === path)
  if (route === undefined) throw new Error(`There is no route ${path}.`)
  return route
}

/** Omits requests with parameters: tie-out.spec.ts opens the certificate of a month. */
function requestsWithoutParameters({ requests }: PreloadingRoute): PreloadingRoute['requests'] {
  return requests.filter(([, address]) => !/\{(?!org|zone)/u.test(address))
}

/** Returns the API requests made until all preloaded responses were taken. */
async function openPage(page: Page, route: PreloadingRoute, { mayBeRefused = false } = {}): Promise<string[]> {
  const requests: string[] = []
  const note = (request: Request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/'))
      requests.push(`${pathname}${search}`.replace(/[\w-]{36}/, '{org}').replace(/(?<=timeZone=)[^&]+/u, '{zone}'))
  }
  // The previous page makes no requests any more.
  await page.goto('about:blank')
  page.on('request', note)
  const type = route.path.includes('/v2/') ? 'xero' : 'postgres'
  await page.goto(
    route.path.replace(':type', type).replace('/:queryId', '').replace(':approvalId', crypto.randomUUID()),
  )
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAllTaken(page)
  page.off('request', note)
  for (const [, address] of [
    ...readManifest().layout.requests,
    ...(mayBeRefused ? [] : requestsWithoutParameters(route)),
  ])
    expect(requests.filter((request) => request === address)).toEqual([address])
  return requests
}

async function expectAllTaken(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('Object.keys(window.preloadedRequests)')).toEqual([])
}
