import { auditLog } from '@tributary/contract/audit-log'
import { loads } from '@tributary/contract/loads'
import { type PersonalDataExport, privacy } from '@tributary/contract/privacy'
import { organisations } from '@tributary/contract/organisations'
import { signInRoutes } from '@tributary/contract/sign-in'
import { users } from '@tributary/contract/users'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditChain } from '../../security/audit/verify-chain.ts'
import { containsSecret } from '@tributary/testing/server/app/find-secrets.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import {
  knownPersonData,
  createKnownPerson,
  type KnownPerson,
} from '@tributary/testing/server/identity/known-person.ts'
import { organisationTables, personalDataTables } from './personal-data.ts'

/** The tests depend on each other and run in this order. */
let scene: KnownPerson
beforeAll(async () => {
  scene = await createKnownPerson()
}, 60_000)
afterAll(() => scene[Symbol.asyncDispose]())

/** Every value of every column of every table, including the queue's. */
async function readValues(): Promise<readonly { readonly place: string; readonly value: string }[]> {
  const client = new Client(scene.app.connection)
  await client.connect()
  try {
    await client.query(`SET tributary.organisation = '*'`)
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class
       WHERE relkind IN ('r', 'p') AND relnamespace IN ('public'::regnamespace, 'tributary_queue'::regnamespace) ORDER BY 1`,
    )
    const found = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ column: string; value: string | null }>(
        `SELECT each.key AS column, each.value FROM ${name} AS kept, jsonb_each_text(to_jsonb(kept)) AS each`,
      )
      found.push(...rows.map(({ column, value }) => ({ place: `${name}.${column}`, value: value ?? '' })))
    }
    return found
  } finally {
    await client.end()
  }
}

async function findColumns(what: readonly string[]): Promise<readonly string[]> {
  const hits = (await readValues()).filter(({ value }) =>
    what.some((one) => containsSecret(value, one) || containsSecret(value.toLowerCase(), one.toLowerCase())),
  )
  return [...new Set(hits.map(({ place }) => place))].toSorted()
}

/** Columns that contain the id or a canary and are not exported, with the reason. */
const unexported: Readonly<Record<string, string>> = {
  'connector.alert_users': 'the connector is named; the column names others, too',
}

const everywhere = [
  'alert.user_id',
  'alert_channel.user_id',
  'approval.context',
  'approval.rejection_reason',
  'audit_personal.fields',
  'connector.alert_users',
  'device.address',
  'external_identity.email_address',
  'external_identity.subject',
  'invitation.email_address',
  'invitation.invited_by',
  'link_code.subject_id',
  'load.user_id',
  'load_file.name',
  'load_slice.former_by',
  'mail.recipient',
  'membership.user_id',
  'oauth_grant.email_address',
  'oauth_grant.given_by',
  'oauth_grant.person',
  'passkey.name',
  'pending_identity.email_address',
  'portal_user.email_address',
  'portal_user.ms_oid',
  'portal_user.table_columns',
  'recovery_code.user_id',
  'registration.email_address',
  'run.cancelled_by',
  'run.notice',
  'run.triggered_by',
  'session.address',
  'totp.user_id',
  'verification.payload',
]

test('the person appears in every kind of column', async () => {
  const places = await findColumns([...scene.canaries, scene.userId])
  expect(everywhere.filter((place) => !places.includes(place))).toEqual([])
})

test('an export contains every column in which the person appears, an administrator’s export those of the organisation', async () => {
  const { app, client, userId, canaries } = scene
  const own = (await client.call(privacy.ownExport, { query: {} })).body
  const forAdmin = (await app.as.admin.call(privacy.memberExport, { params: { userId }, query: {} })).body
  const listExportedColumns = ({ Tables }: PersonalDataExport) => {
    const named = personalDataTables.flatMap(({ table, name = table }) =>
      (Tables[name] ?? []).flatMap((row) => Object.entries(row).map((one) => [table, ...one] as const)),
    )
    const theirs = named.filter(([, , value]) =>
      [...canaries, userId].some((one) => JSON.stringify(value).toLowerCase().includes(one.toLowerCase())),
    )
    return new Set(theirs.map(([table, column]) => `${table}.${column}`))
  }
  const places = await findColumns([...canaries, userId])
  expect(places.filter((place) => !listExportedColumns(own).has(place) && unexported[place] === undefined)).toEqual([])
  const ofOrganisation = new Set(organisationTables.map(({ table }) => table))
  const inOrganisations = places.filter((place) => ofOrganisation.has(place.split('.')[0] ?? ''))
  const ofOther = (await app.as.otherAdmin.call(privacy.memberExport, { params: { userId }, query: {} })).body
  const byEither = new Set([...listExportedColumns(forAdmin), ...listExportedColumns(ofOther)])
  expect(inOrganisations.filter((place) => !byEither.has(place) && unexported[place] === undefined)).toEqual([])
  for (const secret of [knownPersonData.password, '$argon2', 'trb1.']) expect(JSON.stringify(own)).not.toContain(secret)
  expect([JSON.stringify(forAdmin).includes(app.summit.id), JSON.stringify(ofOther).includes(app.harbour.id)]).toEqual([
    false,
    false,
  ])
})

test('leaving one of two organisations removes the person’s data there and keeps all of it in the other', async () => {
  const { app, client, userId } = scene
  expect((await app.as.admin.call(users.remove, { params: { userId } })).status).toBe(204)
  const left = await app.store.within(app.harbour.id, async (db) => [
    await db.selectFrom('membership').select('userId').where('userId', '=', userId).execute(),
    await db.selectFrom('loadFile').select('id').where('userId', '=', userId).execute(),
    await db.selectFrom('connector').select('alertUsers').where('id', '=', scene.connectorId).execute(),
    await db.selectFrom('approval').select('context').execute(),
  ])
  expect(left).toEqual([
    [],
    [],
    [{ alertUsers: [app.idOf('admin')] }],
    [{ context: { Description: 'The applicant has left the organisation.' } }],
  ])
  expect((await app.as.admin.call(privacy.memberExport, { params: { userId }, query: {} })).status).toBe(404)
  const { body } = await app.as.otherAdmin.call(privacy.memberExport, { params: { userId }, query: {} })
  expect(body.Tables).toMatchObject({
    membership: [{ user_id: userId }],
    invitation: [{ email_address: knownPersonData.emailAddress }],
  })
  // All sessions ended; signing in again needs the user's second factor.
  expect((await client.call(organisations.list)).status).toBe(401)
  const again = { emailAddress: knownPersonData.emailAddress, password: knownPersonData.password }
  expect((await app.as.visitor.call(signInRoutes.withPassword, { body: again })).body).toMatchObject({
    verificationRequired: true,
  })
})

test('after the account is deleted, the person appears in no column of any table', async () => {
  const { app, userId, canaries } = scene
  expect((await app.as.otherAdmin.call(users.remove, { params: { userId } })).status).toBe(204)
  expect(await findColumns(canaries)).toEqual([])
  // The id no longer identifies a person; it only marks past actions.
  expect(await findColumns([userId])).toEqual([
    'audit_event.actor_id',
    'audit_event.detail',
    'audit_event.object_id',
    'invitation.invited_by',
    'load.user_id',
    'oauth_grant.given_by',
    'portal_user.email_address',
    'portal_user.id',
    'registration.email_address',
    'run.cancelled_by',
    'run.triggered_by',
    'session.user_id',
  ])
})

test('past actions show the same number everywhere, and the audit chain is intact', async () => {
  const { app } = scene
  for (const chain of [null, app.harbour.id, app.summit.id])
    expect((await verifyAuditChain(app.store, chain)).brokenAt).toBeNull()
  const events = (await app.as.admin.call(auditLog.list, { query: { search: 'Deleted user #1' } })).body
  expect(events.map(({ Actor, Address }) => [Actor, Address])).toContainEqual(['Deleted user #1', null])
  for (const { Actor, ObjectName } of events) expect([Actor, ObjectName]).toContain('Deleted user #1')
  expect(events.map(({ Action }) => Action)).toEqual(
    expect.arrayContaining(['load.committed', 'authn.login_success', 'user.invited']),
  )
  const receipts = (await app.as.admin.call(loads.list, { query: {} })).body
  expect(receipts.map(({ By, Slices }) => [By, Slices.map(({ FormerBy }) => FormerBy)])).toEqual([
    ['Amara Okafor', ['Deleted user #1']],
    ['Deleted user #1', [null]],
  ])
})

test('the next deleted user gets the next number, and a sign-up with the same address is a new person', async () => {
  const { app } = scene
  const { firstName, lastName, emailAddress, password } = knownPersonData
  const add = () =>
    app.as.admin.call(users.create, { body: { firstName, lastName, emailAddress, password, roleId: roleIdOf('user') } })
  const first = await add()
  expect([first.status, first.body.Id === scene.userId]).toEqual([201, false])
  const held = (await app.as.superadmin.call(privacy.memberExport, { params: { userId: first.body.Id }, query: {} }))
    .body
  expect([held.Tables['load'], held.Tables['registration'], held.Tables['audit_personal']]).toEqual([[], [], []])
  expect((await app.as.admin.call(users.remove, { params: { userId: first.body.Id } })).status).toBe(204)
  const [erased] = await app.store.across((db) =>
    db.selectFrom('portalUser').select('lastName').where('id', '=', first.body.Id).execute(),
  )
  expect([erased, await findColumns(scene.canaries)]).toEqual([{ lastName: 'user #2' }, []])
})
