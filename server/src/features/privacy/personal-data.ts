/**
 * Where the store has personal data. Every table that references users or contains an email address is listed here; a
 * test checks it.
 */
import { type RawBuilder, sql } from 'kysely'

export interface DataSubject {
  readonly id: string
  readonly emailAddress: string
}

export interface PersonalDataTable {
  readonly table: string
  /** Its name in the export, if a table is listed for several reasons. */
  readonly name?: string
  /** Default: by the user's id. */
  readonly matches?: (subject: DataSubject) => RawBuilder<unknown>
  /** Columns left out: keys, hashes, secrets and data of other people. */
  readonly excludedColumns?: readonly string[]
  /** The only columns exported, for rows that mention the person but are not about them. */
  readonly onlyColumns?: readonly string[]
}

export const byUser = ({ id }: DataSubject) => sql`held.userId = ${id}`
const byAddress = ({ emailAddress }: DataSubject) => sql`lower(held.emailAddress) = ${emailAddress.toLowerCase()}`
const byColumn =
  (column: string) =>
  ({ id }: DataSubject) =>
    sql`held.${sql.ref(column)} = ${id}`
/** Registrations with the person's address, linked account or external identity. */
const matchesRegistration = ({
  id,
  emailAddress,
}: DataSubject) => sql`(lower(request.emailAddress) = ${emailAddress.toLowerCase()} OR request.linkedUserId = ${id}
  OR (request.issuer, request.subject) IN (SELECT identity.issuer, identity.subject FROM externalIdentity AS identity WHERE identity.userId = ${id}))`
const byRegistration = (subject: DataSubject) =>
  sql`held.registrationId IN (SELECT id FROM registration AS request WHERE ${matchesRegistration(subject)})`
/** Approval requests of the person's registrations, from before they had an account. */
const selectApprovalIds = (subject: DataSubject) => sql`(SELECT pending.id::text FROM approval AS pending
  WHERE pending.registrationId IN (SELECT id FROM registration AS request WHERE ${matchesRegistration(subject)}))`
const byActorOrObject = (subject: DataSubject) => sql`(held.actorId = ${subject.id} OR held.objectId = ${subject.id}
  OR (held.actorId IS NULL AND held.objectId IN ${selectApprovalIds(subject)})
  OR held.detail -> 'addedIds' ? ${subject.id} OR held.detail -> 'removedIds' ? ${subject.id})`

const personTables: readonly PersonalDataTable[] = [
  {
    table: 'portal_user',
    matches: ({ id }) => sql`held.id = ${id}`,
    excludedColumns: ['password_hash'],
  },
  { table: 'session', excludedColumns: ['refresh_hash', 'former_hash', 'signing_key_id'] },
  { table: 'device', excludedColumns: ['token_hash', 'signing_key_id'] },
  {
    table: 'verification',
    matches: ({ id, emailAddress }) =>
      sql`(held.userId = ${id} OR lower(held.payload ->> 'sendTo') = ${emailAddress.toLowerCase()})`,
    excludedColumns: ['reference_hash', 'code_hash', 'passkey_challenge'],
  },
  { table: 'totp', excludedColumns: ['secret', 'pending_secret'] },
  { table: 'passkey', excludedColumns: ['public_key'] },
  { table: 'recovery_code', excludedColumns: ['code_hash'] },
  {
    table: 'link_code',
    matches: (subject) => sql`(held.subjectId = ${subject.id} OR held.payload ->> 'userId' = ${subject.id}
      OR held.subjectId IN (SELECT id FROM registration AS request WHERE ${matchesRegistration(subject)})
      OR held.subjectId IN (SELECT id FROM invitation WHERE lower(emailAddress) = ${subject.emailAddress.toLowerCase()}))`,
    excludedColumns: ['code_hash'],
  },
  {
    table: 'registration',
    matches: (subject) =>
      sql`held.id IN (SELECT id FROM registration AS request WHERE ${matchesRegistration(subject)})`,
    excludedColumns: ['password_hash', 'browser_hash'],
  },
  { table: 'external_identity' },
  { table: 'external_login', excludedColumns: ['state_hash', 'browser_hash', 'nonce', 'pkce_verifier'] },
  {
    table: 'pending_identity',
    matches: (subject) => sql`(${byAddress(subject)}
      OR (held.issuer, held.subject) IN (SELECT identity.issuer, identity.subject FROM externalIdentity AS identity WHERE identity.userId = ${subject.id}))`,
    excludedColumns: ['atid_hash'],
  },
  {
    table: 'mail',
    matches: ({ emailAddress }) => sql`lower(held.recipient) = ${emailAddress.toLowerCase()}`,
    excludedColumns: ['body'],
  },
  {
    table: 'oauth_grant',
    matches: (subject) =>
      sql`(${byAddress(subject)} OR held.givenBy = ${subject.id} OR held.id IN (SELECT grantId FROM authorisation WHERE userId = ${subject.id}))`,
    excludedColumns: ['refresh_token', 'access_token'],
  },
  {
    table: 'workbench_description',
    matches: byColumn('changed_by'),
    onlyColumns: ['id', 'name', 'changed_by', 'changed_at'],
  },
  { table: 'setting', matches: byColumn('changed_by'), onlyColumns: ['key', 'changed_by', 'changed_at'] },
]

