/** Every route of the portal has a browser test that opens it, an accessibility test and a Lighthouse score. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { matchPath, matchRoutes } from 'react-router'
import { beforeAll, describe, expect, test } from 'vitest'
import { otherPages, sectionPages } from '@tributary/testing/journeys/layout-pages.ts'
import type { PortalRoute } from './portal-route.ts'
import { routes as table } from './routes.ts'

const root = join(import.meta.dirname, '../../..')

/** The route table of the specification. */
const specifiedRoutes =
  `/ /signup /signup/finalise /signin /signin/confirm /home /profile /reset-password /reset-password/:token
  /reset-password/redeem/:token /set-password/redeem/:token /admin /admin/dashboard /admin/configuration /admin/security/users
  /admin/approvals /admin/approvals/:approvalId /excel /excel/security/entities /excel/security/security-groups
  /excel/security/user-security-groups /excel/user-entities /excel/entity-users /excel/security/user-helper-tables
  /excel/helper-table-users /excel/table-synchronisation /excel/areas /excel/subareas /excel/subareas/link /excel/subarea-areas
  /excel/versions /excel/helper-tables /connectors/:type/v2/tokens /connectors/:type/v2/synchronise
  /connectors/:type/v2/assign-users /connectors /connectors/:type/refresh /connectors/:type/manage`.split(/\s+/u)

/** Routes that only redirect. */
const redirectingRoutes = ['/admin', '/excel', '/connectors', '/connectors/:type']
/** Routes that render the same component as another route. */
const sharedPages: Readonly<Record<string, string>> = {
  '/signin': '/',
  '/reset-password/redeem/:token': '/reset-password/:token',
  '/set-password/:token': '/reset-password/:token',
  '/set-password/redeem/:token': '/reset-password/:token',
  '/data/queries/:queryId': '/data/queries',
}

/** Without the pages of the trial, which are not in the specification. */
const routes = table.filter(({ isTrialOnly }) => isTrialOnly !== true)
const everyRoute = listPaths(routes)
const routeObjects = everyRoute.map((path) => ({ path }))
const signedInRoutes = listPaths(routes.filter(({ allow }) => allow !== 'visitor'))

let titles: readonly string[]
let openedPaths: readonly string[]
let accessibilityPaths: readonly string[]
let lighthousePaths: readonly string[]
beforeAll(() => {
  titles = listBrowserTestTitles()
  openedPaths = titles.filter((title) => title.includes('[GATE-1]')).flatMap(findPaths)
  accessibilityPaths = titles.filter((title) => title.includes('no accessibility violation')).flatMap(findPaths)
  const pages = readFileSync(join(root, 'testing/bench/portal/lighthouse/pages.json'), 'utf8')
  lighthousePaths = (JSON.parse(pages) as { path: string }[]).flatMap(({ path }) => findPaths(path))
}, 120_000)

describe('[GATE-1] the route table', () => {
  test('[GATE-1] has every route of the specification', () => {
    expect(specifiedRoutes.filter((path) => !everyRoute.includes(path))).toEqual([])
  })

  test.each(everyRoute)('[GATE-1] %s is opened by a browser test that names it', (path) => {
    expect(openedPaths.filter((one) => opensRoute(one, path))).not.toEqual([])
  })

  test('[GATE-1] every browser test of GATE-1 names a path, and every named path is a route', () => {
    expect(titles.filter((title) => title.includes('[GATE-1]') && findPaths(title).length === 0)).toEqual([])
    expect(openedPaths.filter((path) => findRoute(path) === undefined)).toEqual([])
  })

  test('[GATE-1] a route without a browser test and a path without a route are reported', () => {
    const planted = [...everyRoute, '/excel/planted']
    expect(planted.filter((path) => !openedPaths.some((one) => opensRoute(one, path)))).toEqual(['/excel/planted'])
    expect(['/excel/planted', '/signin/planted', '/admin/security'].map(findRoute)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(findPaths('[GATE-1] /excel/areas?search=a, light and/or dark, leads to /excel/loads/{loadId}.')).toEqual([
      '/excel/areas',
      '/excel/loads/x',
    ])
  })
})

describe('the budgets', () => {
  const drawn = (all: readonly string[]) =>
    all.filter((path) => !redirectingRoutes.includes(path) && !(path in sharedPages))

  test.each(drawn(everyRoute))('%s is in a browser test that finds no accessibility violation', (path) => {
    const same = [path, ...Object.keys(sharedPages).filter((other) => sharedPages[other] === path)]
    expect(accessibilityPaths.filter((one) => same.some((other) => opensRoute(one, other)))).not.toEqual([])
  })

  test('[UX-SHELL-4] the layout of every page behind the sign-in is measured', () => {
    const measured = [...Object.values(sectionPages).flat(), ...otherPages]
    const pages = drawn(signedInRoutes).filter((path) => !/\/:(?!type)/u.test(path))
    expect(pages.filter((path) => !measured.some((one) => opensRoute(one, path)))).toEqual([])
    expect(measured.filter((path) => findRoute(path) === undefined)).toEqual([])
  })

  test('every route behind the sign-in is scored by Lighthouse', () => {
    expect(drawn(signedInRoutes).filter((path) => !lighthousePaths.some((one) => opensRoute(one, path)))).toEqual([])
    expect(lighthousePaths.filter((path) => findRoute(path) === undefined)).toEqual([])
  })
})

/** A route with an optional parameter has two paths. */
function listPaths(all: readonly PortalRoute[]): string[] {
  return all.flatMap(({ path }) =>
    path.endsWith('?') ? [path.replace(/\/:\w+\?$/u, ''), path.replace('?', '')] : [path],
  )
}

/** The titles of all browser tests, including generated ones. */
function listBrowserTestTitles(): string[] {
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env
  const listed = execFileSync(process.execPath, [cli, 'test', '--list', '--reporter=json'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, TRIBUTARY_E2E_HOME: join(tmpdir(), 'tributary-e2e-listed') },
    maxBuffer: 64 * 1024 * 1024,
  })
  return listTitles((JSON.parse(listed) as PlaywrightSuite).suites ?? [])
}

interface PlaywrightSuite {
  readonly specs?: readonly { readonly title: string }[]
  readonly suites?: readonly PlaywrightSuite[]
}

function listTitles(suites: readonly PlaywrightSuite[]): string[] {
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).map(({ title }) => title),
    ...listTitles(suite.suites ?? []),
  ])
}

/** Finds the paths in a title, without their queries. A name in braces is replaced with a value. */
function findPaths(title: string): string[] {
  return [...title.matchAll(/(?<![^\s])\/[^\s?,:;…’']*/gu)].map(([path]) =>
    path.replaceAll(/\{\w+\}/gu, 'x').replace(/\.$/u, ''),
  )
}

function findRoute(path: string): string | undefined {
  const pattern = matchRoutes(routeObjects, path)?.findLast(({ route }) => route.path !== undefined)?.route.path
  return pattern === undefined || pattern.includes('*') ? undefined : pattern
}

/** Whether the path opens the route. A route without parameters takes precedence over one with parameters. */
function opensRoute(path: string, route: string): boolean {
  const found = everyRoute.filter((one) => matchPath(one, path) !== null)
  const exact = found.find((one) => !one.includes(':')) ?? found[0]
  return exact === route
}
