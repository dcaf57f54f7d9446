import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { organisationsOfPoll, OrganisationSummaries } from './summarise-organisations.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const added = 2_400

async function countSummaries() {
  return app.store.across(async (db) => {
    const { all, computed } = await db
      .selectFrom('organisationSummary')
      .select((count) => [
        count.fn.countAll<number>().as('all'),
        count.fn.countAll<number>().filterWhere('summarisedAt', '>', new Date(0).toISOString()).as('computed'),
      ])
      .executeTakeFirstOrThrow()
    return { all, computed }
  })
}

test('[SCALE-4] a worker that finds thousands of organisations without a summary adds them a thousand at a time, until each has one', async () => {
  await app.store.across((db) =>
    sql`INSERT INTO organisation (companyName, key, timeZone, createdAt)
      SELECT 'Quay ' || n, 'quay-' || n, 'UTC', now() FROM generate_series(1, ${added}) n`.execute(db),
  )
  const summaries = new OrganisationSummaries()
  await summaries.poll(app.services)
  expect(await countSummaries()).toEqual({ all: 1_000, computed: organisationsOfPoll })
  for (let polls = 1; polls < 3; polls += 1) await summaries.poll(app.services)
  const organisations = await app.store.across((db) =>
    db
      .selectFrom('organisation')
      .select((count) => count.fn.countAll<number>().as('count'))
      .where('archivedAt', 'is', null)
      .executeTakeFirstOrThrow(),
  )
  expect(organisations.count).toBeGreaterThan(added)
  expect(await countSummaries()).toEqual({ all: organisations.count, computed: 3 * organisationsOfPoll })
})
