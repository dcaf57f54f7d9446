/** The pages whose layout is measured. `every-route.test.ts` requires each route that a person opens after the sign-in. */

/** Their links have the same position on all pages of the section. */
export const sectionPages: Readonly<Record<string, readonly string[]>> = {
  Administration: [
    '/admin/dashboard',
    '/admin/configuration',
    '/admin/workbench',
    '/admin/security/users',
    '/admin/approvals',
    '/admin/organisations',
    '/admin/alerts',
    '/admin/access-tokens',
    '/admin/assistants',
    '/admin/audit-log',
  ],
  Data: ['/data', '/data/queries', '/data/dictionary', '/data/connect', '/data/publications', '/data/after-publishing'],
  Excel: [
    '/excel/map',
    '/excel/areas',
    '/excel/subareas/link',
    '/excel/subareas',
    '/excel/subarea-areas',
    '/excel/versions',
    '/excel/helper-tables',
    '/excel/loads',
    '/excel/table-synchronisation',
    '/excel/security/security-groups',
    '/excel/security/entities',
    '/excel/security/user-security-groups',
    '/excel/security/user-helper-tables',
    '/excel/helper-table-users',
    '/excel/user-entities',
    '/excel/entity-users',
  ],
  'Connectors of a type': [
    '/connectors/xero/refresh',
    '/connectors/xero/manage',
    '/connectors/xero/v2/tokens',
    '/connectors/xero/v2/synchronise',
    '/connectors/xero/v2/assign-users',
  ],
}

export const otherPages = [
  '/home',
  '/trust',
  '/profile',
  '/profile/access-tokens',
  '/admin/security/auditor-rooms',
  '/auditor-room',
  '/oauth/authorize',
  '/connectors/xero/certificate',
]
