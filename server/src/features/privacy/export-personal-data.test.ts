import { randomUUID } from 'node:crypto'
import { type PersonalDataExport, heldRowsMax, privacy } from '@tributary/contract/privacy'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { personalDataTables } from './personal-data.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await app.as.user.session()
})
afterAll(() => app[Symbol.asyncDispose]())

const run = async <T>(statement: RawBuilder<T>) => (await app.store.across((db) => statement.execute(db))).rows
const canaryIn = (table: string) => `canary-${table}`
const own = async (as = app.as.user) => (await as.call(privacy.ownExport, { query: {} })).body
const ofMember = (as: TestApp['as']['admin'], userId = app.idOf('user'), query = {}) =>
  as.call(privacy.memberExport, { params: { userId }, query })

/** Names of columns that reference a user or contain an email address. */
const naming =
  /^(?:user_id|actor_id|linked_user_id|subject_id|recipient|email_address|alert_users|former_by|(?:triggered|cancelled|decided|invited|changed|saved|done|created|given|issued|requested|revoked|acknowledged|superseded)_by)$/u

describe('the list of personal data', () => {
  test('contains every table that references users', async () => {
    const columns = await run(sql<{ table: string; column: string }>`
      SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public'`)
    const named = new Set(columns.filter(({ column }) => naming.test(column)).map(({ table }) => table))
    const known = new Set(personalDataTables.map(({ table }) => table))
    expect([...named].filter((table) => !known.has(table))).toEqual([])
  })

  test('covers every foreign key to users', async () => {
    const references = await run(sql<{ table: string; column: string }>`
      SELECT conrelid::regclass::text AS table, attname::text AS column FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
      WHERE contype = 'f' AND confrelid IN ('portal_user'::regclass, 'membership'::regclass) AND attname <> 'organisation_id'`)
    expect(references.filter(({ column }) => !naming.test(column))).toEqual([])
  })

  test('leaves out only hashes, keys and secrets of rows about the person', async () => {
    const columns = await run(sql<{ table: string; column: string; type: string }>`
      SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns WHERE table_schema = 'public'`)
    const isHash = (table: string, column: string) =>
      columns.find((one) => one.table === table && one.column === column)?.type === 'bytea'
    const others = personalDataTables.flatMap(({ table, excludedColumns = [] }) =>
      excludedColumns.filter((column) => !isHash(table, column)).map((column) => `${table}.${column}`),
    )
    expect(others.toSorted()).toEqual([
      'alert_channel.address',
      'alert_channel.signing_secret',
      'api_token.created_by',
      'api_token.revoked_by',
      'auditor_room.created_by',
      'authorisation.nonce',
      'authorisation.pkce_verifier',
      'device.signing_key_id',
      'external_login.nonce',
      'external_login.pkce_verifier',
      'mail.body',
      'oauth_code.challenge',
      'oauth_grant.access_token',
      'oauth_grant.refresh_token',
      'portal_user.password_hash',
      'registration.password_hash',
      'session.signing_key_id',
      'totp.pending_secret',
      'totp.secret',
      'verification.passkey_challenge',
      'warehouse_principal.assistant_secret',
      'warehouse_principal.assistant_verifier',
      'warehouse_principal.portal_secret',
      'warehouse_principal.portal_verifier',
      'warehouse_principal.sql_verifier',
    ])
    const bytea = columns.filter(
      ({ table, type }) =>
        type === 'bytea' && personalDataTables.some((one) => one.table === table && one.onlyColumns === undefined),
    )
    const shown = bytea.filter(
      ({ table, column }) =>
        !personalDataTables.some((one) => one.table === table && one.excludedColumns?.includes(column)),
    )
    expect(shown).toEqual([])
  })
})

