import { randomUUID } from 'node:crypto'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { roleIdOf } from './fixed-ids.ts'
import { loadBodies } from '../excel/load-fixtures.ts'
import { structureBodies } from '../excel/structure-fixtures.ts'

const settings = {
  host: 'db.example',
  port: 5432,
  database: 'shop',
  user: 'reader',
  password: 'canary-source-password',
}
const properties = [{ name: 'source.connectionString', value: settings }]
const newcomer = { firstName: 'Nora', lastName: 'Newcomer', emailAddress: 'newcomer@example.com' }
const roleId = roleIdOf('user')
const verification = { reference: 'nonsense', code: '000000' }
const ownPassword = { password: trialPassword }
const recaptchaToken = 'nonsense'
const creds = { host: '', database: '', schema: '', user: '', password: '' }

const alertChoice = { kinds: ['failed'], connectors: null, frequency: 'daily', hour: 8 }
const alertChannel = {
  ...alertChoice,
  service: 'slack',
  name: 'Data team',
  address: 'https://hooks.slack.com/services/T0/B0/x',
}

const publicationAction = {
  name: 'Our program',
  isOn: true,
  setId: null,
  webhook: { address: 'https://hooks.example.com/tributary' },
}

const savedQuery = { name: 'Sales', database: 'warehouse', statement: 'SELECT 1', chart: null, isShared: false }

/** A valid body for each route that takes one, by route name. */
const dataServer = {
  name: 'West',
  region: 'Dublin',
  readerHost: null,
  readerPort: null,
  acceptsNew: true,
  databasesMax: null,
  sizeMaxBytes: null,
}
/** Nothing listens there. */
const dataServerAddress = {
  host: '127.0.0.1',
  port: 1,
  database: 'postgres',
  user: 'warehouses',
  tls: 'off',
  caCertificate: null,
  password: 'a-good-one-77',
}

