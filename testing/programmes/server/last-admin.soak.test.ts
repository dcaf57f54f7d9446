/** Concurrent calls that try to remove every administrator: a few rounds as a slice, fifty with `npm run soak`. */
import { users } from '@tributary/contract/users'
import type { RoleName } from '@tributary/contract/capabilities'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddedPerson, addPerson } from '../../server/identity/add-person.ts'
import { roleIdOf, statusIds } from '../../server/app/fixed-ids.ts'
import type { TestClient } from '../../server/app/client.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull, seed } from '../extent.ts'

const random = createRandom(seed)
const rounds = Array.from({ length: isFull ? 50 : 2 }, (_, round) => ({
  round,
  parallel: isFull ? 100 : 20,
}))

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Signs in first, because the earlier rounds take longer than a session lasts. */
async function newOrganisation(companyName: string): Promise<string> {
  await app.as.superadmin.signIn()
  return (await app.as.superadmin.call(users.createOrganisation, { body: { companyName } })).body.Id
}

async function addPeople(count: number, roles: Readonly<Record<string, RoleName>>): Promise<readonly AddedPerson[]> {
  const people = []
  for (let number = 0; number < count; number += 1) people.push(await addPerson(app, roles))
  return people
}

const removals = ['removed', 'demoted', 'locked', 'archived'] as const

/** Removes the user's administrator access in a random way and returns the HTTP status. */
async function takeAway(client: TestClient, orgId: string, userId: string): Promise<number> {
  const way = removals[random.between(0, removals.length - 1)] ?? 'removed'
  const to = { params: { userId }, query: { orgId } }
  if (way === 'removed') return (await client.call(users.remove, to)).status
  const body = way === 'demoted' ? { roleId: roleIdOf('user') } : { statusId: statusIds[way] }
  return (await client.call(users.update, { ...to, body })).status
}

async function countActive(organisationId: string): Promise<{ admins: number; superadmins: number }> {
  return app.store.across(async (db) => {
    const active = await db
      .selectFrom('portalUser')
      .leftJoin('membership', (join) =>
        join.onRef('membership.userId', '=', 'portalUser.id').on('membership.organisationId', '=', organisationId),
      )
      .select(['providerRoleId', 'membership.roleId'])
      .where('statusId', '=', statusIds.active)
      .execute()
    return {
      admins: active.filter(({ providerRoleId, roleId }) => providerRoleId === null && roleId === roleIdOf('admin'))
        .length,
      superadmins: active.filter(({ providerRoleId }) => providerRoleId === roleIdOf('superadmin')).length,
    }
  })
}

const tally = (statuses: readonly number[]) =>
  Object.groupBy(statuses, (status) => (status < 300 ? 'done' : String(status)))

/** Signs in slowly enough for the rate limit of one address. */
async function signInAll(people: readonly AddedPerson[]): Promise<void> {
  for (const { client } of people) {
    await client.signIn()
    app.clock.advance(1_100)
  }
}

test.each(rounds)(
  `[ROLE-1] of $parallel administrators who are all removed at once, one stays (round $round, seed ${seed})`,
  async ({ round, parallel }) => {
    const organisationId = await newOrganisation(`Burst ${round}`)
    const people = await addPeople(parallel, { [organisationId]: 'admin' })
    const statuses = await Promise.all(people.map(({ id }) => takeAway(app.as.superadmin, organisationId, id)))
    const { done = [], 409: refused = [] } = tally(statuses)
    expect([done.length, refused.length]).toEqual([parallel - 1, 1])
    expect(await countActive(organisationId)).toMatchObject({ admins: 1 })
  },
)

test.each(rounds)(
  `[ROLE-1] of $parallel administrators who remove each other in a circle, at least one stays (round $round, seed ${seed})`,
  async ({ round, parallel }) => {
    const organisationId = await newOrganisation(`Circle ${round}`)
    const people = await addPeople(parallel, { [organisationId]: 'admin' })
    await signInAll(people)
    const next = (index: number) => people[(index + 1) % people.length]?.id ?? ''
    const statuses = await Promise.all(people.map(({ client }, index) => takeAway(client, organisationId, next(index))))
    const { done = [], ...others } = tally(statuses)
    expect(Object.keys(others).filter((status) => !['401', '403', '409'].includes(status))).toEqual([])
    const { admins } = await countActive(organisationId)
    expect(admins).toBe(parallel - done.length)
    expect(admins).toBeGreaterThan(0)
  },
)

test.each(rounds)(
  `[ROLE-1] of $parallel superadmins who demote each other in a circle, at least one stays (round $round, seed ${seed})`,
  async ({ round, parallel }) => {
    const organisationId = await newOrganisation(`Provider ${round}`)
    const before = await countActive(organisationId)
    const people = await addPeople(parallel, { [organisationId]: 'superadmin' })
    await signInAll(people)
    // Locks the trial's superadmin, so that the last of these is the last of all.
    await setTrialSuperadmin(statusIds.locked)
    const replies = await Promise.all(
      people.map(({ client }, index) =>
        client.call(users.update, {
          params: { userId: people[(index + 1) % people.length]?.id ?? '' },
          query: { orgId: organisationId },
          body: { roleId: roleIdOf('user') },
        }),
      ),
    )
    const { done = [], ...others } = tally(replies.map(({ status }) => status))
    expect(Object.keys(others).filter((status) => !['401', '403', '404', '409'].includes(status))).toEqual([])
    const { superadmins } = await countActive(organisationId)
    expect(superadmins).toBe(before.superadmins - 1 + parallel - done.length)
    expect(superadmins).toBeGreaterThan(0)
    await retireSuperadmins(people)
    await setTrialSuperadmin(statusIds.active)
  },
)

async function setTrialSuperadmin(statusId: string): Promise<void> {
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ statusId }).where('id', '=', app.idOf('superadmin')).execute(),
  )
}

/** Restores the state before the round. */
async function retireSuperadmins(people: readonly AddedPerson[]): Promise<void> {
  const ids = people.map(({ id }) => id)
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ providerRoleId: null }).where('id', 'in', ids).execute(),
  )
}
