import { randomBytes, randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isoTime } from '../../kernel/clock.ts'
import { retentionRules } from './retention-rules.ts'
import { deleteExpired } from './delete-expired.ts'
import { lasting } from '@tributary/testing/server/app/lasting-tables.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const dayMs = 86_400_000
let app: TestApp
const [connectorId, runId] = [randomUUID(), randomUUID()]
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_MODE: 'production', TRIBUTARY_PUBLIC_URL: 'https://tributary.example' } })
  await run(sql`INSERT INTO connector (id, organisationId, key, type, name, originalName)
    VALUES (${connectorId}, ${app.harbour.id}, 'k', 'sqlserver', 'Kept', 'Kept')`)
  await run(
    sql`INSERT INTO run (id, organisationId, connectorId, mode, trigger) VALUES (${runId}, ${app.harbour.id}, ${connectorId}, 'full', 'person')`,
  )
})
afterAll(() => app[Symbol.asyncDispose]())

const run = (statement: RawBuilder<unknown>) => app.store.across((db) => statement.execute(db))
const bytes = () => randomBytes(32)

/** Inserts a row with the time `at` into each table, and the column that identifies it. */
const planted: Readonly<Record<string, readonly [column: string, plant: (at: string) => RawBuilder<unknown>]>> = {
  link_code: [
    'expires_at',
    (at) =>
      sql`INSERT INTO linkCode (codeHash, purpose, subjectId, expiresAt) VALUES (${bytes()}, 'reset', ${app.idOf('user')}, ${at})`,
  ],
  verification: [
    'expires_at',
    (at) => sql`INSERT INTO verification (referenceHash, context, expiresAt) VALUES (${bytes()}, 'mfa', ${at})`,
  ],
  external_login: [
    'expires_at',
    (at) => sql`INSERT INTO externalLogin (stateHash, browserHash, provider, purpose, nonce, pkceVerifier, expiresAt)
    VALUES (${bytes()}, ${bytes()}, 'p', 'signin', 'n', 'v', ${at})`,
  ],
  authorisation: [
    'expires_at',
    (
      at,
    ) => sql`INSERT INTO authorisation (organisationId, userId, sessionId, type, stateHash, browserHash, pkceVerifier, nonce, expiresAt)
    VALUES (${app.harbour.id}, ${app.idOf('admin')}, ${randomUUID()}, 'xero', ${bytes()}, ${bytes()}, 'v', 'n', ${at})`,
  ],
  pending_identity: [
    'expires_at',
    (at) => sql`INSERT INTO pendingIdentity (atidHash, issuer, subject, provider, isEmailVerified, expiresAt)
    VALUES (${bytes()}, 'i', 's', 'p', true, ${at})`,
  ],
  captcha_used: [
    'expires_at',
    (at) => sql`INSERT INTO captchaUsed (challengeHash, expiresAt) VALUES (${bytes()}, ${at})`,
  ],
  history_erasure_search: [
    'created_at',
    (
      at,
    ) => sql`WITH erasure AS (INSERT INTO historyErasure (organisationId, connectorId, runId, tableName, columnName, searches, requestedBy)
        VALUES (${app.harbour.id}, ${connectorId}, ${randomUUID()}, 's', 'c', '[]', ${app.idOf('admin')}) RETURNING id)
      INSERT INTO historyErasureSearch (erasureId, organisationId, value, createdAt)
      SELECT id, ${app.harbour.id}, 'v', ${at}::timestamptz FROM erasure`,
  ],
  run_line: [
    'at',
    (at) =>
      sql`INSERT INTO runLine (organisationId, runId, at, level, text) VALUES (${app.harbour.id}, ${runId}, ${at}, 'info', 'x')`,
  ],
  // Its age is that of its run; the reason identifies the row.
  run_rejected: [
    'reason',
    (at) => sql`WITH of AS (INSERT INTO run (organisationId, connectorId, mode, trigger, status, queuedAt, completedAt)
      VALUES (${app.harbour.id}, ${connectorId}, 'full', 'person', 'CANCELLED', ${at}, ${at}) RETURNING id)
    INSERT INTO runRejected (organisationId, runId, tableName, reason, row) SELECT ${app.harbour.id}, id, 't', ${at}, '{}' FROM of`,
  ],
  row_difference: [
    'found_at',
    (
      at,
    ) => sql`INSERT INTO rowDifference (organisationId, connectorId, runId, stream, tableName, key, kind, columns, cause, isRepaired, foundAt)
    VALUES (${app.harbour.id}, ${connectorId}, ${runId}, 's', 't', '{}', 'missing', '[]', 'unknown', false, ${at})`,
  ],
  verification_verdict: [
    'at',
    (
      at,
    ) => sql`INSERT INTO verificationVerdict (organisationId, connectorId, runId, stream, tableName, outcome, method, checkedAt, rows, differences, repaired, at)
    VALUES (${app.harbour.id}, ${connectorId}, gen_random_uuid(), 's', 't', 'identical', 'checksums', ${at}, 1, 0, 0, ${at})`,
  ],
  ready_by_outcome: [
    'due_at',
    (at) => sql`INSERT INTO readyByOutcome (organisationId, connectorId, dueAt, earliestAt, isKept)
    VALUES (${app.harbour.id}, ${connectorId}, ${at}, ${at}, true)`,
  ],
  run: [
    'completed_at',
    (at) => sql`INSERT INTO run (organisationId, connectorId, mode, trigger, status, queuedAt, completedAt)
    VALUES (${app.harbour.id}, ${connectorId}, 'full', 'person', 'COMPLETED', ${at}, ${at})`,
  ],
  publication: [
    'published_at',
    (at) => sql`WITH of AS (INSERT INTO publicationSet (id, organisationId, name, kind, isOn, tieOut, changedBy)
      VALUES (${connectorId}, ${app.harbour.id}, 'n', 'warehouse', false, 'any', ${app.idOf('admin')})
      ON CONFLICT (id) DO UPDATE SET name = 'n' RETURNING id)
    INSERT INTO publication (organisationId, setId, number, publishedAt)
      SELECT ${app.harbour.id}, id, extract(epoch FROM ${at}::timestamptz)::int8, ${at}::timestamptz FROM of`,
  ],
  query_run: [
    'started_at',
    (at) => sql`INSERT INTO queryRun (organisationId, userId, statement, startedAt, durationMs, rows, outcome)
      VALUES (${app.harbour.id}, ${app.idOf('user')}, 'SELECT 1', ${at}, 1, 1, 'completed')`,
  ],
  source_pace: [
    'changed_at',
    (at) => sql`INSERT INTO sourcePace (key, ledger, changedAt) VALUES (${randomUUID()}, '{}', ${at})`,
  ],
  daily_calls: [
    'day',
    (at) =>
      sql`INSERT INTO dailyCalls (organisationId, connectorId, day, calls) VALUES (${app.harbour.id}, ${connectorId}, ${at}, 1)`,
  ],
  session: [
    'last_active_at',
    (at) =>
      sql`INSERT INTO session (userId, lastActiveAt, refreshHash) VALUES (${app.idOf('user')}, ${at}, ${bytes()})`,
  ],
  api_token: [
    'expires_at',
    (at) => sql`INSERT INTO apiToken (organisationId, userId, name, secretHash, scopes, expiresAt)
    VALUES (${app.harbour.id}, ${app.idOf('user')}, 'n', ${bytes()}, '{data.read}', ${at})`,
  ],
  api_token_use: [
    'day',
    (at) => sql`WITH token AS (INSERT INTO apiToken (organisationId, userId, name, secretHash, scopes, expiresAt)
      VALUES (${app.harbour.id}, ${app.idOf('user')}, 'n', ${bytes()}, '{data.read}', '2100-01-01') RETURNING id)
    INSERT INTO apiTokenUse (organisationId, tokenId, day, calls) SELECT ${app.harbour.id}, id, ${at}::timestamptz::date, 1 FROM token`,
  ],
  oauth_code: [
    'expires_at',
    (
      at,
    ) => sql`WITH client AS (INSERT INTO oauthClient (name, redirectUris, createdAt) VALUES ('n', '{https://a.example/}', '2100-01-01') RETURNING id)
    INSERT INTO oauthCode (codeHash, organisationId, userId, clientId, redirectUri, challenge, scopes, expiresAt)
      SELECT ${bytes()}, ${app.harbour.id}, ${app.idOf('user')}, id, 'https://a.example/', 'c', '{data.read}', ${at}::timestamptz FROM client`,
  ],
  oauth_secret: [
    'expires_at',
    (at) => sql`WITH token AS (INSERT INTO apiToken (organisationId, userId, name, secretHash, scopes, expiresAt)
      VALUES (${app.harbour.id}, ${app.idOf('user')}, 'n', ${bytes()}, '{data.read}', '2100-01-01') RETURNING id)
    INSERT INTO oauthSecret (secretHash, organisationId, tokenId, kind, expiresAt)
      SELECT ${bytes()}, ${app.harbour.id}, id, 'access', ${at}::timestamptz FROM token`,
  ],
  oauth_client: [
    'created_at',
    (at) => sql`INSERT INTO oauthClient (name, redirectUris, createdAt) VALUES ('n', '{https://a.example/}', ${at})`,
  ],
  device: [
    'last_seen_at',
    (at) =>
      sql`INSERT INTO device (userId, tokenHash, description, lastSeenAt) VALUES (${app.idOf('user')}, ${bytes()}, 'Firefox', ${at})`,
  ],
  webhook_delivery: [
    'created_at',
    (at) => sql`WITH of AS (INSERT INTO incident (organisationId, connectorId, kind, notice, closedAt)
      VALUES (${app.harbour.id}, ${connectorId}, 'k', 'n', now()) RETURNING id)
    INSERT INTO webhookDelivery (organisationId, incidentId, event, body, createdAt) SELECT ${app.harbour.id}, id, 'opened', '{}', ${at}::timestamptz FROM of`,
  ],
  alert_delivery: [
    'created_at',
    (at) => sql`WITH channel AS (INSERT INTO alertChannel (organisationId, service, address, frequency, hour)
      VALUES (${app.harbour.id}, 'slack', 'sealed', 'immediately', 8) RETURNING id)
    INSERT INTO alertDelivery (organisationId, channelId, event, body, createdAt)
      SELECT ${app.harbour.id}, id, 'digest', '{}', ${at}::timestamptz FROM channel`,
  ],
  publication_action_run: [
    'created_at',
    (at) => sql`WITH action AS (INSERT INTO publicationAction (organisationId, kind, name, isOn, settings, secret)
      VALUES (${app.harbour.id}, 'dbt', 'Models', true, '{}', 'sealed') RETURNING id)
    INSERT INTO publicationActionRun (organisationId, actionId, trigger, status, createdAt)
      SELECT ${app.harbour.id}, id, 'person', 'COMPLETED', ${at}::timestamptz FROM action`,
  ],
  incident: [
    'closed_at',
    (at) => sql`INSERT INTO incident (organisationId, connectorId, kind, notice, closedAt)
    VALUES (${app.harbour.id}, ${connectorId}, 'k', 'n', ${at})`,
  ],
  schema_change: [
    'found_at',
    (at) => sql`INSERT INTO schemaChange (organisationId, connectorId, stream, tableName, after, status, foundAt)
    VALUES (${app.harbour.id}, ${connectorId}, 's', 't', 'a', 'APPLIED', ${at})`,
  ],
  // With a later one on the same day, because the latest of a month stays.
  tie_out: [
    'checked_at',
    (
      at,
    ) => sql`INSERT INTO tieOut (runId, organisationId, connectorId, state, company, basis, accounts, differing, checkedAt)
    SELECT gen_random_uuid(), ${app.harbour.id}, ${connectorId}, 'green', 'c', 'journals', 1, 0, ${at}::timestamptz + later * interval '1 second' FROM generate_series(0, 1) AS later`,
  ],
  invitation: [
    'accepted_at',
    (
      at,
    ) => sql`INSERT INTO invitation (organisationId, emailAddress, firstName, lastName, roleId, invitedBy, acceptedAt)
    VALUES (${app.harbour.id}, 'a@b.example', 'A', 'B', '00000000-0000-4000-8000-000000000013', ${app.idOf('admin')}, ${at})`,
  ],
  approval: [
    'decided_at',
    (at) => sql`WITH of AS (INSERT INTO registration (firstName, lastName, emailAddress, companyName, createdAt)
      VALUES ('A', 'B', 'a@b.example', 'C', ${at}) RETURNING id)
    INSERT INTO approval (registrationId, type, status, decidedAt) SELECT id, 'NEW_ORGANISATION', 'REJECTED', ${at}::timestamptz FROM of`,
  ],
  registration: [
    'created_at',
    (at) => sql`INSERT INTO registration (firstName, lastName, emailAddress, companyName, createdAt)
    VALUES ('A', 'B', 'a@b.example', 'C', ${at})`,
  ],
  auditor_room: [
    'ended_at',
    (
      at,
    ) => sql`INSERT INTO auditorRoom (organisationId, firstName, lastName, emailAddress, connectorIds, endsAt, endedAt, createdBy, createdAt)
    VALUES (${app.harbour.id}, 'A', 'B', 'a@b.example', ARRAY[${connectorId}::uuid], ${at}, ${at}, ${app.idOf('admin')}, ${at})`,
  ],
  backup: [
    'finished_at',
    (at) => sql`INSERT INTO backup (madeAt, finishedAt, bytes, rows) VALUES (${at}, ${at}, 1, 1)`,
  ],
  load_file: [
    'created_at',
    (at) => sql`INSERT INTO loadFile (organisationId, userId, name, sheets, createdAt)
    VALUES (${app.harbour.id}, ${app.idOf('user')}, 'f', '[]', ${at})`,
  ],
}

