/** The doors to a source that a customer describes: assistants, the OData feed, access tokens, the query editor and table synchronisation. */
import { approvals } from '@tributary/contract/approvals'
import { connectors } from '@tributary/contract/connectors'
import { data } from '@tributary/contract/data'
import { queries } from '@tributary/contract/queries'
import { runs } from '@tributary/contract/runs'
import { schemaChanges } from '@tributary/contract/schema-changes'
import { streams } from '@tributary/contract/streams'
import { tokenScopeNames } from '@tributary/contract/token-scopes'
import { verifications } from '@tributary/contract/verifications'
import { assistants } from '@tributary/contract/assistants'
import { assistantOf, storeToken } from '@tributary/testing/server/access/assistant.ts'
import { switchAssistants } from '@tributary/testing/server/access/assistant-fixture.ts'
import { getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { applyChanges } from '@tributary/testing/server/access/warehouse-login.ts'
import { type CustomerSources, openCustomerSources } from '@tributary/testing/server/connectors/customer-sources.ts'
import { RunDriver, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { MadeToken } from '@tributary/testing/server/identity/make-token.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker, type Worker } from '../../worker.ts'

let world: CustomerSources
let worker: Worker
let driver: RunDriver
let connectorId: string
beforeAll(async () => {
  world = await openCustomerSources()
  const { app } = world
  worker = await startWorker(app.services, { pollMs: 200 })
  driver = new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('SELECT 1'))
  await switchAssistants(app, true)
  await app.as.otherAdmin.signIn()
  await app.as.otherAdmin.call(assistants.setPolicy, { params: { clientId: app.summit.id }, body: { allowed: true } })
  connectorId = await world.add('rest-api', 'Quiet list')
})
afterAll(async () => {
  await worker.stop()
  await world[Symbol.asyncDispose]()
})

const statement = 'SELECT count(*)::text FROM quiet_list.document'

interface Visitor {
  readonly role: 'admin' | 'otherAdmin'
  /** The organisation that the visitor is in, and the one whose doors are tried. */
  readonly of: string
  readonly at: string
}

const ownAdmin = (): Visitor => ({ role: 'admin', of: world.app.harbour.id, at: world.app.harbour.id })
/** With a token of its organisation at the doors of this one, and at its own doors with the id of this connector. */
const foreigners = (): readonly Visitor[] =>
  [world.app.harbour.id, world.app.summit.id].map((at) => ({ role: 'otherAdmin', of: world.app.summit.id, at }))

const refused = {
  run: '409 awaitsApproval',
  verification: '409 awaitsApproval',
  tables: '403 tokenRefused',
  approval: '403 tokenRefused',
}

/** What each door gives. `reads`: rows, tables and names of the source; `starts`: how a call is refused that would open it. */
interface Visit {
  readonly reads: Readonly<Record<string, string>>
  readonly starts: Readonly<Record<string, string>>
}

async function visit({ role, of, at }: Visitor): Promise<Visit> {
  const { app } = world
  const userId = app.idOf(role)
  const reads: Record<string, string> = {}
  {
    await using assistant = await assistantOf(app, { userId, organisationId: of, scopes: tokenScopeNames })
    for (const tool of ['status', 'failures', 'freshness', 'tie_out', 'what_changed'])
      reads[`assistant ${tool}`] = JSON.stringify(await assistant.call(tool, { connectorId }))
    reads['assistant dictionary'] = JSON.stringify((await assistant.call('dictionary')).data)
    reads['assistant query'] = JSON.stringify((await assistant.call('query', { sql: statement })).data ?? null)
  }
  for (const path of ['/', '/$metadata', '/quiet_list_document']) {
    const { status, text } = await getFeed(app, path, { as: role, organisationId: at })
    reads[`feed ${path}`] = given({ status, body: text })
  }
  const secret = await storeToken(app, { userId, organisationId: of, scopes: tokenScopeNames })
  const token = new MadeToken(app, { Secret: secret, Token: null as never })
  const params = { clientId: at, connectorId, schema: 'quiet_list', table: 'document' }
  const read = async (door: string, ...[route, input]: Parameters<MadeToken['call']>): Promise<void> => {
    reads[door] = given(await token.call(route, { params, ...input }))
  }
  reads['tables'] = given(await app.as[role].call(data.tables, { params }))
  reads['rows'] = given(await app.as[role].call(data.rows, { params }))
  const query = await token.call(queries.run, { params, body: { database: 'warehouse', statement } })
  reads['token query'] = given({ status: query.status, body: query.body['Rows'] })
  await read('token changes', schemaChanges.list)
  await read('token connector', connectors.read)
  reads['table synchronisation'] = given(await app.as[role].send('GET', `/api/organisations/${at}/database-table-sync`))
  const form = { type: 'rest-api', connectorId, properties: [] }
  const starts = {
    run: await refusal(token.call(runs.process, { params, body: {} })),
    verification: await refusal(token.call(verifications.start, { params, body: {} })),
    tables: await refusal(token.call(streams.discover, { params, body: form })),
    approval: await refusal(
      token.call(approvals.decideHosts, { params, body: { decision: 'APPROVED', hosts: ['127.0.0.1'] } }),
    ),
  }
  return { reads, starts }
}

async function refusal(reply: ReturnType<MadeToken['call']>): Promise<string> {
  const { status, body } = await reply
  return `${status} ${body.code ?? 'done'}`
}

/** A refusal may repeat what was asked for. */
function given({ status, body }: { readonly status: number; readonly body: unknown }): string {
  return status < 400 ? JSON.stringify(body) : ''
}

/** The doors that name the table or have its rows. */
function openDoors({ reads }: Visit): readonly string[] {
  return Object.keys(reads).filter((door) => /quiet_list|"30"/u.test(reads[door] ?? ''))
}

test('[SRC-9] before the approval no door sends a byte or has anything to read', async () => {
  const visited = await visit(ownAdmin())
  expect(openDoors(visited)).toEqual([])
  expect(visited.starts).toEqual(refused)
  expect(world.rest.calls).toEqual([])
})

test('[SRC-9] another organisation sees nothing of it and starts nothing, at any door', async () => {
  for (const visitor of foreigners()) {
    const visited = await visit(visitor)
    expect(openDoors(visited)).toEqual([])
    expect(JSON.stringify(visited.reads)).not.toMatch(/Quiet list|Harbour/u)
    expect(Object.values(visited.starts).filter((how) => !/^40[34] /u.test(how))).toEqual([])
  }
  expect(world.rest.calls).toEqual([])
})

test('[SRC-9] after the approval each door has its rows; after a withdrawal no door triggers a call, and another organisation still sees nothing', async () => {
  expect(await world.decide(connectorId, 'APPROVED')).toBe(200)
  const run = await driver.runToEnd(connectorId)
  expect([run.Status, run.Notice]).toEqual(['COMPLETED', null])
  await applyChanges(world.app)
  const open = await visit(ownAdmin())
  expect(openDoors(open)).toEqual([
    'assistant dictionary',
    'assistant query',
    'feed /',
    'feed /$metadata',
    'feed /quiet_list_document',
    'tables',
    'rows',
    'token query',
  ])
  expect(open.starts['run']).toBe('202 done')
  const params = { clientId: world.app.harbour.id, connectorId }
  await until(
    async () => (await world.app.as.admin.call(runs.list, { params })).body,
    (all) => all.every(({ Status }) => Status !== 'QUEUED' && Status !== 'RUNNING'),
  )
  expect(await world.decide(connectorId, 'WITHDRAWN', 'The contract has ended.')).toBe(200)
  const before = world.rest.calls.length
  for (const visitor of [ownAdmin(), ...foreigners()]) await visit(visitor)
  const visited = await visit(ownAdmin())
  // What was moved belongs to the customer and stays.
  expect(openDoors(visited)).toEqual(openDoors(open))
  expect(visited.starts).toEqual(refused)
  for (const visitor of foreigners()) expect(openDoors(await visit(visitor))).toEqual([])
  expect(world.rest.calls).toHaveLength(before)
})
