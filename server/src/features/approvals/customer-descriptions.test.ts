/** Who describes sources and who decides about their hosts, and how descriptions are checked. */
import { approvals } from '@tributary/contract/approvals'
import { connectors } from '@tributary/contract/connectors'
import { sourceDescriptions } from '@tributary/contract/source-descriptions'
import {
  type CustomerSources,
  hostOf,
  odataSettings,
  openCustomerSources,
  restSettings,
  restText,
} from '@tributary/testing/server/connectors/customer-sources.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: CustomerSources
let clientId: string
beforeAll(async () => {
  world = await openCustomerSources()
  clientId = world.app.harbour.id
})
afterAll(() => world[Symbol.asyncDispose]())

const admin = () => world.app.as.admin
const read = async (connectorId: string) =>
  (await admin().call(connectors.read, { params: { clientId, connectorId } })).body

test('[SRC-9] only a superadmin sees and decides requests; other organisations see neither the connector nor its hosts', async () => {
  const connectorId = await world.add('rest-api', 'Private API')
  const body = { decision: 'APPROVED', hosts: [hostOf(world.rest)] } as const
  const { as } = world.app
  for (const role of ['provideradmin', 'admin', 'user', 'guest', 'otherAdmin'] as const) {
    expect([role, (await as[role].call(approvals.hosts)).status]).toEqual([role, 403])
    const decided = await as[role].call(approvals.decideHosts, { params: { connectorId }, body })
    expect([role, decided.status]).toEqual([role, role === 'otherAdmin' ? 404 : 403])
  }
  const elsewhere = { params: { clientId: world.app.summit.id, connectorId } }
  expect((await as.otherAdmin.call(connectors.read, elsewhere)).status).toBe(404)
  for (const role of ['user', 'guest'] as const) {
    const call = {
      params: { clientId },
      body: { type: 'rest-api', name: `${role}’s`, properties: [...restSettings(world.rest)] },
    }
    expect([role, (await as[role].call(connectors.create, call)).status]).toEqual([role, 403])
    const check = { params: { clientId }, body: { description: restText(world.rest.url) } }
    expect([role, (await as[role].call(sourceDescriptions.check, check)).status]).toEqual([role, 403])
  }
  const foreign = { params: { clientId }, body: { description: restText(world.rest.url) } }
  expect((await as.otherAdmin.call(sourceDescriptions.check, foreign)).status).toBe(404)
  expect((await read(connectorId)).HostApproval?.Status).toBe('WAITING')
})

test('[SRC-9] a description is checked: problems have line and column, otherwise the hosts and tables are shown', async () => {
  const check = async (description: string) =>
    (await admin().call(sourceDescriptions.check, { params: { clientId }, body: { description } })).body
  const text = restText('https://api.example.com:8443/v1/')
  expect(await check(text)).toEqual({ Problems: [], Hosts: ['api.example.com:8443'], Tables: ['document'] })
  expect(await check(text.replace('name: text', 'name: txt'))).toEqual({
    Problems: [{ Line: 16, Column: 7, Message: expect.stringContaining('is not a type') as string }],
    Hosts: [],
    Tables: [],
  })
  const saved = await admin().call(connectors.create, {
    params: { clientId },
    body: { type: 'rest-api', name: 'Wrong', properties: [{ name: 'rest-api.description', value: 'base: 1' }] },
  })
  expect([saved.status, saved.body]).toMatchObject([
    422,
    {
      code: 'settingsWrong',
      fields: { 'rest-api.description': expect.stringContaining('Line 1, column 1') as string },
    },
  ])
  // The form of an OData service names its fields.
  const [address, ...others] = odataSettings(world.odata)
  for (const value of ['https://*.com/', 'https://10.0.0.1/odata/', 'https://user:pw@api.example.com/']) {
    const reply = await admin().call(connectors.create, {
      params: { clientId },
      body: { type: 'odata-service', name: 'Wrong', properties: [{ name: address?.name ?? '', value }, ...others] },
    })
    expect([value, reply.status, reply.body]).toMatchObject([
      value,
      422,
      { fields: { 'odata-service.address': expect.any(String) as string } },
    ])
  }
})