describe('tables that grow', () => {
  test('every table has a retention rule, or a reason to have none', async () => {
    const { rows } = (await run(
      sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    )) as {
      rows: { name: string }[]
    }
    const named = [...retentionRules.map(({ table }) => table), ...Object.keys(lasting)]
    expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  test.each(retentionRules)('$table: expired rows are deleted, others stay', async ({ table, kept }) => {
    const [column, plant] = planted[table] ?? []
    if (column === undefined || plant === undefined) throw new Error(`Say how a row of ${table} comes about.`)
    const keptMs = typeof kept === 'string' ? app.services.config[kept] * dayMs : kept.ms
    const atNoon = (ms: number) => isoTime(ms - (ms % dayMs) + dayMs / 2)
    const [old, young] = [atNoon(app.clock.now() - keptMs - 2 * dayMs), atNoon(app.clock.now() - keptMs + 2 * dayMs)]
    await run(plant(old))
    await run(plant(young))
    await deleteExpired(app.services)
    const count = async (at: string) =>
      (await run(sql`SELECT FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${at}`)).rows.length
    expect([await count(old), await count(young)]).toEqual([0, 1])
  })

  test('are cleaned up in batches, also by two concurrent workers', async () => {
    const old = isoTime(app.clock.now() - 31 * dayMs)
    await run(sql`INSERT INTO runLine (organisationId, runId, at, level, text)
      SELECT ${app.harbour.id}, ${runId}, ${old}, 'info', 'many' FROM generate_series(1, 3500)`)
    await Promise.all([deleteExpired(app.services), deleteExpired(app.services)])
    await deleteExpired(app.services)
    expect((await run(sql`SELECT FROM runLine WHERE text = 'many'`)).rows).toEqual([])
  })

  test('the latest run of each outcome, the latest tie-out of a month and decisions of people stay forever', async () => {
    const at = isoTime(app.clock.now() - 5_000 * dayMs)
    await run(sql`INSERT INTO run (organisationId, connectorId, mode, trigger, status, queuedAt, completedAt)
      VALUES (${app.harbour.id}, ${connectorId}, 'full', 'person', 'FAILED', ${at}, ${at})`)
    await run(sql`INSERT INTO tieOut (runId, organisationId, connectorId, state, company, basis, accounts, differing, checkedAt)
      VALUES (${randomUUID()}, ${app.harbour.id}, ${connectorId}, 'green', 'c', 'journals', 1, 0, ${at})`)
    await run(sql`INSERT INTO schemaChange (organisationId, connectorId, stream, tableName, after, status, foundAt, decidedAt)
      VALUES (${app.harbour.id}, ${connectorId}, 's', 't', 'refused', 'REJECTED', ${at}, ${at})`)
    await deleteExpired(app.services)
    const { rows } =
      await run(sql`SELECT FROM run WHERE completedAt = ${at} UNION ALL SELECT FROM tieOut WHERE checkedAt = ${at}
      UNION ALL SELECT FROM schemaChange WHERE after = 'refused'`)
    expect(rows).toHaveLength(3)
  })
})
