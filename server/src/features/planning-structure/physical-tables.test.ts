import type { FaultReply } from '@tributary/contract/faults'
import { planningStructure } from '@tributary/contract/planning-structure'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

function post(path: string, body: object) {
  return app.as.admin.send<FaultReply & { Id: string; Name: string; InputTableName?: string }>('POST', `/api${path}`, {
    body,
  })
}

test('[VER-3] a version whose table another version has is refused, with the table and the other’s name', async () => {
  await post('/versions', { name: 'Budget 2026' })
  const { status, body } = await post('/versions', { name: 'BUDGET2026' })
  expect([status, body.code]).toEqual([409, 'tableNameTaken'])
  expect(body.message).toContain('The table B2SBUDGET2026 would then belong to two: Budget 2026 has it already.')
})

test('[HELP-2] a version and a helper table cannot have the same table, whichever is added first', async () => {
  await post('/versions', { name: 'Rates' })
  expect((await post('/helperTables', { name: 'R-a-t-e-s' })).body.message).toContain('Rates has it already')
  await post('/helperTables', { name: 'Cost: centres' })
  expect((await post('/versions', { name: 'cost centres' })).body.message).toContain('Cost: centres has it already')
})

test('renaming moves the claim to a table, and a refused change claims nothing', async () => {
  const { body: plan } = await post('/versions', { name: 'Plan A' })
  expect((await post(`/versions/${plan.Id}`, { name: 'Plan  a' })).status).toBe(200)
  expect((await post(`/versions/${plan.Id}`, { name: 'Plan C' })).status).toBe(200)
  const { body: other } = await post('/helperTables', { name: 'Plan A' })
  expect((await post(`/versions/${plan.Id}`, { name: 'plan-a' })).status).toBe(200)
  const refused = await post(`/versions/${plan.Id}`, { name: 'plana' })
  expect([refused.body.code, refused.body.message]).toEqual([
    'tableNameTaken',
    expect.stringContaining('Plan A has it already'),
  ])
  const { body: versions } = await app.as.user.call(planningStructure.versions, { query: { search: 'plan' } })
  expect(versions.map(({ Name }) => Name)).toEqual(['plan-a'])
  expect((await post('/versions', { name: 'Plan C' })).status).toBe(201)
  expect((await app.as.superadmin.send('DELETE', `/api/helperTables/${other.Id}`)).status).toBe(204)
  expect((await post('/versions', { name: 'PlanA' })).status).toBe(201)
})

test('of concurrent claims to a table exactly one succeeds, and exchanging tables does not deadlock', async () => {
  const names = Array.from({ length: 40 }, (_, spaces) => `Same${' '.repeat(spaces)}table`)
  const replies = await Promise.all(
    names.map((name, at) => post(at % 2 === 0 ? '/versions' : '/helperTables', { name })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...names.slice(1).map(() => 409)])
  const { body: one } = await post('/versions', { name: 'One' })
  const { body: two } = await post('/versions', { name: 'Two' })
  const exchanged = await Promise.all([
    post(`/versions/${one.Id}`, { name: 'T wo' }),
    post(`/versions/${two.Id}`, { name: 'O ne' }),
  ])
  for (const { status } of exchanged) expect([200, 409]).toContain(status)
})

test('[HELP-2] InputTableName is derived from the name; a different one is refused with the right one', async () => {
  const created = await post('/helperTables', {
    name: '2026 Exchange rates (EUR)',
    inputTableName: '026ExchangeratesEUR',
  })
  expect([created.status, created.body.InputTableName]).toEqual([201, '026ExchangeratesEUR'])
  const { status, body } = await post('/helperTables', { name: 'Cost types', inputTableName: 'CostType' })
  expect([status, body.fields]).toEqual([
    400,
    { inputTableName: 'is derived from the name and must be Costtypes; send that, or leave it out' },
  ])
  expect((await post(`/helperTables/${created.body.Id}`, { name: 'Rates of exchange' })).body.InputTableName).toBe(
    'Ratesofexchange',
  )
  expect((await post(`/helperTables/${created.body.Id}`, { inputTableName: 'Other' })).body.fields).toHaveProperty(
    'inputTableName',
  )
  expect((await post(`/helperTables/${created.body.Id}`, { inputTableName: 'Ratesofexchange' })).status).toBe(200)
  const whole = {
    name: 'Complete',
    inputTableName: 'Complete',
    budget2SqlProductId: app.harbour.id,
    statusId: statusIds.locked,
  }
  expect((await post('/helperTables', whole)).body).toMatchObject({ Name: 'Complete', Status: { Name: 'locked' } })
  const foreign = await post('/helperTables', { name: 'Of others', budget2SqlProductId: app.summit.id })
  expect(foreign.body.fields).toHaveProperty('budget2SqlProductId')
})

test.each([
  ['/versions', '!!! ---'],
  ['/helperTables', '–––'],
  ['/helperTables', '7'],
])('[VER-3] [HELP-2] %s refuses the name %j, which yields no table name', async (path, name) => {
  const { status, body } = await post(path, { name })
  expect([status, body.fields]).toEqual([400, { name: expect.stringContaining('table') }])
})
