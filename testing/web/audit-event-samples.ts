/** One event of each action of the audit log, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AuditLogEvent } from '@tributary/contract/audit-log'

const amara = '00000000-0000-4000-8000-000000000301'
const other = '00000000-0000-4000-8000-000000000302'

type Sample = Partial<Omit<AuditLogEvent, 'Action'>> & { readonly says: string }

export function event(Action: string, changes: Partial<AuditLogEvent> = {}): AuditLogEvent {
  return {
    Id: 1,
    AtUtc: '2026-11-20T08:00:00Z',
    Action,
    Outcome: 'success',
    ActorId: amara,
    Actor: 'Amara Okafor',
    ActorRole: 'admin',
    ObjectType: null,
    ObjectId: null,
    ObjectName: null,
    Address: null,
    Reference: null,
    Detail: {},
    ...changes,
  }
}

export const about = (ObjectType: string, ObjectName: string | null, ObjectId = other) => ({
  ObjectType,
  ObjectId,
  ObjectName,
})
const nobody = { ActorId: null, Actor: null, ActorRole: null }
const operator = { ...nobody, ActorRole: 'operator' }
const self = about('user', 'Amara Okafor', amara)
const ulla = about('user', 'Ulla Berg')
const shop = about('connector', 'Web shop')

/** One event of each action, as the server records it. */
export const eventSamples: Readonly<Record<AuditAction, Sample>> = {
  'approval.approved': { ...about('approval', 'Ana Ruiz'), says: 'Amara Okafor approved the request of Ana Ruiz' },
  'approval.rejected': { ...about('approval', null), says: 'Amara Okafor rejected a request' },
  'approval.requested': { ...nobody, ...about('approval', 'Ana Ruiz'), says: 'Ana Ruiz asked for access' },
  'assignment.changed': {
    ...ulla,
    Detail: { links: 'groups of user', added: ['Finance'], addedCount: 1, removed: ['Sales'], removedCount: 1 },
    says: 'Amara Okafor changed the security groups of Ulla Berg: added Finance; removed Sales',
  },
  'authn.code_link_used': {
    Detail: { description: 'Chrome on Linux' },
    says: 'Amara Okafor used a sign-in link from an email in Chrome on Linux',
  },
  'authn.device_removed': { ...about('device', null), says: 'Amara Okafor removed one of their browsers' },
  'authn.device_reuse_detected': {
    says: 'Amara Okafor signed in with an outdated copy of a device cookie, so all their browsers were forgotten',
  },
  'authn.device_trusted': {
    Detail: { description: 'Firefox on Windows' },
    says: 'Amara Okafor trusted Firefox on Windows',
  },
  'authn.factor_added': { ...self, says: 'Amara Okafor added a second factor' },
  'authn.factor_removed': { ...self, says: 'Amara Okafor removed a second factor' },
  'authn.login_fail': {
    ...nobody,
    Detail: { reason: 'unknown account' },
    says: 'Someone failed to sign in: unknown account',
  },
  'authn.login_lock': { ...self, says: 'Amara Okafor was blocked from signing in after too many wrong passwords' },
  'authn.login_success': {
    Detail: { by: 'passkey', description: 'Safari on macOS' },
    says: 'Amara Okafor signed in with a passkey in Safari on macOS',
  },
  'authn.login_unlock': { ...operator, ...ulla, says: 'The operator unblocked the sign-in of Ulla Berg' },
  'authn.mfa_challenge': { says: 'Amara Okafor was asked for a second factor' },
  'authn.mfa_disabled': { ...ulla, says: 'Amara Okafor switched off the second factor of Ulla Berg' },
  'authn.mfa_enabled': { ...self, says: 'Amara Okafor switched on their second factor' },
  'authn.mfa_fail': { says: 'Amara Okafor gave a wrong second factor' },
  'authn.mfa_success': { says: 'Amara Okafor confirmed the sign-in with a second factor' },
  'authn.new_device': {
    Detail: { description: 'Chrome on Android' },
    says: 'Amara Okafor signed in for the first time in Chrome on Android',
  },
  'authn.oidc_fail': {
    ...nobody,
    Detail: { provider: 'microsoft', reason: 'unknown or locked' },
    says: 'Someone could not sign in at microsoft: unknown or locked',
  },
  'authn.oidc_linked': { ...self, Detail: { provider: 'xero' }, says: 'Amara Okafor linked an account at xero' },
  'authn.oidc_success': { Detail: { provider: 'xero' }, says: 'Amara Okafor signed in at xero' },
  'authn.oidc_unlinked': { ...ulla, says: 'Amara Okafor unlinked the Microsoft account of Ulla Berg' },
  'authn.password_changed': { ...self, says: 'Amara Okafor changed their password' },
  'authn.password_reset_done': { ...self, says: 'Amara Okafor set a new password with a link from an email' },
  'authn.password_reset_requested': {
    ...nobody,
    ...ulla,
    says: 'Someone asked for a link to reset the password of Ulla Berg',
  },
  'authn.proof_fail': { says: 'Amara Okafor entered a wrong password to confirm who they are' },
  'authn.proof_given': { says: 'Amara Okafor confirmed who they are' },
  'authn.recovery_codes_made': { ...self, says: 'Amara Okafor created recovery codes' },
  'authn.token_reuse': { says: 'Amara Okafor used an outdated copy of a session, so the session was ended' },
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
    Detail: { before: [], after: [other] },
    says: 'Amara Okafor shared Web shop with 1 organisation',
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
  'session.logout': { says: 'Amara Okafor signed out' },
  'session.revoked_by_admin': { ...ulla, says: 'Amara Okafor signed Ulla Berg out everywhere' },
  'session.revoked_by_user': { ...about('session', null), says: 'Amara Okafor ended one of their sessions' },
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
  'warehouse.password_set': { ...about('warehouse', null), says: 'Amara Okafor created a new password for reports' },
  'warehouse.reader_set_back': {
    ...nobody,
    Detail: { changed: 'settings and password' },
    says: 'Tributary reset the settings and password of the login for reports',
  },
}
