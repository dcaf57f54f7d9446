import { expect, test } from 'vitest'
import { simulateXero } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import type { SimulatedXero } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { openNetwork } from '@tributary/testing/engine/sync/source-context.ts'
import { xeroAuthorising } from './oauth.ts'

function ask({ sim }: SimulatedXero, accessToken: string, onlyOf: string | null = null) {
  const { signal } = new AbortController()
  return xeroAuthorising.tenants({
    accessToken,
    addresses: sim.addresses,
    consentId: onlyOf,
    network: openNetwork,
    signal,
  })
}

test('a sign-in returns its companies with country and currency, filtered by the consent event if known', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  const { sim } = simulation
  const [first, second, third] = sim.companies
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three companies.')
  sim.issueToken(1, [first.tenantId, second.tenantId])
  const { accessToken } = sim.issueToken(1, [third.tenantId])
  const all = await ask(simulation, accessToken)
  expect(all.map(({ name }) => name).toSorted()).toEqual([first.name, second.name, third.name].toSorted())
  const chosen = await ask(simulation, accessToken, xeroAuthorising.consentIdOf(accessToken))
  const { tenantId: id, name, country, currency } = third
  expect(chosen).toEqual([{ id, name, country, currency, connectionId: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
})

test('a company that does not respond is returned with its name only', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  simulation.sim.faults.inject({ kind: 'reply', path: 'organisation', reply: { status: 500, body: 'oops' } })
  const { accessToken } = simulation.sim.issueToken(0, [simulation.tenantId])
  const tenants = await ask(simulation, accessToken, xeroAuthorising.consentIdOf(accessToken))
  expect(tenants).toMatchObject([{ id: simulation.tenantId, name: 'Harbour Trading', country: null, currency: null }])
})

test('a refused token requires a new sign-in, an outage a retry, and neither fault contains the token', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  const refused: unknown = await ask(simulation, 'never-issued-token').catch((error: unknown) => error)
  expect(refused).toMatchObject({ kind: 'signIn' })
  expect(JSON.stringify(refused)).not.toContain('never-issued-token')
  for (const kind of ['drop', 'cut'] as const) {
    simulation.sim.faults.inject({ kind, path: 'connections' })
    await expect(ask(simulation, await simulation.authorisation.token())).rejects.toMatchObject({ kind: 'passing' })
  }
})

test('a token without a consent event filters nothing', () => {
  const tokenOf = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`
  expect(xeroAuthorising.consentIdOf(tokenOf({ authentication_event_id: 'a1' }))).toBe('a1')
  for (const token of ['', 'opaque', 'a.b.c', tokenOf({}), tokenOf(null), tokenOf({ authentication_event_id: 7 })])
    expect(xeroAuthorising.consentIdOf(token)).toBeNull()
})
