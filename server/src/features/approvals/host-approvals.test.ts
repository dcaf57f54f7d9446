/** Sources that customers describe: nothing is sent to a host before the provider has approved it. */
import { createServer, type AddressInfo } from 'node:net'
import { approvals } from '@tributary/contract/approvals'
import { connectors } from '@tributary/contract/connectors'
import { connectorProperties } from '@tributary/contract/connector-properties'
import { runs } from '@tributary/contract/runs'
import { streams } from '@tributary/contract/streams'
import { verifications } from '@tributary/contract/verifications'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import {
  type CustomerSources,
  hostOf,
  openCustomerSources,
  restSettings,
  restText,
} from '@tributary/testing/server/connectors/customer-sources.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { RunDriver } from '@tributary/testing/server/connectors/run-driver.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '../../worker.ts'
import { fireAllDue } from '../runs/scheduling/fire-schedules.ts'
import { fireDueVerifications } from '../runs/scheduling/fire-verifications.ts'

let world: CustomerSources
let worker: Worker
let driver: RunDriver
let clientId: string
beforeAll(async () => {
  world = await openCustomerSources()
  clientId = world.app.harbour.id
  worker = await startWorker(world.app.services, { pollMs: 200 })
  driver = new RunDriver(world.app.as.admin, clientId, await sourceDatabase('SELECT 1'))
})
afterAll(async () => {
  await worker.stop()
  await world[Symbol.asyncDispose]()
})

const admin = () => world.app.as.admin
const superadmin = () => world.app.as.superadmin
const read = async (connectorId: string) =>
  (await admin().call(connectors.read, { params: { clientId, connectorId } })).body
const listed = async (connectorId: string) =>
  (await superadmin().call(approvals.hosts)).body.find((one) => one.ConnectorId === connectorId)
const save = (connectorId: string, properties: readonly { name: string; value: unknown }[]) =>
  admin().call(connectors.change, { params: { clientId, connectorId }, body: { properties: [...properties] } })
const callsSoFar = () => world.rest.calls.length + world.odata.calls.length

test('[SRC-9] a REST API and an OData service that an administrator fills in move rows once the provider has approved their hosts', async () => {
  const before = callsSoFar()
  const rest = await world.add('rest-api', 'Documents')
  const odata = await world.add('odata-service', 'Orders')
  for (const [connectorId, there] of [
    [rest, world.rest],
    [odata, world.odata],
  ] as const) {
    const host = hostOf(there)
    expect((await read(connectorId)).HostApproval).toEqual({
      Status: 'WAITING',
      Hosts: [host],
      Notice: `Waiting for approval of ${host} by the provider. Nothing is sent there before.`,
    })
    expect(await listed(connectorId)).toMatchObject({
      ClientId: clientId,
      CompanyName: 'Harbour Trading',
      Hosts: [host],
      ApprovedHosts: [],
      Status: 'WAITING',
      Description: expect.stringContaining(there.url) as string,
      RequestedBy: 'Amara Okafor',
    })
  }
  expect(callsSoFar()).toBe(before)
  for (const connectorId of [rest, odata]) expect(await world.decide(connectorId, 'APPROVED')).toBe(200)
  for (const [connectorId, rows] of [
    [rest, 30],
    [odata, 30],
  ] as const) {
    const run = await driver.runToEnd(connectorId)
    expect([run.Status, run.Notice]).toEqual(['COMPLETED', null])
    expect(run.RowsWritten).toBeGreaterThanOrEqual(rows)
    expect((await read(connectorId)).HostApproval).toMatchObject({ Status: 'APPROVED', Notice: null })
  }
  const rows = await driver.inWarehouse<{ id: string }>('SELECT id FROM documents.document')
  expect(rows).toHaveLength(30)
})

