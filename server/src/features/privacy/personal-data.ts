/** Where the store holds something about a person. A table with a reference to people, or with an address, is here or in the test's list of reasons. */
import { type RawBuilder, sql } from 'kysely'

export interface Subject {
  readonly id: string
  readonly emailAddress: string
}

export interface Holding {
  readonly table: string
  /** What the export calls it, where it takes rows of one table for two reasons. */
  readonly name?: string
  /** `organisation`: row level security tells whose it is. */
  readonly belongsTo: 'person' | 'organisation'
  readonly isTheirs: (subject: Subject) => RawBuilder<unknown>
  /** Keys, hashes, secrets, and what is somebody else's. */
  readonly without?: readonly string[]
  /** Of rows that are not about the person and only name them. */
  readonly only?: readonly string[]
}

const byUser = ({ id }: Subject) => sql`kept.userId = ${id}`
const byAddress = ({ emailAddress }: Subject) => sql`lower(kept.emailAddress) = ${emailAddress.toLowerCase()}`
const namedIn =
  (column: string) =>
  ({ id }: Subject) =>
    sql`kept.${sql.ref(column)} = ${id}`
/** Sign-ups: by the address, by the account that was linked, and by the account at a provider. */
const signedUp = ({
  id,
  emailAddress,
}: Subject) => sql`(lower(made.emailAddress) = ${emailAddress.toLowerCase()} OR made.linkedUserId = ${id}
  OR (made.issuer, made.subject) IN (SELECT known.issuer, known.subject FROM externalIdentity AS known WHERE known.userId = ${id}))`
const applied = (subject: Subject) =>
  sql`kept.registrationId IN (SELECT id FROM registration AS made WHERE ${signedUp(subject)})`
/** What they asked for by a sign-up, before they had an account. */
const asked = (subject: Subject) => sql`(SELECT wish.id::text FROM approval AS wish
  WHERE wish.registrationId IN (SELECT id FROM registration AS made WHERE ${signedUp(subject)}))`
const didOrBefell = (subject: Subject) => sql`(kept.actorId = ${subject.id} OR kept.objectId = ${subject.id}
  OR (kept.actorId IS NULL AND kept.objectId IN ${asked(subject)})
  OR kept.detail -> 'addedIds' ? ${subject.id} OR kept.detail -> 'removedIds' ? ${subject.id})`

