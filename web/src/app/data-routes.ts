/** The Data section's part of the route table: see `routes.ts`. */
import { paths } from '../paths.ts'
import { lazyPage, type PortalRoute } from './portal-route.ts'

export const dataRoutes: readonly PortalRoute[] = [
  {
    path: paths.data,
    title: 'Data',
    label: 'Tables',
    key: 'b',
    guide: 'users/user#see-your-data',
    allow: 'readData',
    page: lazyPage(() => import('../features/data/tables-page.tsx'), 'TablesPage'),
    preload: 'data',
  },
  {
    path: '/data/tables/:schema/:table',
    title: 'Table',
    isListed: false,
    guide: 'users/user#see-your-data',
    allow: 'readData',
    page: lazyPage(() => import('../features/data/table-page.tsx'), 'TablePage'),
  },
  {
    path: `${paths.queries}/:queryId?`,
    title: 'Queries',
    key: 'x',
    guide: 'users/user#query-it',
    allow: 'readData',
    page: lazyPage(() => import('../features/queries/queries-page.tsx'), 'QueriesPage'),
    preload: 'queries',
    preloadWithRecord: 'query',
  },
  {
    path: paths.dictionary,
    title: 'Dictionary',
    key: 'k',
    guide: 'users/user#find-out-what-a-table-means',
    allow: 'seeDictionary',
    page: lazyPage(() => import('../features/dictionary/dictionary-page.tsx'), 'DictionaryPage'),
    preload: 'dictionary',
  },
  {
    path: paths.connect,
    title: 'Connect',
    key: 'n',
    guide: 'users/user#connect-your-own-tools',
    allow: 'readData',
    page: lazyPage(() => import('../features/logins/connect-page.tsx'), 'ConnectPage'),
    preload: 'connect',
  },
  {
    path: paths.publications,
    title: 'Publications',
    guide: 'users/administrator#publish-only-what-is-proven',
    allow: 'editConnector',
    page: lazyPage(() => import('../features/publications/publications-page.tsx'), 'PublicationsPage'),
    preload: 'publications',
  },
  {
    path: paths.afterPublishing,
    title: 'After publishing',
    guide: 'users/administrator#refresh-power-bi-or-run-dbt-after-each-publication',
    allow: 'editPublicationActions',
    page: lazyPage(() => import('../features/publication-actions/actions-page.tsx'), 'ActionsPage'),
    preload: 'afterPublishing',
  },
]