describe('the export of a person', () => {
  test('[API-1 GET /me/export] contains the canaries of every kind of table, and no secret', async () => {
    const [id, address, organisation] = [app.idOf('user'), 'user@demo.example', app.harbour.id]
    await run(sql`UPDATE portalUser SET lastName = ${canaryIn('portal_user')} WHERE id = ${id}`)
    await run(sql`UPDATE session SET deviceName = ${canaryIn('session')} WHERE userId = ${id}`)
    await run(sql`INSERT INTO device (userId, tokenHash, description) VALUES (${id}, '\\x01', ${canaryIn('device')})`)
    await run(
      sql`INSERT INTO passkey (userId, credentialId, publicKey, counter, name) VALUES (${id}, 'c', '\\x01', 0, ${canaryIn('passkey')})`,
    )
    await run(sql`INSERT INTO totp (userId, secret) VALUES (${id}, 'hidden-secret')`)
    await run(
      sql`INSERT INTO externalIdentity (issuer, subject, provider, userId) VALUES (${canaryIn('external_identity')}, 's', 'p', ${id})`,
    )
    await run(
      sql`INSERT INTO mail (messageId, recipient, template, body) VALUES ('m', ${address.toUpperCase()}, ${canaryIn('mail')}, 'hidden-body')`,
    )
    await run(sql`INSERT INTO registration (firstName, lastName, emailAddress, companyName, passwordHash)
      VALUES ('U', 'S', ${address}, ${canaryIn('registration')}, 'hidden-hash')`)
    await run(sql`INSERT INTO oauthGrant (type, clientId, person, emailAddress, name, refreshToken)
      VALUES ('xero', 'c', 'p', ${address}, ${canaryIn('oauth_grant')}, 'hidden-token')`)
    await run(
      sql`INSERT INTO loadFile (organisationId, userId, name, sheets) VALUES (${organisation}, ${id}, ${canaryIn('load_file')}, '[]')`,
    )
    const text = JSON.stringify(await own())
    const places = [
      'portal_user',
      'session',
      'device',
      'passkey',
      'external_identity',
      'mail',
      'registration',
      'oauth_grant',
      'load_file',
    ]
    expect(places.filter((table) => !text.includes(canaryIn(table)))).toEqual([])
    expect(text).not.toContain('hidden-')
    expect(text).not.toContain('$argon2')
    expect((await own(app.as.otherAdmin)).Tables['portal_user']).toHaveLength(1)
    expect(JSON.stringify(await own(app.as.otherAdmin))).not.toContain('canary-')
  })

  test('[API-1 GET /users/{id}/export] an administrator gets the data of their organisation only, a superadmin everything', async () => {
    const { status, body } = await ofMember(app.as.admin)
    expect(status).toBe(200)
    expect(body.Tables['membership']).toEqual([expect.objectContaining({ organisation_id: app.harbour.id })])
    expect(body.Tables['load_file']).toHaveLength(1)
    expect(Object.keys(body.Tables)).not.toEqual(expect.arrayContaining(['session']))
    expect(body.Tables['portal_user']).toBeUndefined()
    expect((await ofMember(app.as.superadmin)).body.Tables['portal_user']).toHaveLength(1)
  })

  test('comes in pages with every row exactly once, and reports whether more follow', async () => {
    const id = app.idOf('user')
    const connectorId = randomUUID()
    await run(sql`INSERT INTO connector (id, organisationId, key, type, name, originalName)
      VALUES (${connectorId}, ${app.harbour.id}, 'many', 'sqlserver', 'Many', 'Many')`)
    await run(sql`INSERT INTO run (organisationId, connectorId, mode, trigger, triggeredBy, status)
      SELECT ${app.harbour.id}, ${connectorId}, 'full', 'person', ${id}, 'COMPLETED' FROM generate_series(1, ${heldRowsMax + 700})`)
    await run(sql`INSERT INTO auditEvent (organisationId, actorId, action, outcome, hash, form)
      SELECT ${app.harbour.id}, ${id}, 'many.things', 'success', '', 2 FROM generate_series(1, ${2 * heldRowsMax})`)
    for (const ask of [
      (query: Record<string, string>) => app.as.user.call(privacy.ownExport, { query }),
      (query: Record<string, string>) => ofMember(app.as.admin, id, query),
    ]) {
      const pages: PersonalDataExport[] = []
      let next: string | null = ''
      while (next !== null && pages.length < 20) {
        const { status, body } = await ask(next === '' ? {} : { after: next })
        expect(status).toBe(200)
        expect(Object.values(body.Tables).flat().length).toBeLessThanOrEqual(heldRowsMax)
        pages.push(body)
        next = body.Next
      }
      const ids = (table: string) => pages.flatMap((page) => page.Tables[table] ?? []).map((row) => String(row['id']))
      expect([next, new Set(ids('run')).size, ids('run').length]).toEqual([null, heldRowsMax + 700, heldRowsMax + 700])
      expect(new Set(ids('audit_event')).size).toBe(ids('audit_event').length)
      expect(ids('audit_event').length).toBeGreaterThanOrEqual(2 * heldRowsMax)
    }
    for (const after of [
      'nonsense',
      Buffer.from('[0,"x"]').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
    ])
      expect((await app.as.user.call(privacy.ownExport, { query: { after } })).status).toBe(400)
  })

  test('continues after an external identity, whose key is a URL', async () => {
    const at = personalDataTables.findIndex(({ table }) => table === 'external_identity')
    for (const subject of ['a1', 'auth0|a2'])
      await run(sql`INSERT INTO externalIdentity (issuer, subject, provider, userId)
        VALUES ('https://id.example/tenant', ${subject}, 'p', ${app.idOf('user')})`)
    const after = Buffer.from(JSON.stringify([at, 'https://id.example/tenant', 'a1'])).toString('base64url')
    const { status, body } = await app.as.user.call(privacy.ownExport, { query: { after } })
    expect([status, body.Tables['external_identity']]).toEqual([
      200,
      [expect.objectContaining({ subject: 'auth0|a2' })],
    ])
  })

  test('is refused to users and guests, and not found for users of another organisation', async () => {
    expect((await ofMember(app.as.user)).status).toBe(403)
    expect((await ofMember(app.as.guest)).status).toBe(403)
    expect((await ofMember(app.as.otherAdmin)).status).toBe(404)
    expect((await ofMember(app.as.otherAdmin, app.idOf('user'), { orgId: app.harbour.id })).status).toBe(404)
  })

  test('is in the audit log with its actor', async () => {
    await ofMember(app.as.admin)
    const events = await run(sql<{ actorId: string; objectId: string }>`
      SELECT actorId, objectId FROM auditEvent WHERE action = 'data.export_downloaded' AND organisationId = ${app.harbour.id} ORDER BY id DESC LIMIT 1`)
    expect(events).toEqual([{ actorId: app.idOf('admin'), objectId: app.idOf('user') }])
  })
})
