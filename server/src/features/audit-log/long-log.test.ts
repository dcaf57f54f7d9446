/** The audit log with more events than one search examines. */
import { auditLog } from '@tributary/contract/audit-log'
import { auditLogLimits, unsearchedHeaders } from '@tributary/contract/limits'
import { countRowsRead } from '@tributary/testing/server/app/rows-read.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { listEvents } from './queries.ts'

const { searchedMax } = auditLogLimits
const others = 100_000

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  // The provider's: one that is found, then more than a search examines, then another one. Those of an organisation are newer.
  await add(null, 'needle.old', 1)
  await add(null, 'straw', searchedMax + 10_000)
  await add(null, 'needle.new', 2)
  await add(app.harbour.id, 'straw', others)
  const superuser = new Client({ ...inject('postgres'), database: app.connection.database ?? '' })
  await superuser.connect()
  await superuser.query('VACUUM (ANALYZE) audit_event')
  await superuser.end()
}, 60_000)
afterAll(() => app[Symbol.asyncDispose]())

function add(organisationId: string | null, action: string, count: number): Promise<unknown> {
  return app.store.across((db) =>
    sql`INSERT INTO auditEvent (organisationId, action, outcome, objectType, objectId, detail, hash)
      SELECT ${organisationId}, ${action}, 'success', 'organisation', gen_random_uuid()::text, jsonb_build_object('after', jsonb_build_object('name', 'Name ' || n)), ''
      FROM generate_series(1, ${count}::int) n`.execute(db),
  )
}

async function search(query: Readonly<Record<string, string | number>>) {
  const { body, headers } = await app.as.superadmin.call(auditLog.list, { query: { ofProvider: true, ...query } })
  return {
    actions: body.map(({ Action }) => Action),
    total: headers['x-total-count'],
    continueBefore: headers[unsearchedHeaders.continueBefore],
    newestAt: headers[unsearchedHeaders.newestAt],
  }
}

test('[SCALE-4] a search of the audit log examines the newest events, says that older ones are left, and continues with them', async () => {
  const first = await search({ search: 'needle' })
  expect(first).toMatchObject({ actions: ['needle.new', 'needle.new'], total: '2' })
  expect(first.newestAt).toMatch(/^\d{4}-.*Z$/u)
  const next = await search({ search: 'needle', beforeId: Number(first.continueBefore) })
  expect(next).toEqual({ actions: ['needle.old'], total: '1', continueBefore: undefined, newestAt: undefined })
})

test('[SCALE-4] the parts of a continued search have every event once, page by page', async () => {
  const pages = async (query: Readonly<Record<string, string | number>>) => {
    const found = await search({ search: 'straw', page: 2, pageSize: 3, ...query })
    expect(found.actions).toEqual(['straw', 'straw', 'straw'])
    return found
  }
  const first = await pages({})
  const rest = await pages({ beforeId: Number(first.continueBefore) })
  expect(Number(first.total) + Number(rest.total)).toBe(searchedMax + 10_000)
  expect(rest.continueBefore).toBeUndefined()
  expect((await search({ search: 'straw', page: 30_000 })).total).toBe(first.total)
})

test('[SCALE-4] a search is complete if the rest of the filter leaves few events, and as a file', async () => {
  const { total, continueBefore } = await search({ search: 'needle', action: 'needle.old' })
  expect([total, continueBefore]).toEqual(['1', undefined])
  const { body } = await app.as.superadmin.call(auditLog.exportCsv, { query: { ofProvider: true, search: 'needle' } })
  expect(String(body).match(/needle\.(?:old|new)/gu)).toEqual(['needle.new', 'needle.new', 'needle.old'])
})

const readOf = (query: { readonly search?: string; readonly objectType?: string }) =>
  countRowsRead(app, (store) =>
    store.across((db) => listEvents(db, { organisationId: null }, { ...query, limit: 50, offset: 0 })),
  )

test('[SCALE-4] a search reads each of the examined events once, and not the rest of the log', async () => {
  const read = await readOf({ search: 'needle' })
  expect(read.get('audit_event')).toBeLessThan(searchedMax + 1_000)
})

test('[SCALE-4] a page of the provider’s audit log reads no events of organisations', async () => {
  const read = await readOf({ objectType: 'absent' })
  expect(read.get('audit_event')).toBeLessThan(2 * (searchedMax + 10_000) + 1_000)
})