export const holdings: readonly Holding[] = [
  { table: 'portal_user', belongsTo: 'person', isTheirs: ({ id }) => sql`kept.id = ${id}`, without: ['password_hash'] },
  {
    table: 'session',
    belongsTo: 'person',
    isTheirs: byUser,
    without: ['refresh_hash', 'former_hash', 'signing_key_id'],
  },
  { table: 'device', belongsTo: 'person', isTheirs: byUser, without: ['token_hash', 'signing_key_id'] },
  {
    table: 'verification',
    belongsTo: 'person',
    isTheirs: ({ id, emailAddress }) =>
      sql`(kept.userId = ${id} OR lower(kept.payload ->> 'sendTo') = ${emailAddress.toLowerCase()})`,
    without: ['reference_hash', 'code_hash', 'passkey_challenge'],
  },
  { table: 'totp', belongsTo: 'person', isTheirs: byUser, without: ['secret', 'pending_secret'] },
  { table: 'passkey', belongsTo: 'person', isTheirs: byUser, without: ['public_key'] },
  { table: 'recovery_code', belongsTo: 'person', isTheirs: byUser, without: ['code_hash'] },
  {
    table: 'link_code',
    belongsTo: 'person',
    isTheirs: (subject) => sql`(kept.subjectId = ${subject.id} OR kept.payload ->> 'userId' = ${subject.id}
      OR kept.subjectId IN (SELECT id FROM registration AS made WHERE ${signedUp(subject)})
      OR kept.subjectId IN (SELECT id FROM invitation WHERE lower(emailAddress) = ${subject.emailAddress.toLowerCase()}))`,
    without: ['code_hash'],
  },
  {
    table: 'registration',
    belongsTo: 'person',
    isTheirs: (subject) => sql`kept.id IN (SELECT id FROM registration AS made WHERE ${signedUp(subject)})`,
    without: ['password_hash', 'browser_hash'],
  },
  { table: 'external_identity', belongsTo: 'person', isTheirs: byUser },
  {
    table: 'external_login',
    belongsTo: 'person',
    isTheirs: byUser,
    without: ['state_hash', 'browser_hash', 'nonce', 'pkce_verifier'],
  },
  {
    table: 'pending_identity',
    belongsTo: 'person',
    isTheirs: (subject) => sql`(${byAddress(subject)}
      OR (kept.issuer, kept.subject) IN (SELECT known.issuer, known.subject FROM externalIdentity AS known WHERE known.userId = ${subject.id}))`,
    without: ['atid_hash'],
  },
  {
    table: 'mail',
    belongsTo: 'person',
    isTheirs: ({ emailAddress }) => sql`lower(kept.recipient) = ${emailAddress.toLowerCase()}`,
    without: ['body'],
  },
  {
    table: 'oauth_grant',
    belongsTo: 'person',
    isTheirs: (subject) =>
      sql`(${byAddress(subject)} OR kept.givenBy = ${subject.id} OR kept.id IN (SELECT grantId FROM authorisation WHERE userId = ${subject.id}))`,
    without: ['refresh_token', 'access_token'],
  },
  { table: 'setting', belongsTo: 'person', isTheirs: namedIn('changed_by'), only: ['key', 'changed_by', 'changed_at'] },
  { table: 'membership', belongsTo: 'organisation', isTheirs: byUser },
  { table: 'approval', belongsTo: 'organisation', isTheirs: applied },
  {
    table: 'approval',
    name: 'approval_decided',
    belongsTo: 'organisation',
    isTheirs: namedIn('decided_by'),
    only: ['organisation_id', 'id', 'type', 'status', 'decided_at', 'decided_by'],
  },
  { table: 'invitation', belongsTo: 'organisation', isTheirs: byAddress },
  {
    table: 'invitation',
    name: 'invitation_sent',
    belongsTo: 'organisation',
    isTheirs: namedIn('invited_by'),
    only: ['organisation_id', 'id', 'role_id', 'invited_by', 'created_at', 'sent_at'],
  },
  {
    table: 'audit_event',
    belongsTo: 'organisation',
    isTheirs: didOrBefell,
    without: ['hash', 'former_hash', 'personal_hash'],
  },
  {
    // What is beside others' events is the others'.
    table: 'audit_personal',
    belongsTo: 'organisation',
    isTheirs: (
      subject,
    ) => sql`kept.eventId IN (SELECT event.id FROM auditEvent AS event WHERE event.actorId = ${subject.id}
      OR (event.actorId IS NULL AND (event.objectId = ${subject.id} OR event.objectId IN ${asked(subject)})))`,
    without: ['salt'],
  },
  { table: 'connector_user', belongsTo: 'organisation', isTheirs: byUser },
  { table: 'group_user', belongsTo: 'organisation', isTheirs: byUser },
  { table: 'helper_table_user', belongsTo: 'organisation', isTheirs: byUser },
  { table: 'entity_user', belongsTo: 'organisation', isTheirs: byUser },
  {
    table: 'authorisation',
    belongsTo: 'organisation',
    isTheirs: byUser,
    without: ['state_hash', 'browser_hash', 'pkce_verifier', 'nonce'],
  },
  { table: 'load', belongsTo: 'organisation', isTheirs: byUser },
  { table: 'load_file', belongsTo: 'organisation', isTheirs: byUser },
  {
    table: 'load_slice',
    belongsTo: 'organisation',
    isTheirs: ({
      id,
      emailAddress,
    }) => sql`kept.formerBy IS NOT NULL AND (lower(kept.formerBy) = ${emailAddress.toLowerCase()}
      OR starts_with(lower(kept.formerBy), ${`${emailAddress.toLowerCase()} `}) OR kept.formerLoadId IN (SELECT load.id FROM load WHERE load.userId = ${id}))`,
    only: ['organisation_id', 'load_id', 'slice_id', 'former_rows', 'former_load_id', 'former_by', 'former_at'],
  },
  {
    table: 'run',
    belongsTo: 'organisation',
    isTheirs: namedIn('triggered_by'),
    only: ['organisation_id', 'id', 'connector_id', 'mode', 'status', 'triggered_by', 'queued_at'],
  },
  {
    table: 'run',
    name: 'run_cancelled',
    belongsTo: 'organisation',
    isTheirs: namedIn('cancelled_by'),
    only: ['organisation_id', 'id', 'connector_id', 'status', 'cancelled_by', 'notice', 'completed_at'],
  },
  {
    table: 'connector',
    belongsTo: 'organisation',
    isTheirs: ({ id }) => sql`${id} = ANY (kept.alertUsers)`,
    only: ['organisation_id', 'id', 'name'],
  },
  {
    table: 'schema_change',
    belongsTo: 'organisation',
    isTheirs: namedIn('decided_by'),
    only: ['organisation_id', 'id', 'connector_id', 'status', 'decided_by', 'decided_at'],
  },
  {
    table: 'database_credential',
    belongsTo: 'organisation',
    isTheirs: namedIn('saved_by'),
    only: ['organisation_id', 'saved_by', 'saved_at'],
  },
  {
    table: 'product_credential',
    belongsTo: 'organisation',
    isTheirs: namedIn('saved_by'),
    only: ['organisation_id', 'connector_id', 'saved_by', 'saved_at'],
  },
  {
    table: 'table_sync',
    belongsTo: 'organisation',
    isTheirs: namedIn('done_by'),
    only: ['organisation_id', 'done_by', 'done_at'],
  },
  {
    table: 'oauth_app',
    belongsTo: 'organisation',
    isTheirs: namedIn('created_by'),
    only: ['organisation_id', 'id', 'type', 'created_by', 'created_at'],
  },
]
