import { expect, test } from 'vitest'
import { simulated } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import type { Simulated } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { openNetwork } from '@tributary/testing/engine/sync/source-context.ts'
import { xeroAuthorising } from './authorising.ts'

function ask({ sim }: Simulated, accessToken: string, onlyOf: string | null = null) {
  const { signal } = new AbortController()
  return xeroAuthorising.tenants({
    accessToken,
    addresses: sim.addresses,
    consentId: onlyOf,
    network: openNetwork,
    signal,
  })
}

test('a sign-in tells its companies with country and currency, and the event of consent narrows them down to those just chosen', async () => {
  await using there = await simulated({ size: tinySize })
  const { sim } = there
  const [first, second, third] = sim.companies
  if (first === undefined || second === undefined || third === undefined) throw new Error('There are three companies.')
  sim.issueToken(1, [first.tenantId, second.tenantId])
  const { accessToken } = sim.issueToken(1, [third.tenantId])
  const all = await ask(there, accessToken)
  expect(all.map(({ name }) => name).toSorted()).toEqual([first.name, second.name, third.name].toSorted())
  const chosen = await ask(there, accessToken, xeroAuthorising.consentIdOf(accessToken))
  const { tenantId: id, name, country, currency } = third
  expect(chosen).toEqual([{ id, name, country, currency, connectionId: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
})

test('a company that does not answer just now is told by its name', async () => {
  await using there = await simulated({ size: tinySize })
  there.sim.mishaps.order({ kind: 'reply', path: 'organisation', reply: { status: 500, body: 'oops' } })
  const { accessToken } = there.sim.issueToken(0, [there.tenantId])
  const tenants = await ask(there, accessToken, xeroAuthorising.consentIdOf(accessToken))
  expect(tenants).toMatchObject([{ id: there.tenantId, name: 'Harbour Trading', country: null, currency: null }])
})

test('a token that is refused asks for a person, an outage for patience, and neither tells the token', async () => {
  await using there = await simulated({ size: tinySize })
  const refused: unknown = await ask(there, 'nobody-gave-this-token').catch((error: unknown) => error)
  expect(refused).toMatchObject({ kind: 'signIn' })
  expect(JSON.stringify(refused)).not.toContain('nobody-gave-this-token')
  for (const kind of ['drop', 'cut'] as const) {
    there.sim.mishaps.order({ kind, path: 'connections' })
    await expect(ask(there, await there.authorisation.token())).rejects.toMatchObject({ kind: 'passing' })
  }
})

test('a token that does not tell its event of consent narrows nothing down', () => {
  const tokenOf = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`
  expect(xeroAuthorising.consentIdOf(tokenOf({ authentication_event_id: 'a1' }))).toBe('a1')
  for (const token of ['', 'opaque', 'a.b.c', tokenOf({}), tokenOf(null), tokenOf({ authentication_event_id: 7 })])
    expect(xeroAuthorising.consentIdOf(token)).toBeNull()
})
