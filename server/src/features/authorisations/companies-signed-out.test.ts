/** A connector of several companies that two people have signed in, one of whose sign-ins ends. */
import { authorisations } from '@tributary/contract/authorisations'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectByTwoSignIns } from '@tributary/testing/server/connectors/two-sign-ins.ts'
import { openXeroApp, type XeroApp } from '@tributary/testing/server/connectors/xero-app.ts'

let world: XeroApp
let clientId: string
let connectorId: string
beforeAll(async () => {
  world = await openXeroApp()
  clientId = world.app.harbour.id
  connectorId = await connectByTwoSignIns(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const admin = () => world.app.as.admin

async function checkSource() {
  const body = { type: 'xero', connectorId, properties: [] }
  const reply = await admin().call(connectors.check, { params: { clientId }, body })
  expect(reply.status).toBe(200)
  return reply.body.filter(({ Side }) => Side === 'source')
}

test('[SRC-12] the connection of every company is tested, and one that fails is named', async () => {
  expect((await checkSource()).map(({ Name, Outcome, Notice }) => [Name, Outcome, Notice])).toEqual([
    ['Reach Xero', 'passed', 'All 3 companies.'],
    ['Sign in', 'passed', 'All 3 companies.'],
    ['Read the company ‘Harbour Trading’', 'passed', null],
    ['Read the company ‘Harbour Trading Australia’', 'passed', null],
    ['Read the company ‘Summit Foods’', 'passed', null],
  ])
  world.xero.disconnect(world.tenant(1))
  const some = await checkSource()
  expect(some.filter(({ Outcome }) => Outcome === 'failed').map(({ Name }) => Name)).toEqual([
    expect.stringMatching(/, Harbour Trading Australia$/u),
  ])
  expect(some.filter(({ Outcome }) => Outcome === 'passed').map(({ Notice }) => Notice)).toContain('2 of 3 companies.')
})

test('[SRC-12] when a later sign-in of the connector ends, its administrators get an email that names its companies', async () => {
  world.xero.revoke(1)
  // The access token stays valid for half an hour.
  world.app.clock.advance(31 * 60_000)
  await admin().signIn()
  const failed = (await checkSource()).filter(({ Outcome }) => Outcome === 'failed')
  expect(failed.map(({ Name }) => Name)).toContain('Sign in, Summit Foods')
  const emails = await world.app.emailsTo('admin@demo.example')
  const ended = emails.filter(({ template }) => template === 'authorisation-ended')
  expect(ended).toHaveLength(1)
  const text = ended[0]?.paragraphs.join(' ')
  expect(text).toContain('Harbour Trading and others (Summit Foods)')
  expect(text).toContain('A connector of several companies continues')
  const { body } = await admin().call(authorisations.ofConnector, { params: { clientId, connectorId } })
  expect(body.Companies.map(({ Name, Status }) => [Name, Status])).toEqual([
    ['Harbour Trading', 'ACTIVE'],
    ['Harbour Trading Australia', 'ACTIVE'],
    ['Summit Foods', 'DEAD'],
  ])
})

test('[SRC-12] a sign-in that opens no further company renews all that the connector moves, because a source does not ask twice', async () => {
  const tenantIds = [world.tenant(0), world.tenant(1), world.tenant(2)]
  const browser = await world.browserOf()
  // The companies are connected to the second person, by an earlier sign-in.
  await world.authorise(browser, { person: 1, tenantIds })
  world.xero.faults.inject({ kind: 'reply', path: 'connections', times: 1, reply: { status: 200, body: '[]' } })
  const again = await world.authorise(browser, { person: 1, tenantIds }, { connector: connectorId })
  expect(again.searchParams.get('connected')).toBe(connectorId)
  world.xero.revoke(0)
  world.app.clock.advance(31 * 60_000)
  await admin().signIn()
  expect((await checkSource()).filter(({ Outcome }) => Outcome !== 'passed')).toEqual([])
})