/** Row level security restricts their rows to the caller's organisation. */
export const organisationTables: readonly PersonalDataTable[] = [
  { table: 'membership' },
  { table: 'approval', matches: byRegistration },
  {
    table: 'approval',
    name: 'approval_decided',
    matches: byColumn('decided_by'),
    onlyColumns: ['organisation_id', 'id', 'type', 'status', 'decided_at', 'decided_by'],
  },
  { table: 'invitation', matches: byAddress },
  {
    table: 'invitation',
    name: 'invitation_sent',
    matches: byColumn('invited_by'),
    onlyColumns: ['organisation_id', 'id', 'role_id', 'invited_by', 'created_at', 'sent_at'],
  },
  { table: 'audit_event', matches: byActorOrObject, excludedColumns: ['hash', 'former_hash', 'personal_hash'] },
  {
    // Personal data of events by other actors belongs to those actors.
    table: 'audit_personal',
    matches: (
      subject,
    ) => sql`held.eventId IN (SELECT event.id FROM auditEvent AS event WHERE event.actorId = ${subject.id}
      OR (event.actorId IS NULL AND (event.objectId = ${subject.id} OR event.objectId IN ${selectApprovalIds(subject)})))`,
    excludedColumns: ['salt'],
  },
  { table: 'connector_user' },
  {
    table: 'auditor_room',
    matches: (subject) => sql`(${byUser(subject)} OR ${byAddress(subject)})`,
    excludedColumns: ['created_by'],
  },
  {
    table: 'auditor_room',
    name: 'auditor_room_opened',
    matches: byColumn('created_by'),
    onlyColumns: ['organisation_id', 'id', 'created_at', 'created_by', 'ends_at'],
  },
  {
    table: 'auditor_look',
    matches: ({ id }) => sql`held.roomId IN (SELECT room.id FROM auditorRoom AS room WHERE room.userId = ${id})`,
  },
  {
    table: 'certificate',
    matches: byColumn('issued_by'),
    onlyColumns: ['organisation_id', 'id', 'title', 'issued_at', 'issued_by'],
  },
  {
    table: 'warehouse_principal',
    excludedColumns: ['portal_secret', 'portal_verifier', 'sql_verifier', 'assistant_secret', 'assistant_verifier'],
  },
  {
    table: 'assistant_source',
    matches: byColumn('changed_by'),
    onlyColumns: ['organisation_id', 'source_type', 'changed_by', 'changed_at'],
  },
  { table: 'alert_channel', excludedColumns: ['address', 'signing_secret'] },
  { table: 'alert' },
  { table: 'api_token', excludedColumns: ['secret_hash', 'created_by', 'revoked_by'] },
  {
    table: 'api_token',
    name: 'api_token_made',
    matches: byColumn('created_by'),
    onlyColumns: ['organisation_id', 'id', 'created_by', 'created_at'],
  },
  {
    table: 'api_token',
    name: 'api_token_revoked',
    matches: byColumn('revoked_by'),
    onlyColumns: ['organisation_id', 'id', 'revoked_by', 'revoked_at'],
  },
  { table: 'oauth_code', excludedColumns: ['code_hash', 'challenge'] },
  { table: 'query_run' },
  { table: 'saved_query' },
  {
    table: 'reading_login',
    matches: byColumn('saved_by'),
    onlyColumns: ['organisation_id', 'connector_id', 'saved_by', 'saved_at'],
  },
  { table: 'group_user' },
  { table: 'helper_table_user' },
  { table: 'entity_user' },
  { table: 'authorisation', excludedColumns: ['state_hash', 'browser_hash', 'pkce_verifier', 'nonce'] },
  { table: 'load' },
  { table: 'load_file' },
  {
    table: 'load_slice',
    matches: ({
      id,
      emailAddress,
    }) => sql`held.formerBy IS NOT NULL AND (lower(held.formerBy) = ${emailAddress.toLowerCase()}
      OR starts_with(lower(held.formerBy), ${`${emailAddress.toLowerCase()} `}) OR held.formerLoadId IN (SELECT load.id FROM load WHERE load.userId = ${id}))`,
    onlyColumns: ['organisation_id', 'load_id', 'slice_id', 'former_rows', 'former_load_id', 'former_by', 'former_at'],
  },
  {
    table: 'run',
    matches: byColumn('triggered_by'),
    onlyColumns: ['organisation_id', 'id', 'connector_id', 'mode', 'status', 'triggered_by', 'queued_at'],
  },
  {
    table: 'run',
    name: 'run_cancelled',
    matches: byColumn('cancelled_by'),
    onlyColumns: ['organisation_id', 'id', 'connector_id', 'status', 'cancelled_by', 'notice', 'completed_at'],
  },
  {
    table: 'connector',
    matches: ({ id }) => sql`${id} = ANY (held.alertUsers)`,
    onlyColumns: ['organisation_id', 'id', 'name'],
  },
  {
    table: 'schema_change',
    matches: byColumn('decided_by'),
    onlyColumns: ['organisation_id', 'id', 'connector_id', 'status', 'decided_by', 'decided_at'],
  },
  {
    table: 'history_reason',
    matches: byColumn('changed_by'),
    onlyColumns: ['organisation_id', 'connector_id', 'reason', 'streams', 'changed_by', 'changed_at'],
  },
  {
    table: 'table_rule',
    matches: byColumn('changed_by'),
    onlyColumns: ['organisation_id', 'connector_id', 'stream', 'changed_by', 'changed_at'],
  },
  {
    table: 'host_approval',
    matches: ({ id }) => sql`${id} IN (held.requestedBy, held.decidedBy)`,
    onlyColumns: [
      'organisation_id',
      'connector_id',
      'hosts',
      'status',
      'requested_by',
      'requested_at',
      'decided_by',
      'decided_at',
    ],
  },
  {
    table: 'history_erasure',
    matches: byColumn('requested_by'),
    onlyColumns: ['organisation_id', 'id', 'connector_id', 'requested_by', 'requested_at', 'completed_at'],
  },
  {
    table: 'publication_set',
    matches: byColumn('changed_by'),
    onlyColumns: ['organisation_id', 'id', 'name', 'changed_by', 'changed_at'],
  },
  {
    table: 'closed_period',
    matches: byColumn('changed_by'),
    onlyColumns: ['organisation_id', 'connector_id', 'changed_by', 'changed_at'],
  },
  {
    table: 'report_mark',
    matches: ({ id }) => sql`${id} IN (held.createdBy, held.supersededBy)`,
    onlyColumns: [
      'organisation_id',
      'id',
      'connector_id',
      'name',
      'created_by',
      'created_at',
      'superseded_by',
      'superseded_at',
      'reason',
    ],
  },
  {
    table: 'closed_period_change',
    matches: byColumn('acknowledged_by'),
    onlyColumns: ['organisation_id', 'id', 'connector_id', 'acknowledged_by', 'acknowledged_at', 'reason'],
  },
  {
    table: 'database_credential',
    matches: byColumn('saved_by'),
    onlyColumns: ['organisation_id', 'saved_by', 'saved_at'],
  },
  {
    table: 'product_credential',
    matches: byColumn('saved_by'),
    onlyColumns: ['organisation_id', 'connector_id', 'saved_by', 'saved_at'],
  },
  { table: 'table_sync', matches: byColumn('done_by'), onlyColumns: ['organisation_id', 'done_by', 'done_at'] },
  {
    table: 'oauth_app',
    matches: byColumn('created_by'),
    onlyColumns: ['organisation_id', 'id', 'type', 'created_by', 'created_at'],
  },
]

export const personalDataTables = [...personTables, ...organisationTables]
