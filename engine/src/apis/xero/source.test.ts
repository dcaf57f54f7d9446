import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { simulateXero } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { testSource } from '@tributary/testing/conformance/source/source-suite.ts'
import { openNetwork } from '@tributary/testing/engine/sync/source-context.ts'
import { Fault } from '../../ports/faults.ts'
import { xeroAuthorising } from './oauth.ts'
import { xeroSource } from './source.ts'
import { bundleOf, xeroBundles, xeroStreams } from './streams.ts'
import { xeroTieOut } from './ledger/tie-out.ts'

testSource('Xero, simulated', async () => {
  const simulation = await simulateXero({ tier: 'advanced', callsPerMinute: 600, limits: { perMinute: 660 } })
  const { sim, clock, tenantId } = simulation
  const settings = xeroSource.parse({ 'xero.tenantId': tenantId, 'xero.address': sim.addresses.api })
  const refused = 'a-never-issued-token'
  const rows = (endpoint: string): number => sim.readRows(tenantId, endpoint).length
  return {
    open: (signal) => simulation.open(signal),
    openRefused: () =>
      xeroSource.open(settings, {
        network: openNetwork,
        clock,
        signal: new AbortController().signal,
        accessTokens: {
          token: async (old) => {
            if (old === undefined) return refused
            throw new Fault('signIn', { code: 'xero.authorise_again', notice: 'Connect Xero again.' })
          },
        },
      }),
    async change() {
      clock.advance(3_600_000)
      for (let step = 0; step < 20; step += 1) sim.tick(tenantId)
      return ['Invoices', 'Payments', 'Journals']
    },
    rows: Object.fromEntries(xeroStreams.filter(({ kind }) => kind !== 'report').map(({ name }) => [name, rows(name)])),
    secrets: [refused, await simulation.authorisation.token()],
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})

test('every stream is in one bundle, Base comes with every connector and supports the tie-out, and the documentation names them all', () => {
  expect(xeroBundles.filter(({ base }) => base).map(({ id }) => id)).toEqual(['Base'])
  const bundled = xeroBundles.flatMap(({ id, streams }) => streams.map((name) => [name, id]))
  expect(bundled).toEqual(xeroStreams.map((stream) => [stream.name, bundleOf(stream)]))
  expect(xeroBundles[0]?.streams).toEqual(expect.arrayContaining([...xeroTieOut.requiredStreams]))
  const documentation = readFileSync(new URL('../../../../docs/connectors.md', import.meta.url), 'utf8')
  const tables = xeroStreams.reduce((count, { shape }) => count + 1 + shape.children.length, 0)
  expect(documentation).toContain(`${xeroStreams.length} streams in ${tables} tables`)
  expect(xeroStreams.filter(({ name }) => !documentation.includes(`\`${name}\``)).map(({ name }) => name)).toEqual([])
})

test('the sign-in requests every scope that a stream needs, except journals, which Xero would reject', () => {
  const needed = new Set(xeroStreams.map(({ scope }) => scope))
  expect([...needed].filter((scope) => !xeroAuthorising.scopes.includes(scope))).toEqual(['accounting.journals.read'])
  expect([...needed].filter((scope) => !xeroAuthorising.machineScopes.includes(scope))).toEqual([
    'accounting.journals.read',
  ])
  expect(xeroAuthorising.scopes.filter((scope) => scope.startsWith('accounting.') && !scope.endsWith('.read'))).toEqual(
    [],
  )
})

test('the connection test takes one call and names the company', async () => {
  await using simulation = await simulateXero()
  await using source = await simulation.open()
  expect((await source.check()).map(({ name, outcome }) => [name, outcome])).toEqual([
    ['Reach Xero', 'passed'],
    ['Sign in', 'passed'],
    ['Read the company ‘Harbour Trading’', 'passed'],
  ])
  expect(simulation.sim.requests).toHaveLength(1)
})