test('[SRC-7] [SRC-9] before the approval no byte is sent, by any call that could open the source', async () => {
  const before = world.rest.calls.length
  const connectorId = await world.add('rest-api', 'Waiting API')
  const params = { clientId, connectorId }
  const properties = [...restSettings(world.rest)]
  const type = 'rest-api'
  // Test connection and the list of tables, of a form that is not saved, and of the saved connector.
  for (const body of [
    { type, properties },
    { type, properties, connectorId },
  ]) {
    const checked = await admin().call(connectors.check, { params: { clientId }, body })
    expect(checked.body).toContainEqual(
      expect.objectContaining({
        Side: 'source',
        Outcome: 'failed',
        Notice: expect.stringContaining(hostOf(world.rest)) as string,
      }),
    )
    const found = await admin().call(streams.discover, { params: { clientId }, body })
    expect([found.status, found.body]).toMatchObject([422, { code: 'settingsWrong' }])
  }
  // Runs by hand, of one table, of everything, and to verify.
  for (const reply of [
    await admin().call(runs.process, { params, body: {} }),
    await superadmin().call(runs.process, { params, body: { fullTransactionSync: true } }),
    await admin().call(verifications.start, { params, body: {} }),
  ])
    expect([reply.status, (reply.body as { code?: string }).code]).toEqual([409, 'awaitsApproval'])
  // Schedules of runs and of verifications.
  await world.app.store.within(clientId, (db) =>
    db
      .updateTable('connector')
      .set({ schedule: '* * * * *', nextRunAt: sql`now()`, verifySchedule: '0 2 * * *', verifyNextAt: sql`now()` })
      .where('id', '=', connectorId)
      .execute(),
  )
  await fireAllDue(world.app.services)
  await fireDueVerifications(world.app.services)
  expect((await admin().call(runs.list, { params })).body).toEqual([])
  // A run that was queued before the hosts changed is not claimed.
  await world.app.store.within(clientId, (db) =>
    db
      .insertInto('run')
      .values({ organisationId: clientId, connectorId, mode: 'incremental', trigger: 'person' })
      .execute(),
  )
  const other = await driver.runToEnd(await world.add('odata-service', 'Marker').then(approved))
  expect(other.Status).toBe('COMPLETED')
  expect((await admin().call(runs.list, { params })).body).toMatchObject([{ Status: 'QUEUED' }])
  expect(world.rest.calls).toHaveLength(before)
})

async function approved(connectorId: string): Promise<string> {
  await world.decide(connectorId, 'APPROVED')
  return connectorId
}

test('[SRC-9] a change that keeps the hosts needs no approval; another host, port or address does, and stops the connector until then', async () => {
  const connectorId = await world.add('rest-api', 'Changing API').then(approved)
  const { url, token } = world.rest
  const key = { name: 'rest-api.key', value: token }
  const text = (description: string) => ({ name: 'rest-api.description', value: description })
  expect((await save(connectorId, [text(restText(url, 'headers: { x-page: "1" }\n'))])).status).toBe(200)
  expect((await read(connectorId)).HostApproval?.Status).toBe('APPROVED')
  const otherPort = url.replace(/:\d+/u, ':9')
  const hosts = [
    [restText(otherPort), ['127.0.0.1:9']],
    [restText(url).replace('[127.0.0.1]', '[127.0.0.1, api.example.com]'), [hostOf(world.rest), 'api.example.com']],
  ] as const
  for (const [description, called] of hosts) {
    const secretless = await save(connectorId, [text(description)])
    expect([secretless.status, (secretless.body as { code?: string }).code]).toEqual([422, 'secretNeeded'])
    expect((await save(connectorId, [text(description), key])).status).toBe(200)
    expect((await read(connectorId)).HostApproval).toMatchObject({ Status: 'WAITING', Hosts: [...called].toSorted() })
    expect((await driver.process(connectorId)).status).toBe(409)
    expect((await save(connectorId, [text(restText(url)), key])).status).toBe(200)
    expect((await read(connectorId)).HostApproval).toMatchObject({ Status: 'APPROVED' })
  }
  expect((await driver.runToEnd(connectorId)).Status).toBe('COMPLETED')
  // One property of the form of an OData service.
  const service = await world.add('odata-service', 'Moving service').then(approved)
  const reply = await admin().call(connectorProperties.set, {
    params: { clientId, connectorId: service },
    body: [
      { name: 'odata-service.address', value: world.odata.url.replace(/:\d+/u, ':9') },
      { name: 'odata-service.key', value: world.odata.token },
    ],
  })
  expect(reply.status).toBe(200)
  expect((await read(service)).HostApproval).toMatchObject({ Status: 'WAITING', Hosts: ['127.0.0.1:9'] })
})

