import { capabilities, roleLevels } from '@tributary/contract/capabilities'
import type { Route } from '@tributary/contract/route'
import { routes } from '@tributary/contract/routes'

const catalogue = '/tributary/clients/connector-types'
const connectors = '/tributary/clients/{org}/connectors'
const structure = (list: string, links = '') => `/${list}?orgId={org}&sort=asc&page=1&pageSize=50${links}`
const links = ['/areas?orgId={org}', '/subareas?orgId={org}']
const assigned = (list: string) => ['/assignments?orgId={org}', `/${list}?orgId={org}`]
const products = '/me/xero2sqlproducts?orgId={org}'

/**
 * What the page of each route asks for first, as it is opened without a query; with any query where the route ends with `?`. `*` is every
 * signed-in page, `{org}` the organisation one works in, `{last}` the last part of the page's address, any other name that one of its
 * query, without which the call is not made. What a page does not ask for in these very words is asked for in vain, which fails a test of
 * testing/journeys/first-calls.spec.ts.
 */
const asked: Readonly<Record<string, readonly string[]>> = {
  '*': ['/organisations', '/tributary/clients/{org}/connector-types'],
  '/home': [catalogue, connectors],
  '/profile': ['/auth/options', '/roles', '/me/security', '/me/sessions'],
  '/admin/security/users': ['/invitations?orgId={org}', '/users?orgId={org}&withProvider=true', '/roles'],
  '/admin/approvals?': ['/approvals?orgId={org}'],
  '/admin/approvals/:approvalId?': ['/approvals?orgId={org}'],
  '/admin/audit-log': ['/audit-events?orgId={org}&page=1&pageSize=50'],
  '/admin/dashboard': ['/approvals?orgId={org}', connectors, '/tributary/connectors/insights'],
  '/admin/configuration': ['/admin/globalconfiguration'],
  '/excel/areas': [structure('areas', '&archived=true&links=false')],
  '/excel/subareas': [structure('subareas', '&archived=true&links=false')],
  '/excel/subareas/link': links,
  '/excel/subarea-areas': links,
  '/excel/versions': [structure('versions', '&archived=true')],
  '/excel/helper-tables': [structure('helperTables', '&archived=true')],
  '/excel/security/entities': [structure('entities')],
  '/excel/table-synchronisation': [
    '/organisations/{org}/database-credentials',
    '/organisations/{org}/table-synchronisation',
  ],
  '/excel/loads': ['/loads/tables?orgId={org}', '/loads?orgId={org}&page=1&pageSize=25'],
  // There are no changes, and that is told, before it is a receipt.
  '/excel/loads/:loadId?': ['/loads/{last}?orgId={org}', '/loads/{last}/changes?page=1&pageSize=200'],
  '/excel/security/security-groups': ['/permission-groups?orgId={org}&archived=true'],
  '/excel/security/user-security-groups': assigned('permission-groups'),
  '/excel/security/user-helper-tables': assigned('helperTables'),
  '/excel/helper-table-users': assigned('helperTables'),
  '/excel/user-entities': assigned('entities'),
  '/excel/entity-users': assigned('entities'),
  '/connectors/:type/refresh?': [catalogue, connectors, '/users?orgId={org}'],
  '/connectors/:type/manage?': [catalogue, connectors],
  '/connectors/:type/certificate?': [
    catalogue,
    connectors,
    `${connectors}/{of}/tie-out`,
    `${connectors}/{of}/tie-out/lines?period={period}`,
  ],
  '/connectors/xero/v2/tokens': [catalogue, '/token'],
  '/connectors/xero/v2/synchronise': [catalogue, products],
  '/connectors/xero/v2/assign-users': [catalogue, products, '/users/xero2sqlproduct?orgId={org}'],
}

const known: readonly Route[] = Object.values(routes).flatMap((noun) => Object.values(noun))

/** For `first-paint.js`: each call with the highest role level that may make it, so that nobody asks for what is refused. */
export const firstCalls = {
  levels: roleLevels,
  calls: Object.fromEntries(
    Object.entries(asked).map(([route, calls]) => [
      route,
      calls.map((call) => [levelOf(call), `/api${call}`] as const),
    ]),
  ),
}

function levelOf(call: string): number {
  const path = call.replace(/\?.*$/, '')
  const found = known.filter((route) => route.method === 'GET' && matches(route.path, path))
  // Where two do, the one that says more in words.
  const route = found.find((one) => !one.path.includes(':')) ?? found[0]
  if (route === undefined) throw new Error(`web/plugins/first-calls.ts: there is no GET ${path}.`)
  return route.allow === 'visitor' || route.allow === 'signedIn' ? roleLevels.guest : capabilities[route.allow]
}

function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
}
