import { randomUUID } from 'node:crypto'
import { connectors } from '@tributary/contract/connectors'
import type { FaultReply } from '@tributary/contract/faults'
import { organisations } from '@tributary/contract/organisations'
import { accounting } from '@tributary/contract/accounting'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { addProduct } from '@tributary/testing/server/connectors/add-product.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** Audit events, newest first. */
async function events(action: string): Promise<readonly unknown[]> {
  const rows = await app.store.within(app.harbour.id, (db) =>
    db
      .selectFrom('auditEvent')
      .select(['detail', 'objectId'])
      .where('organisationId', '=', app.harbour.id)
      .where('action', '=', action)
      .orderBy('id', 'desc')
      .execute(),
  )
  return rows
}

describe('assigning products', () => {
  const withOrg = () => ({ orgId: app.harbour.id })
  const productsOf = async (userId: string) => {
    const { body } = await app.as.admin.call(accounting.users, { query: withOrg() })
    return body.find(({ Id }) => Id === userId)?.Xero2SqlProducts?.map(({ CompanyName }) => CompanyName)
  }

  test('[ASG-4] adds, replaces and removes assignments, which are those of the connector', async () => {
    const { id: userId, client } = await addPerson(app, { [app.harbour.id]: 'user' })
    const [one, two] = [
      await addProduct(app, { companyName: 'First Ltd' }),
      await addProduct(app, { companyName: 'Second Ltd' }),
    ]
    const params = { userId }
    for (const time of [1, 2]) {
      const { status, body } = await app.as.admin.call(accounting.linkUser, {
        params,
        body: { xero2SqlProductId: one },
      })
      expect([time, status, body]).toEqual([time, 200, {}])
    }
    expect(await productsOf(userId)).toEqual(['First Ltd'])
    expect(
      (await client.call(connectors.list, { params: { clientId: app.harbour.id } })).body.map(({ Id }) => Id),
    ).toEqual([one])
    await app.as.admin.call(connectors.assignUsers, { params: { connectorId: two }, body: { users: [userId] } })
    expect(await productsOf(userId)).toEqual(['First Ltd', 'Second Ltd'])
    const { body: listed } = await app.as.admin.call(organisations.users)
    expect(listed.find(({ Id }) => Id === userId)?.Xero2SqlProducts?.map(({ Id }) => Id)).toEqual([one, two])
    const before = { ids: [one, two] }
    const { body: set } = await app.as.admin.call(accounting.setUser, { params, body: { ids: [two], before } })
    expect(set).toEqual({ Ids: [two] })
    expect(await events('assignment.changed')).toMatchObject([
      { objectId: userId, detail: { removed: ['First Ltd'], added: [] } },
      {},
    ])
    const late = await app.as.admin.send<FaultReply>('PUT', `/api/users/${userId}/xero2sqlproducts`, {
      body: { ids: [one], before },
    })
    expect([late.status, late.body.code, late.body.message]).toEqual([
      409,
      'changedMeanwhile',
      expect.stringContaining('removed First Ltd'),
    ])
    await app.as.admin.call(accounting.setUser, { params, body: { ids: [one, two] } })
    const away = await app.as.admin.call(accounting.unlinkUser, { params, body: { xero2SqlProductId: one } })
    expect([away.status, await productsOf(userId)]).toEqual([204, ['Second Ltd']])
    await app.as.admin.call(accounting.linkUser, { params, body: { xero2SqlProductId: one } })
    expect([(await app.as.admin.call(accounting.unlinkUser, { params })).status, await productsOf(userId)]).toEqual([
      204,
      [],
    ])
  })

  test('[ASG-4] is limited to the organisation’s members, products and administrators', async () => {
    const [ours, theirs] = [
      await addProduct(app, { companyName: 'Ours' }),
      await addProduct(app, { companyName: 'Not ours', organisationId: app.summit.id }),
    ]
    const [member, stranger] = [app.idOf('user'), app.idOf('otherAdmin')]
    const link = async (
      speaker: 'admin' | 'user' | 'otherAdmin',
      userId: string,
      xero2SqlProductId: string,
      query = {},
    ) =>
      (await app.as[speaker].call(accounting.linkUser, { params: { userId }, query, body: { xero2SqlProductId } }))
        .status
    const elsewhere = { xero2SqlProductId: ours, comOrganisationId: app.summit.id }
    expect((await app.as.admin.call(accounting.linkUser, { params: { userId: member }, body: elsewhere })).status).toBe(
      404,
    )
    expect(await link('admin', stranger, ours)).toBe(404)
    expect(await link('admin', member, theirs)).toBe(404)
    expect(await link('admin', member, randomUUID())).toBe(404)
    expect(await link('otherAdmin', member, ours)).toBe(404)
    expect(await link('otherAdmin', member, ours, withOrg())).toBe(404)
    expect(await link('user', member, ours)).toBe(403)
    const whole = (ids: readonly string[]) =>
      app.as.admin.call(accounting.setUser, { params: { userId: member }, body: { ids } })
    expect((await whole([ours, theirs])).status).toBe(404)
    expect(await productsOf(member)).not.toContain('Ours')
  })

  test('[ASG-4] loses no assignment when many are added concurrently', async () => {
    const { id: userId } = await addPerson(app, { [app.harbour.id]: 'guest' })
    const ids = await Promise.all(Array.from({ length: 8 }, (_, at) => addProduct(app, { companyName: `Many ${at}` })))
    await Promise.all(
      ids.map((id) => app.as.admin.call(accounting.linkUser, { params: { userId }, body: { xero2SqlProductId: id } })),
    )
    expect(await productsOf(userId)).toHaveLength(8)
  })
})
