/** No route of the portal without a browser test that opens it, one that looks for violations of accessibility, and a score by Lighthouse. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { matchPath, matchRoutes } from 'react-router'
import { beforeAll, describe, expect, test } from 'vitest'
import type { PortalRoute } from './portal-route.ts'
import { routes as table } from './routes.ts'

const root = join(import.meta.dirname, '../../..')

/** The route table of the specification. */
const specified =
  `/ /signup /signup/finalise /signin /signin/confirm /home /profile /reset-password /reset-password/:token
  /reset-password/redeem/:token /set-password/redeem/:token /admin /admin/dashboard /admin/configuration /admin/security/users
  /admin/approvals /admin/approvals/:approvalId /excel /excel/security/entities /excel/security/security-groups
  /excel/security/user-security-groups /excel/user-entities /excel/entity-users /excel/security/user-helper-tables
  /excel/helper-table-users /excel/table-synchronisation /excel/areas /excel/subareas /excel/subareas/link /excel/subarea-areas
  /excel/versions /excel/helper-tables /connectors/:type/v2/tokens /connectors/:type/v2/synchronise
  /connectors/:type/v2/assign-users /connectors /connectors/:type/refresh /connectors/:type/manage`.split(/\s+/u)

/** They show nothing of their own, but lead on. */
const leadOn = ['/admin', '/excel', '/connectors', '/connectors/:type']
/** What is drawn by the very component of another route. */
const drawnAs: Readonly<Record<string, string>> = {
  '/signin': '/',
  '/reset-password/redeem/:token': '/reset-password/:token',
  '/set-password/:token': '/reset-password/:token',
  '/set-password/redeem/:token': '/reset-password/:token',
}

/** The trial's own pages are not in the specification, which these tests compare with. */
const routes = table.filter(({ isTrialOnly }) => isTrialOnly !== true)
const everyRoute = pathsOf(routes)
const routeObjects = everyRoute.map((path) => ({ path }))
const signedInRoutes = pathsOf(routes.filter(({ allow }) => allow !== 'visitor'))

let titles: readonly string[]
let opening: readonly string[]
let examined: readonly string[]
let scored: readonly string[]
beforeAll(() => {
  titles = browserTests()
  opening = titles.filter((title) => title.includes('[GATE-1]')).flatMap(pathsIn)
  examined = titles.filter((title) => title.includes('no accessibility violation')).flatMap(pathsIn)
  const pages = readFileSync(join(root, 'testing/bench/portal/lighthouse/pages.json'), 'utf8')
  scored = (JSON.parse(pages) as { path: string }[]).flatMap(({ path }) => pathsIn(path))
}, 120_000)

describe('[GATE-1] the route table', () => {
  test('[GATE-1] has every route of the specification', () => {
    expect(specified.filter((path) => !everyRoute.includes(path))).toEqual([])
  })

  test.each(everyRoute)('[GATE-1] %s is opened by a browser test that names it', (path) => {
    expect(opening.filter((one) => leadsTo(one, path))).not.toEqual([])
  })

  test('[GATE-1] a browser test that says so names its path, and every path that it names is a route', () => {
    expect(titles.filter((title) => title.includes('[GATE-1]') && pathsIn(title).length === 0)).toEqual([])
    expect(opening.filter((path) => routeOf(path) === undefined)).toEqual([])
  })

  test('[GATE-1] a route that nobody opens, and a path that is none, would be noticed', () => {
    const planted = [...everyRoute, '/excel/planted']
    expect(planted.filter((path) => !opening.some((one) => leadsTo(one, path)))).toEqual(['/excel/planted'])
    expect(['/excel/planted', '/signin/planted', '/admin/security'].map(routeOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(pathsIn('[GATE-1] /excel/areas?search=a, light and/or dark, leads to /excel/loads/{loadId}.')).toEqual([
      '/excel/areas',
      '/excel/loads/x',
    ])
  })
})

describe('the budgets', () => {
  const drawn = (all: readonly string[]) => all.filter((path) => !leadOn.includes(path) && !(path in drawnAs))

  test.each(drawn(everyRoute))('%s is in a browser test that finds no accessibility violation', (path) => {
    const same = [path, ...Object.keys(drawnAs).filter((other) => drawnAs[other] === path)]
    expect(examined.filter((one) => same.some((other) => leadsTo(one, other)))).not.toEqual([])
  })

  test('every route behind the sign-in is scored by Lighthouse', () => {
    expect(drawn(signedInRoutes).filter((path) => !scored.some((one) => leadsTo(one, path)))).toEqual([])
    expect(scored.filter((path) => routeOf(path) === undefined)).toEqual([])
  })
})

/** The paths of the table; a route with an optional parameter has two. */
function pathsOf(all: readonly PortalRoute[]): string[] {
  return all.flatMap(({ path }) =>
    path.endsWith('?') ? [path.replace(/\/:\w+\?$/u, ''), path.replace('?', '')] : [path],
  )
}

/** The titles as the browser tests have them, generated ones included. */
function browserTests(): string[] {
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env
  const listed = execFileSync(process.execPath, [cli, 'test', '--list', '--reporter=json'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...env, TRIBUTARY_E2E_HOME: join(tmpdir(), 'tributary-e2e-listed') },
    maxBuffer: 64 * 1024 * 1024,
  })
  return titlesIn((JSON.parse(listed) as Suite).suites ?? [])
}

interface Suite {
  readonly specs?: readonly { readonly title: string }[]
  readonly suites?: readonly Suite[]
}

function titlesIn(suites: readonly Suite[]): string[] {
  return suites.flatMap((suite) => [...(suite.specs ?? []).map(({ title }) => title), ...titlesIn(suite.suites ?? [])])
}

/** What stands in a title as a path, without its query; a name in braces is a value like any other. */
function pathsIn(title: string): string[] {
  return [...title.matchAll(/(?<![^\s])\/[^\s?,:;…’']*/gu)].map(([path]) =>
    path.replaceAll(/\{\w+\}/gu, 'x').replace(/\.$/u, ''),
  )
}

function routeOf(path: string): string | undefined {
  const pattern = matchRoutes(routeObjects, path)?.findLast(({ route }) => route.path !== undefined)?.route.path
  return pattern === undefined || pattern.includes('*') ? undefined : pattern
}

/** Whether the path opens that route, and not another that is told from it by its words. */
function leadsTo(path: string, route: string): boolean {
  const found = everyRoute.filter((one) => matchPath(one, path) !== null)
  const exact = found.find((one) => !one.includes(':')) ?? found[0]
  return exact === route
}
