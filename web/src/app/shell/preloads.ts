/** The preloaded requests of each page. In the chunk of the shell, because no page for visitors preloads anything. */

export interface Preload {
  /**
   * GET requests, below `/api`, exactly as the page's code makes them. `{org}` stands for the organisation of the
   * session, `{zone}` for the time zone of the person; any other name stands for a parameter of the path or of the query. A request with a missing value is not
   * made. A browser test fails if a page does not take the response of one.
   */
  readonly requests: readonly string[]
  /** True if the query does not change the requests. Otherwise an address with a query preloads nothing. */
  readonly withAnyQuery?: boolean
  /** True if the page opens a dialog at once, so that the dialog frame is loaded with it. */
  readonly opensDialog?: boolean
}

export type PreloadName = keyof typeof preloads

/** The requests of the layout of every signed-in page. */
export const layoutRequests: readonly string[] = [
  '/organisations?pageSize=1000',
  '/tributary/clients/{org}/connector-types',
]

const catalogue = '/tributary/clients/connector-types'
const connectors = '/tributary/clients/{org}/connectors'
const alertChannels = '/tributary/clients/{org}/alert-channels'
const ownAlertChannels = '/tributary/clients/{org}/profile/alert-channels'
const queryDatabases = '/tributary/clients/{org}/queries/databases'
const accessTokens = '/tributary/clients/{org}/access-tokens'
const products = '/me/xero2sqlproducts?orgId={org}'

const preloads = {
  home: { requests: [catalogue, '/tributary/clients/{org}/overview?timeZone={zone}'] },
  profile: {
    requests: ['/auth/options', '/roles', '/profile/preferences', '/me/security', '/me/sessions', ownAlertChannels],
  },

  adminDashboard: {
    requests: [
      '/approvals?orgId={org}&status=PENDING&pageSize=1',
      connectors,
      '/tributary/connectors/insights',
      '/tributary/insights/organisations?order=need&page=1&pageSize=50',
    ],
  },
  adminConfiguration: { requests: ['/admin/globalconfiguration'] },
  // A draft has its own request.
  adminWorkbench: { requests: ['/admin/workbench/descriptions'] },
  adminUsers: {
    requests: ['/invitations?orgId={org}', '/users?orgId={org}&withProvider=true&page=1&pageSize=50', '/roles'],
  },
  approvals: { requests: ['/approvals?orgId={org}&page=1&pageSize=60'] },
  approval: { requests: ['/approvals?orgId={org}&page=1&pageSize=60'], withAnyQuery: true, opensDialog: true },
  adminAlerts: { requests: [alertChannels] },
  afterPublishing: {
    requests: ['/tributary/clients/{org}/publication-actions', '/tributary/clients/{org}/publication-sets'],
  },
  accessTokens: { requests: ['/me/access-tokens', `${accessTokens}/policy`] },
  adminAccessTokens: {
    requests: [accessTokens, `${accessTokens}/policy`, '/tributary/clients/{org}/service-accounts'],
  },
  adminAssistants: { requests: ['/tributary/clients/{org}/assistants'] },
  auditLog: { requests: ['/audit-events?orgId={org}&page=1&pageSize=50'] },

  queries: { requests: [queryDatabases] },
  query: { requests: [queryDatabases, '/tributary/clients/{org}/queries/saved/{queryId}'], withAnyQuery: true },
  dictionary: { requests: ['/tributary/clients/{org}/dictionary'] },

  structureMap: { requests: ['/structure-map?orgId={org}'] },
  areas: structureList('areas', '&archived=true&links=false'),
  subareas: structureList('subareas', '&archived=true&links=false'),
  areasAndSubareas: { requests: ['/areas?orgId={org}', '/subareas?orgId={org}'] },
  versions: structureList('versions', '&archived=true'),
  helperTables: structureList('helperTables', '&archived=true'),
  loads: { requests: ['/loads/tables?orgId={org}', '/loads?orgId={org}&page=1&pageSize=25'] },
  // The changes exist once the load has been made. Until then their request fails, and the page does not take its
  // response.
  load: {
    requests: ['/loads/{loadId}?orgId={org}', '/loads/{loadId}/changes?page=1&pageSize=200'],
    withAnyQuery: true,
  },
  tableSync: {
    requests: ['/organisations/{org}/database-credentials', '/organisations/{org}/table-synchronisation'],
  },
  securityGroups: { requests: ['/permission-groups?orgId={org}&archived=true'] },
  entities: structureList('entities'),
  userGroups: assignments('permission-groups'),
  userHelperTables: assignments('helperTables'),
  userEntities: assignments('entities'),

  data: { requests: ['/tributary/clients/{org}/data/tables'], withAnyQuery: true },
  // The address of the connection follows once the page knows that the person may read.
  connect: { requests: ['/tributary/clients/{org}/logins/me'] },
  publications: { requests: ['/tributary/clients/{org}/publication-sets'] },

  connectorDashboard: { requests: [catalogue, connectors, '/users?orgId={org}'], withAnyQuery: true },
  manageConnectors: { requests: [catalogue, connectors], withAnyQuery: true },
  certificate: {
    requests: [
      catalogue,
      connectors,
      `${connectors}/{of}/tie-out`,
      `${connectors}/{of}/tie-out/lines?period={period}`,
      '/tributary/clients/{org}/certificates?connectorId={of}',
    ],
    withAnyQuery: true,
  },
  tokens: { requests: [catalogue, '/token'] },
  synchronise: { requests: [catalogue, products] },
  assignUsers: { requests: [catalogue, products, '/users/xero2sqlproduct?orgId={org}'] },
} satisfies Readonly<Record<string, Preload>>

function structureList(list: string, filter = ''): Preload {
  return { requests: [`/${list}?orgId={org}&sort=asc&page=1&pageSize=50${filter}`] }
}

function assignments(list: string): Preload {
  return { requests: ['/assignments?orgId={org}', `/${list}?orgId={org}`] }
}

/** @param hasRecord whether the optional parameter of the path has a value. */
export function findPreload(
  route: { readonly preload?: PreloadName; readonly preloadWithRecord?: PreloadName },
  hasRecord: boolean,
): Preload | undefined {
  const name = hasRecord ? (route.preloadWithRecord ?? route.preload) : route.preload
  return name && preloads[name]
}