export const bodies: Readonly<Record<string, unknown>> = {
  'POST /auth/signin': { emailAddress: 'user@demo.example', password: trialPassword },
  'POST /auth/signin-b2s': { emailAddress: 'user@demo.example', password: trialPassword },
  'POST /verify': { ...verification, context: 'mfa' },
  'POST /verify/resend': { reference: 'nonsense' },
  'POST /auth/passkey': {},
  'POST /auth/link': { emailAddress: 'user@demo.example', recaptchaToken },
  'POST /auth/refresh': {},
  'POST /auth/first-superadmin': {
    code: 'nonsense',
    emailAddress: 'first@example.com',
    password: 'a-good-one-77',
    firstName: 'Ada',
    lastName: 'First',
  },
  'POST /admin/workbench/descriptions': { name: 'A new one', text: 'engine: rest' },
  'PUT /admin/workbench/descriptions/:descriptionId': { name: 'Renamed', text: 'engine: rest', revision: 1 },
  'POST /admin/workbench/draft': { kind: 'sample', text: '[{ "id": 1 }]', address: 'https://api.example.com/orders' },
  'POST /admin/workbench/check': { text: 'engine: rest' },
  'POST /admin/workbench/try': { text: 'engine: rest', values: {}, pages: 1 },
  'POST /admin/workbench/prove': { text: 'engine: rest', stream: 'order', kind: 'simulated' },
  'POST /admin/data-servers': { ...dataServer, address: dataServerAddress },
  'PUT /admin/data-servers/:serverId': dataServer,
  'PUT /tributary/clients/:clientId/data-server': { regionWish: 'Dublin' },
  'POST /tributary/clients/:clientId/data-server/move': { serverId: randomUUID(), keepsReadable: false },
  'POST /admin/globalconfiguration': { key: 'ScheduledRuns', value: 'true' },
  'PUT /profile/preferences': { locale: 'en-GB', tables: { users: ['name'] } },
  'POST /me/security/mfa': { enable: true },
  'POST /me/proof': ownPassword,
  'POST /me/security/totp': ownPassword,
  'POST /me/security/totp/confirm': { code: '000000' },
  'DELETE /me/security/totp': ownPassword,
  'POST /me/security/passkeys/options': ownPassword,
  'POST /me/security/passkeys': { reference: 'nonsense', name: 'A key', passkey: {} },
  'DELETE /me/security/passkeys/:passkeyId': ownPassword,
  'POST /me/security/recovery-codes': ownPassword,
  'POST /me/password': { currentPassword: trialPassword, password: 'a-good-one-77' },
  'POST /me/external/:provider': ownPassword,
  'DELETE /me/external/:provider': ownPassword,
  'POST /me/proof/question': { secondFactor: false },
  'POST /oauth/authorisation': { organisationId: randomUUID(), request: 'client_id=nonsense' },
  'POST /me/access-tokens': { organisationId: randomUUID(), name: 'Spreadsheet', scopes: ['data.read'], days: 90 },
  'PUT /tributary/clients/:clientId/logins/shared': { on: true },
  'PUT /tributary/clients/:clientId/access-tokens/policy': { allowed: true },
  'PUT /tributary/clients/:clientId/assistants': { allowed: true },
  'PUT /tributary/clients/:clientId/assistants/sources/:sourceType': { allowed: false, acceptedTerms: null },
  'POST /tributary/clients/:clientId/access-tokens/:accessTokenId/renew': { days: 90 },
  'POST /tributary/clients/:clientId/service-accounts': { name: 'Monthly import', role: 'user' },
  'POST /tributary/clients/:clientId/service-accounts/:serviceAccountId/access-tokens': {
    name: 'Import',
    scopes: ['plans.load'],
    days: 90,
  },
  'POST /tributary/clients/:clientId/auditor-rooms': {
    ...newcomer,
    endsAt: '2026-12-24T23:00:00.000Z',
    connectorIds: [randomUUID()],
    periodFrom: '2026-01-01',
    periodTo: null,
  },
  'PUT /tributary/clients/:clientId/auditor-rooms/:roomId': {
    endsAt: '2026-12-24T23:00:00.000Z',
    connectorIds: [randomUUID()],
    periodFrom: null,
    periodTo: null,
  },
  'POST /tributary/clients/:clientId/connectors/:connectorId/tie-out/certificate': {
    runId: randomUUID(),
    period: '2026-10-01',
  },
  'POST /registration/account': {
    account: { ...newcomer, password: 'a-good-one-77' },
    organisation: { companyName: 'Newcomers' },
    recaptchaToken,
  },
  'POST /registration/finalise': { code: 'nonsense' },
  'POST /registration/external': { atid: 'nonsense' },
  'POST /reset-password/request': { emailAddress: 'user@demo.example', recaptchaToken },
  'POST /reset-password': { password: 'a-good-one-77', token: 'nonsense' },
  'POST /approvals/hosts/:connectorId': { decision: 'APPROVED', hosts: ['api.example.com'] },
  'POST /approvals': { approvalId: randomUUID(), approvalStatus: 'REJECTED' },
  'POST /users': { ...newcomer, password: 'a-good-one-77', roleId },
  'POST /users/:userId': { firstName: 'Another' },
  'POST /invitations': { ...newcomer, roleId },
  'POST /organisations': { companyName: 'A new one' },
  'POST /organisations/:clientId': { timeZone: 'Europe/Berlin' },
  'POST /organisations/:clientId/archive': { archived: false },
  'PUT /organisations/:clientId/run-share': { runsMax: 3, weight: 2 },
  'POST /tributary/clients/:clientId/connectors': { type: 'postgres', name: 'A new one', properties },
  'POST /tributary/clients/:clientId/connectors/check-description': { description: 'base: x' },
  'POST /tributary/clients/:clientId/connectors/check': { type: 'postgres', properties },
  'POST /tributary/clients/:clientId/connectors/discover': { type: 'postgres', properties },
  'POST /tributary/clients/:clientId/connectors/:connectorId/licences': { licences: ['Base'] },
  'PUT /tributary/clients/:clientId/checklists': { name: 'connect', isDismissed: true },
  'PUT /tributary/clients/:clientId/connectors/:connectorId/alerts': { users: null, webhook: null },
  'POST /tributary/clients/:clientId/reports/workbook': {
    source: 'feed',
    tables: [{ schema: 'shop', name: 'invoices' }],
  },
  'POST /tributary/clients/:clientId/publication-actions': publicationAction,
  'PUT /tributary/clients/:clientId/publication-actions/:actionId': publicationAction,
  'POST /tributary/clients/:clientId/alert-channels': alertChannel,
  'PUT /tributary/clients/:clientId/alert-channels/:channelId': alertChannel,
  'PUT /tributary/clients/:clientId/alert-channels/mail': { choice: alertChoice },
  'POST /tributary/clients/:clientId/profile/alert-channels': alertChannel,
  'PUT /tributary/clients/:clientId/profile/alert-channels/:channelId': alertChannel,
  'PUT /tributary/clients/:clientId/profile/alert-channels/mail': { choice: alertChoice },
  'PUT /tributary/clients/:clientId/queries/targets/:connectorId/login': {
    user: 'tributary_reader',
    password: 'canary-reading-password',
  },
  'POST /tributary/clients/:clientId/queries/run': { database: 'warehouse', statement: 'SELECT 1' },
  'POST /tributary/clients/:clientId/queries/saved': savedQuery,
  'PUT /tributary/clients/:clientId/queries/saved/:queryId': savedQuery,
  'PATCH /tributary/clients/:clientId/connectors/:connectorId': { name: 'Another name' },
  'PATCH /tributary/clients/:clientId/connectors/:connectorId/properties': properties,
  'POST /tributary/clients/:clientId/connectors/:connectorId/properties': properties,
  'PATCH /tributary/clients/:clientId/connectors/:connectorId/properties/:name': { value: 'sales' },
  'POST /tributary/clients/:clientId/connectors/:connectorId/process': { fullTransactionSync: false },
  'POST /tributary/clients/:clientId/connectors/:connectorId/verification': { repair: false },
  'PUT /tributary/clients/:clientId/ready-by': { wish: { time: '07:30', days: [1, 2, 3, 4, 5], maxAgeHours: 4 } },
  'PUT /tributary/clients/:clientId/connectors/:connectorId/ready-by': { follows: 'organisation' },
  'PUT /tributary/clients/:clientId/connectors/:connectorId/verification/settings': {
    schedule: null,
    secondsAfterRuns: 20,
  },
  'PUT /tributary/clients/:clientId/publication-sets/:setId': {
    connectors: [randomUUID()],
    tieOut: 'green',
    verifiedWithinDays: 7,
    incidentAfterHours: 24,
  },
  'PUT /tributary/clients/:clientId/connectors/:connectorId/table-history': { tables: 'all' },
  'PUT /tributary/clients/:clientId/connectors/:connectorId/table-rules': {
    stream: 'public.customer',
    conditions: [{ column: 'city', operator: 'is', values: ['Leeds'] }],
    masks: [],
  },
  'POST /tributary/clients/:clientId/connectors/:connectorId/history-erasures': {
    stream: 'public.customer',
    column: 'id',
    value: '7',
    columns: { customer: ['name'] },
  },
  'POST /tributary/clients/:clientId/connectors/:connectorId/history-erasures/preview': {
    stream: 'public.customer',
    column: 'id',
    value: '7',
  },
  'PUT /tributary/clients/:clientId/connectors/:connectorId/dictionary': { column: null, words: 'What we sell' },
  'POST /tributary/clients/:clientId/connectors/:connectorId/report-marks': {
    name: 'June 2026',
    periodEnd: '2026-06-30',
  },
  'POST /tributary/clients/:clientId/connectors/:connectorId/report-marks/:markId/supersede': {
    reason: 'A late invoice',
  },
  'PUT /tributary/clients/:clientId/connectors/:connectorId/closed-periods': {
    isOn: false,
    administratorDate: null,
    table: null,
  },
  'POST /tributary/clients/:clientId/connectors/:connectorId/closed-periods/acknowledgements': {
    changes: [randomUUID()],
    reason: 'Agreed',
  },
  'POST /tributary/clients/:clientId/connectors/:connectorId/schema-changes': {
    changes: [randomUUID()],
    decision: 'ACCEPTED',
  },
  'POST /clients/:clientKey/:connectorKey/process': { fullTransactionSync: false },
  'POST /tributary/clients/connectors/:connectorId/assign-users': { users: [] },
  'POST /tributary/clients/connectors/:connectorId/assign-organisations': { organisations: [] },
  'PATCH /token/:tokenId': { tenantId: randomUUID(), tenantName: 'A company', creds },
  'POST /users/:userId/link-xero2sqlproduct': { xero2SqlProductId: randomUUID() },
  'DELETE /users/:userId/xero2sqlproduct': { xero2SqlProductId: randomUUID() },
  'PUT /users/:userId/xero2sqlproducts': { ids: [] },
  'POST /xero2sqlproducts/:connectorId/database-credentials': { creds },
  'POST /xero2sqlproducts/:connectorId/database-credentials/check': { creds },
  'POST /tributary/clients/:clientId/authorisations/:authorisationId': { tenantIds: [randomUUID()] },
  'POST /tributary/clients/:clientId/oauth-apps': {
    type: 'xero',
    kind: 'app',
    clientId: 'an-app',
    clientSecret: 'canary-app-secret',
  },
  ...structureBodies,
  ...loadBodies,
}
