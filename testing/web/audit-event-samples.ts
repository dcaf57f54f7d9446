/** One event of each action of the audit log, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { alertEventSamples } from './alert-event-samples.ts'
import { about, nobody, operator, self, shop, ulla, type EventSample } from './audit-events.ts'
import { dataServerEventSamples } from './data-server-event-samples.ts'
import { signInEventSamples } from './sign-in-event-samples.ts'
import { tokenEventSamples } from './token-event-samples.ts'
import { trustEventSamples } from './trust-event-samples.ts'

export const eventSamples: Readonly<Record<AuditAction, EventSample>> = {
  ...alertEventSamples,
  ...dataServerEventSamples,
  ...signInEventSamples,
  ...tokenEventSamples,
  ...trustEventSamples,
  'approval.approved': { ...about('approval', 'Ana Ruiz'), says: 'Amara Okafor approved the request of Ana Ruiz' },
  'approval.rejected': { ...about('approval', null), says: 'Amara Okafor rejected a request' },
  'approval.requested': { ...nobody, ...about('approval', 'Ana Ruiz'), says: 'Ana Ruiz asked for access' },
  'assignment.changed': {
    ...ulla,
    Detail: { links: 'groups of user', added: ['Finance'], addedCount: 1, removed: ['Sales'], removedCount: 1 },
    says: 'Amara Okafor changed the security groups of Ulla Berg: added Finance; removed Sales',
  },
  'assistant.allowed': {
    ...about('assistant', 'Claude'),
    Detail: { after: { name: 'Claude' }, redirectHost: 'claude.ai', scopes: ['data.read', 'status.read'] },
    says: 'Amara Okafor allowed the assistant Claude at claude.ai the scopes data.read, status.read',
  },
  'assistant.connected': {
    ...about('assistant', 'Claude'),
    Detail: { after: { name: 'Claude' }, scopes: ['data.read'], tokenId: '1', expiresAt: '2027-02-25T08:00:00.000Z' },
    says: 'Amara Okafor connected the assistant Claude with the scopes data.read',
  },
  'assistant.disconnected': {
    ...about('assistant', 'Claude'),
    says: 'The connection of Amara Okafor with the assistant Claude was ended by its program',
  },
  'assistant.token_reuse': {
    ...about('assistant', 'Claude'),
    Detail: { after: { name: 'Claude' }, secret: 'refresh_token', tokenId: '1' },
    says: 'A used refresh token of the assistant Claude was sent again, so its connection with Amara Okafor ended',
  },
  'assistants.source_switched': {
    Detail: { source: 'xero', after: true, terms: 'Xero Developer Platform Terms and Conditions' },
    says: 'Amara Okafor opened xero to assistants and confirmed the Xero Developer Platform Terms and Conditions',
  },
  'assistants.switched': { Detail: { after: true }, says: 'Amara Okafor switched assistants on' },
  'assistants.tool_called': { Detail: { tool: 'query' }, says: 'An assistant of Amara Okafor called the tool query' },
  'authz.denied': { Detail: { route: 'POST /users' }, says: 'Amara Okafor was not allowed to call POST /users' },
  'authz.membership_added': {
    ...ulla,
    Detail: { role: 'user' },
    says: 'Amara Okafor added Ulla Berg to the organisation as user',
  },
  'authz.membership_removed': { ...ulla, says: 'Amara Okafor removed Ulla Berg from the organisation' },
  'authz.role_changed': {
    ...ulla,
    Detail: { before: 'user', after: 'admin' },
    says: 'Amara Okafor changed the role of Ulla Berg from user to admin',
  },
  'authz.tenant_mismatch': {
    Detail: { route: 'GET /users' },
    says: 'Amara Okafor tried to reach another organisation with GET /users',
  },
  config_changed: {
    ...about('setting', null, 'MaintenanceMode'),
    Detail: { before: 'false', after: 'true' },
    says: 'Amara Okafor switched Maintenance Mode on',
  },
  'connector.alerts_set': { ...shop, says: 'Amara Okafor changed who is alerted about Web shop' },
  'connector.authorise_failed': {
    Detail: { type: 'xero', reason: 'refused by the person' },
    says: 'Amara Okafor could not connect xero: refused by the person',
  },
  'connector.created': { ...nobody, ...shop, says: 'Tributary added Web shop' },
  'connector.credentials_set': { ...shop, says: 'Amara Okafor changed the connection settings of Web shop' },
  'connector.credentials_tested': {
    ...about('connector', null, 'postgres'),
    says: 'Amara Okafor tested the connection of a connector',
  },
  'connector.deleted': { ...shop, says: 'Amara Okafor deleted Web shop' },
  'connector.disconnected': { ...shop, says: 'Amara Okafor disconnected Web shop' },
  'connector.licences_set': {
    ...shop,
    Detail: { before: ['sales'], after: ['stock', 'bank'] },
    says: 'Amara Okafor changed the licences of Web shop: added stock and bank; removed sales',
  },
  'connector.organisations_assigned': {
    ...shop,
    Detail: { before: [], after: ['another organisation'] },
    says: 'Amara Okafor shared Web shop with 1 organisation',
  },
  'connector.queried': { ...shop, says: 'Amara Okafor ran a query on the target of Web shop' },
  'connector.reading_login_removed': {
    ...shop,
    says: 'Amara Okafor removed the login for reading the target of Web shop',
  },
  'connector.reading_login_set': {
    ...shop,
    says: 'Amara Okafor stored a login for reading the target of Web shop',
  },
  'connector.company_removed': {
    ...shop,
    Detail: { company: 'Harbour Trading', rows: 'stay' },
    says: 'Amara Okafor took the company Harbour Trading off Web shop; its rows stay',
  },
  'connector.reconnected': { ...shop, says: 'Amara Okafor reconnected Web shop' },
  'connector.schedule_changed': {
    ...shop,
    Detail: { before: '0 */4 * * *', after: '0 6 * * *' },
    says: 'Amara Okafor changed the schedule of Web shop from every 4 hours to daily at 06:00',
  },
  'connector.schema_decided': {
    ...shop,
    Detail: { decision: 'ACCEPTED', changes: 2 },
    says: 'Amara Okafor accepted 2 schema changes of Web shop',
  },
  'dictionary.described': {
    ...shop,
    Detail: { table: 'invoice', column: 'total' },
    says: 'Amara Okafor changed the description of the column total of the table invoice of Web shop',
  },
  'connector.schema_policy_changed': {
    ...shop,
    Detail: { before: 'take', after: 'ask' },
    says: 'Amara Okafor changed the rule for schema changes of Web shop from applying them to asking first',
  },
  'connector.updated': {
    ...shop,
    Detail: { before: { name: 'Shop', status: 'CONNECTED' }, after: { name: 'Web shop', status: 'CONNECTED' } },
    says: 'Amara Okafor renamed Shop to Web shop',
  },
  'connector.users_assigned': {
    ...shop,
    Detail: { count: 1 },
    says: 'Amara Okafor chose 1 user who may see Web shop',
  },
  'crypto.key_retired': { ...operator, Detail: { root: 'master' }, says: 'The operator deleted an old master key' },
  'crypto.key_rotated': { ...operator, Detail: { root: 'data' }, says: 'The operator created a new data key' },
  'data.export_downloaded': { Detail: { search: 'x' }, says: 'Amara Okafor downloaded the audit log' },
  'database.credentials_changed': {
    Detail: { after: { kind: 'postgres', host: 'db.example' } },
    says: 'Amara Okafor changed the database of the organisation to db.example',
  },
  'database.credentials_tested': { ...shop, says: 'Amara Okafor tested the database of Web shop' },
  'load.committed': {
    ...about('load', 'Budget 2027'),
    Detail: { table: 'B2SBudget2027', rows: 1200, slices: 2 },
    says: 'Amara Okafor loaded 1,200 rows into Budget 2027',
  },
  'load.undone': {
    ...about('load', null),
    Detail: { table: 'B2SBudget2027', rows: 1 },
    says: 'Amara Okafor undid a load into B2SBudget2027',
  },
  'mail.given_up': {
    ...nobody,
    Detail: { template: 'invitation', attempts: 5, reason: 'refused' },
    says: 'An email (invitation) could not be sent after 5 attempts: refused',
  },
  'oauth_app.added': {
    ...about('oauth_app', null),
    Detail: { type: 'xero', kind: 'app' },
    says: 'Amara Okafor added a sign-in app for xero',
  },
  'oauth_app.removed': { ...about('oauth_app', null), says: 'Amara Okafor removed a sign-in app' },
  'oauth_app.secret_changed': {
    ...about('oauth_app', null),
    Detail: { type: 'xero' },
    says: 'Amara Okafor changed the secret of a sign-in app for xero',
  },
  'organisation.archived': { says: 'Amara Okafor archived the organisation' },
  'organisation.created': { says: 'Amara Okafor created the organisation' },
  'organisation.restored': { says: 'Amara Okafor restored the organisation' },
  'organisation.run_share_changed': {
    Detail: { runsMax: 4, weight: 2 },
    says: 'Amara Okafor set the organisation’s share of runs to 4 at once with weight 2',
  },
  'organisation.updated': {
    Detail: { fields: ['companyName', 'timeZone'] },
    says: 'Amara Okafor changed the organisation’s name and time zone',
  },
  'permission_group.changed': {
    ...about('permissionGroup', 'Finance'),
    Detail: { before: { status: 'active' }, after: { status: 'locked' } },
    says: 'Amara Okafor locked the security group Finance',
  },
  'permission_group.created': {
    ...about('permissionGroup', 'Finance'),
    Detail: { after: { name: 'Finance' }, added: ['Kitchen / Bar'], addedCount: 1, removed: [], removedCount: 0 },
    says: 'Amara Okafor created the security group Finance: added Kitchen / Bar',
  },
  'permission_group.deleted': {
    ...about('permissionGroup', 'Finance'),
    says: 'Amara Okafor deleted the security group Finance',
  },
  'product.assigned': {
    ...shop,
    Detail: { tenantName: 'Harbour Ltd' },
    says: 'Amara Okafor assigned Harbour Ltd to Web shop',
  },
  'service_account.created': {
    ...about('user', 'Nightly export (service account)'),
    Detail: { role: 'user' },
    says: 'Amara Okafor added Nightly export (service account) with the role user',
  },
  'query.deleted': { ...about('saved_query', 'Sales'), says: 'Amara Okafor deleted the query Sales' },
  'query.shared': {
    ...about('saved_query', 'Sales'),
    says: 'Amara Okafor shared the query Sales with the organisation',
  },
  'query.unshared': { ...about('saved_query', null), says: 'Amara Okafor stopped sharing a query' },
  'query.updated': { ...about('saved_query', 'Sales'), says: 'Amara Okafor changed the query Sales' },
  'store.backed_up': { ...operator, ...about('backup', null), says: 'The operator made a backup' },
  'store.restored': {
    ...nobody,
    says: 'Tributary restored a backup',
  },
  'structure.created': { ...about('area', 'Kitchen'), says: 'Amara Okafor added the area Kitchen' },
  'structure.deleted': { ...about('helperTable', 'Rates'), says: 'Amara Okafor deleted the helper table Rates' },
  'structure.links_changed': {
    ...about('area', 'Kitchen'),
    Detail: {
      before: { allCurrentAndFuture: false },
      after: { allCurrentAndFuture: true },
      added: ['Bar', 'Pub', 'Club', 'Inn', 'Tavern', 'Cellar'],
      addedCount: 6,
      removed: [],
      removedCount: 0,
    },
    says: 'Amara Okafor changed the links of the area Kitchen to all current and future ones: added Bar, Pub, Club, Inn and 2 more',
  },
  'structure.updated': {
    ...about('version', 'Plan 2027'),
    Detail: { before: { name: 'Plan', status: 'active' }, after: { name: 'Plan 2027', status: 'locked' } },
    says: 'Amara Okafor renamed the version Plan to Plan 2027 and locked it',
  },
  'sync.cancelled': { ...shop, says: 'Amara Okafor cancelled a run of Web shop' },
  'sync.completed': { ...nobody, ...shop, says: 'A run of Web shop completed' },
  'sync.failed': {
    ...nobody,
    ...shop,
    Detail: { code: 'target.down' },
    says: 'A run of Web shop failed (target.down)',
  },
  'sync.triggered': {
    ...shop,
    Detail: { mode: 'full', streams: 2 },
    says: 'Amara Okafor started a full run of Web shop, only 2 tables',
  },
  'tables.synchronised': {
    Detail: { tables: 12, place: 'db.example' },
    says: 'Amara Okafor synchronised 12 tables of the organisation in db.example',
  },
  'user.activated': { ...ulla, says: 'Amara Okafor activated Ulla Berg' },
  'user.archived': { ...ulla, says: 'Amara Okafor archived Ulla Berg' },
  'user.created': { ...ulla, says: 'Amara Okafor created the account of Ulla Berg' },
  'user.deleted': {
    ...about('user', 'Deleted user #1'),
    says: 'Amara Okafor deleted the account of Deleted user #1',
  },
  'user.invitation_withdrawn': {
    ...about('invitation', null),
    says: 'Amara Okafor withdrew the invitation of a person',
  },
  'user.invited': {
    ...about('invitation', 'Ben Cole'),
    Detail: { role: 'user' },
    says: 'Amara Okafor invited Ben Cole as user',
  },
  'user.locked': { ...ulla, says: 'Amara Okafor locked Ulla Berg' },
  'user.preferences_changed': { ...self, says: 'Amara Okafor changed their language or time zone' },
  'user.updated': {
    ...ulla,
    Detail: { fields: ['firstName', 'emailAddress'] },
    says: 'Amara Okafor changed the first name and email address of Ulla Berg',
  },
  'warehouse.login_created': {
    ...self,
    says: 'Amara Okafor created a password for their own login in the warehouse',
  },
  'warehouse.login_revoked': { ...ulla, says: 'Amara Okafor revoked the login of Ulla Berg in the warehouse' },
  'warehouse.login_set_back': {
    ...nobody,
    ...ulla,
    Detail: { changed: 'password' },
    says: 'Tributary reset the password of the login of Ulla Berg in the warehouse',
  },
  'warehouse.reader_switched': {
    ...about('warehouse', null),
    Detail: { after: false },
    says: 'Amara Okafor switched the shared login for reports off',
  },
  'warehouse.password_set': { ...about('warehouse', null), says: 'Amara Okafor created a new password for reports' },
  'warehouse.reader_set_back': {
    ...nobody,
    Detail: { changed: 'settings and password' },
    says: 'Tributary reset the settings and password of the login for reports',
  },
}