test('[SRC-7] [SRC-9] an approved host with an internal address is refused by the egress guard', async () => {
  let connections = 0
  const inside = createServer(() => void (connections += 1))
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  const base = `http://localhost:${(inside.address() as AddressInfo).port}/`
  const [, key] = restSettings(world.rest)
  const properties = [{ name: 'rest-api.description', value: restText(base) }, key ?? { name: '', value: '' }]
  const connectorId = await world.add('rest-api', 'Inside', properties).then(approved)
  const body = { type: 'rest-api', connectorId, properties: [] }
  const checked = await admin().call(connectors.check, { params: { clientId }, body })
  expect(checked.body.find(({ Outcome }) => Outcome === 'failed')?.Notice).toContain('it is an internal address')
  const run = await driver.runToEnd(connectorId)
  expect([run.Status, run.Notice]).toEqual(['FAILED', expect.stringContaining('it is an internal address')])
  expect(connections).toBe(0)
  await new Promise((resolve) => inside.close(resolve))
})

test('[SRC-9] the provider decides about the hosts that it has seen', async () => {
  const connectorId = await world.add('rest-api', 'Hasty API')
  const body = { decision: 'APPROVED', hosts: ['api.example.com'] } as const
  const reply = await superadmin().call(approvals.decideHosts, { params: { connectorId }, body })
  expect([reply.status, (reply.body as { code?: string }).code]).toEqual([409, 'hostsChanged'])
  expect((await read(connectorId)).HostApproval?.Status).toBe('WAITING')
})

test('[SRC-9] a refusal and a withdrawal need a reason, which the administrator sees; a withdrawal ends runs; all is audited and mailed', async () => {
  const connectorId = await world.add('rest-api', 'Doubtful API')
  const host = hostOf(world.rest)
  const requested = (await world.app.emailsTo('superadmin@demo.example')).at(-1)
  expect(requested).toMatchObject({
    template: 'hosts-waiting',
    action: { url: expect.stringMatching(/\/admin\/approvals$/u) as string },
  })
  expect(await world.decide(connectorId, 'REFUSED')).toBe(400)
  expect(await world.decide(connectorId, 'WITHDRAWN', 'Too early')).toBe(409)
  expect(await world.decide(connectorId, 'REFUSED', 'Who owns it?')).toBe(200)
  expect((await read(connectorId)).HostApproval?.Notice).toBe(
    `The provider has refused ${host}, so nothing is sent there. Reason: Who owns it?`,
  )
  expect((await driver.process(connectorId)).status).toBe(409)
  // The same description is not requested again; another one is.
  await save(connectorId, [{ name: 'rest-api.description', value: restText(world.rest.url) }])
  expect((await read(connectorId)).HostApproval?.Status).toBe('REFUSED')
  await save(connectorId, [{ name: 'rest-api.description', value: restText(world.rest.url, '# It is ours.\n') }])
  expect((await read(connectorId)).HostApproval?.Status).toBe('WAITING')
  expect(await world.decide(connectorId, 'APPROVED')).toBe(200)
  expect((await driver.runToEnd(connectorId)).Status).toBe('COMPLETED')
  const before = callsSoFar()
  expect(await world.decide(connectorId, 'WITHDRAWN', 'The contract has ended.')).toBe(200)
  expect((await read(connectorId)).HostApproval).toEqual({
    Status: 'WITHDRAWN',
    Hosts: [host],
    Notice: `The provider has withdrawn the approval of ${host}, so nothing is sent there. Reason: The contract has ended.`,
  })
  expect((await driver.process(connectorId)).status).toBe(409)
  expect(callsSoFar()).toBe(before)
  const actions = [
    'connector.hosts_requested',
    'connector.hosts_refused',
    'connector.hosts_approved',
    'connector.hosts_withdrawn',
  ] as const
  const found = await Promise.all(
    actions.map(async (action) => {
      const events = await findAuditEvents(world.app.store, action)
      return events.filter(({ objectId }) => objectId === connectorId).length
    }),
  )
  expect(found).toEqual([2, 1, 1, 1])
  const mailed = (await world.app.emailsTo('admin@demo.example')).filter(({ template }) => template === 'hosts-decided')
  expect(mailed.slice(-3).map(({ subject }) => subject)).toEqual([
    'The source of Doubtful API was refused',
    'The source of Doubtful API was approved',
    'The source of Doubtful API is no longer approved',
  ])
})
