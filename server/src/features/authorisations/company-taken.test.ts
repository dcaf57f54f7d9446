import { afterAll, beforeAll, expect, test } from 'vitest'
import { landing, openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

let world: XeroApp
beforeAll(async () => {
  world = await openXeroApp()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Authorises these companies; returns the query of the landing page. */
async function authorise(companies: readonly number[], person = 0): Promise<Readonly<Record<string, string>>> {
  const [, query] = landing(
    await world.authorise(await world.browserOf(), {
      person,
      tenantIds: companies.map((index) => world.tenant(index)),
    }),
  )
  return query
}

async function countGrants(): Promise<number> {
  return (await world.app.store.across((db) => db.selectFrom('oauthGrant').selectAll().execute())).length
}

test('[ACC-7] opening only a company that is already connected leads to its connector, and stores nothing', async () => {
  const first = await authorise([0])
  const grants = await countGrants()
  expect(await authorise([0], 2)).toEqual(first)
  expect(await countGrants()).toBe(grants)
})

test('[ACC-7] opening only companies of other organisations is refused with the reason, without a choice', async () => {
  const other = await world.browserOf('admin@other.example')
  for (const tenantId of [world.tenant(1), world.tenant(2)])
    await world.authorise(other, { tenantIds: [tenantId] }, { state: world.app.summit.id })
  const organisation = world.app.harbour.id
  expect(await authorise([1, 2])).toEqual({ error: 'connector_exists', organisation })
  expect(await authorise([1, 3]), 'one that is free').toEqual({ connected: expect.any(String), organisation })
})
