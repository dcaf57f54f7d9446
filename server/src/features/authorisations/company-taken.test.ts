import { afterAll, beforeAll, expect, test } from 'vitest'
import { landing, openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

let world: XeroApp
beforeAll(async () => {
  world = await openXeroApp()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Where somebody comes back to who has opened these companies. */
async function open(companies: readonly number[], person = 0): Promise<Readonly<Record<string, string>>> {
  const [, told] = landing(
    await world.travel(await world.browserOf(), { person, tenantIds: companies.map((index) => world.tenant(index)) }),
  )
  return told
}

async function countGrants(): Promise<number> {
  return (await world.app.store.across((db) => db.selectFrom('oauthGrant').selectAll().execute())).length
}

test('[ACC-7] who opens only a company that is connected here already comes back to its connector, and nothing is kept', async () => {
  const first = await open([0])
  const grants = await countGrants()
  expect(await open([0], 2)).toEqual(first)
  expect(await countGrants()).toBe(grants)
})

test('[ACC-7] who opens only companies of other organisations is told so, and offered no choice', async () => {
  const other = await world.browserOf('admin@other.example')
  for (const tenantId of [world.tenant(1), world.tenant(2)])
    await world.travel(other, { tenantIds: [tenantId] }, { state: world.app.summit.id })
  const organisation = world.app.harbour.id
  expect(await open([1, 2])).toEqual({ error: 'connector_exists', organisation })
  expect(await open([1, 3]), 'one that is free').toEqual({ connected: expect.any(String), organisation })
})
