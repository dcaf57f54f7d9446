/** Pages of the hosts that the provider decides about. */
import { approvals } from '@tributary/contract/approvals'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../kernel/store/store.ts'

/** With the hours since the request. */
async function addConnector(
  db: Db,
  organisationId: string,
  { name, status, hours }: { readonly name: string; readonly status: string; readonly hours: number },
): Promise<void> {
  await sql`WITH added AS (
      INSERT INTO connector (organisationId, key, type, name, originalName, status)
      VALUES (${organisationId}, ${name}, 'rest-api', ${name}, ${name}, 'CONNECTED') RETURNING id)
    INSERT INTO hostApproval (connectorId, organisationId, hosts, description, status, approvedHosts, requestedAt, isMailed)
    SELECT id, ${organisationId}, ARRAY['api.example.com'], 'title: API', ${status}, '{}', now() - ${hours}::int * interval '1 hour', true FROM added`.execute(
    db,
  )
}

test('[SCALE-4] [API-1 GET /approvals/hosts] a page has the total of the list; those that wait come first, then the newest, and each is on one page', async () => {
  await using app = await testApp()
  await app.store.across(async (db) => {
    await addConnector(db, app.harbour.id, { name: 'old-approved', status: 'APPROVED', hours: 9 })
    await addConnector(db, app.harbour.id, { name: 'old-waiting', status: 'WAITING', hours: 8 })
    await addConnector(db, app.summit.id, { name: 'refused', status: 'REFUSED', hours: 3 })
    await addConnector(db, app.summit.id, { name: 'new-waiting', status: 'WAITING', hours: 2 })
    await addConnector(db, app.harbour.id, { name: 'new-approved', status: 'APPROVED', hours: 1 })
    await addConnector(db, app.harbour.id, { name: 'disconnected', status: 'WAITING', hours: 0 })
    await sql`UPDATE connector SET status = 'DISCONNECTED' WHERE key = 'disconnected'`.execute(db)
  })
  const list = async (query: { readonly page?: number; readonly pageSize?: number }) => {
    const { body, headers } = await app.as.superadmin.call(approvals.hosts, { query })
    return [body.map(({ ConnectorName }) => ConnectorName), headers['x-total-count']]
  }
  expect(await list({ page: 1, pageSize: 2 })).toEqual([['new-waiting', 'old-waiting'], '5'])
  expect(await list({ page: 2, pageSize: 2 })).toEqual([['new-approved', 'refused'], '5'])
  expect(await list({ page: 3, pageSize: 2 })).toEqual([['old-approved'], '5'])
  expect(await list({ page: 4, pageSize: 2 })).toEqual([[], '5'])
  expect(await list({ page: 1 })).toEqual([expect.objectContaining({ length: 5 }), '5'])
  expect(await list({})).toEqual([expect.objectContaining({ length: 5 }), undefined])
})
