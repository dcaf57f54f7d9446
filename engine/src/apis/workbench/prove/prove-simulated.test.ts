/** Every way of paging and of finding changes, on the API that is generated from its description. */
import { afterEach, expect, test, vi } from 'vitest'
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { type DescribedHostile, hostileDescription } from '@tributary/testing/engine/described/hostile-connector.ts'
import { type DescribedOData, odataDescription } from '@tributary/testing/engine/described/hostile-odata.ts'
import { requireDescription } from '../../described/description/parse.ts'
import { startSimulatedApi } from '../simulator/simulated-api.ts'
import { readUntilKilled } from './killed-process.ts'
import { proveSimulated } from './prove-simulated.ts'
import { simulateRest } from './simulate-rest.ts'
import type { Proof } from './verdict.ts'

const hostile = { documents: 1, pageSize: 1, seed: 1 } as const
type ServiceOptions = Omit<DescribedOData, 'paging'>
const odata: ServiceOptions = { ...hostile }
const ways: readonly (readonly [string, DescribedHostile])[] = [
  ['whole list', { ...hostile, paging: 'none' }],
  ['whole list by pages', { ...hostile, paging: 'pageNumber' }],
  ['cursor by next links', { ...hostile, paging: 'nextLink', changes: 'cursor' }],
  ['cursor by the Link header', { ...hostile, paging: 'linkHeader', changes: 'cursor', keepsDeleted: true }],
  ['cursor by offset in order', { ...hostile, paging: 'offset', changes: 'ordered' }],
  ['windows by cursors', { ...hostile, paging: 'cursor', changes: 'windows' }],
  ['cursor by key, with details', { ...hostile, paging: 'keyset', changes: 'cursor', hasDetails: true }],
]

async function proofsOf(yaml: string, stream: string, engine: 'rest' | 'odata' = 'rest'): Promise<readonly Proof[]> {
  const description = requireDescription(yaml, engine)
  const proofs: Proof[] = []
  for await (const proof of proveSimulated({ description, stream, signal: new AbortController().signal }))
    proofs.push(proof)
  return proofs
}

test.each(ways)(
  '[SRC-10] %s: ties, late commits, deletes, cuts and kills are proven on an API made from the description',
  async (_, options) => {
    const proofs = await proofsOf(hostileDescription(options), 'document')
    expect(proofs.map(({ check, verdict, why }) => [check, verdict === 'provenSimulated' ? verdict : why])).toEqual(
      ['ties', 'lateCommits', 'deletes', 'cuts', 'kills'].map((check) => [check, 'provenSimulated']),
    )
  },
  60_000,
)

const services: readonly (readonly [string, Parameters<typeof odataDescription>[0]])[] = [
  ['a whole set by links', { ...odata, paging: 'nextLink' }],
  ['a whole set by count, with rows of other sets', { ...odata, paging: 'offset', expands: true }],
  ['a cursor by key', { ...odata, paging: 'keyset', changes: 'cursor', select: true, expands: true }],
  ['a cursor with marks of deletion', { ...odata, paging: 'nextLink', changes: 'cursor', keepsDeleted: true }],
  ['windows', { ...odata, paging: 'keyset', changes: 'windows' }],
  ['a feed with parts of rows, in companies', { ...odata, paging: 'nextLink', changes: 'feed', companies: [3, 41] }],
  ['a feed with rows of other sets', { ...odata, paging: 'nextLink', changes: 'feed', expands: true }],
  [
    'version 3, grouped numbers, days and a condition',
    {
      ...odata,
      paging: 'nextLink',
      changes: 'cursor',
      more: {
        set: `filter: "Status ne 'x'", rest: others`,
        source:
          'service: { literals: v3 }\ntypes: { numbers: grouped, amounts: [Total], days: [Due], bigints: [Number] }\n',
      },
    },
  ],
  [
    'a monthly report',
    {
      ...odata,
      paging: 'offset',
      more: { set: 'changes: { kind: months, property: At, first: { set: Entries, property: Day }, balances: true }' },
    },
  ],
]

test.each(services)(
  '[SRC-10] %s of an OData service: every check is proven on a service made from the description',
  async (_, options) => {
    const proofs = await proofsOf(odataDescription(options), 'Documents', 'odata')
    expect(proofs.map(({ check, verdict, why }) => [check, verdict === 'provenSimulated' ? verdict : why])).toEqual(
      ['ties', 'lateCommits', 'deletes', 'cuts', 'kills'].map((check) => [check, 'provenSimulated']),
    )
  },
  60_000,
)

test.each(['subscription', 'coupon', 'customer'])(
  '[SRC-10] Stripe’s %s with events, maps, nested and continued lists is proven',
  async (stream) => {
    const proofs = await proofsOf(readFileSync('engine/src/apis/catalogue/stripe.yaml', 'utf8'), stream)
    const others = proofs.filter(({ verdict }) => verdict !== 'provenSimulated').map(({ check }) => check)
    expect(others).toEqual(stream === 'subscription' ? ['deletes'] : [])
  },
  60_000,
)

test('[SRC-10] what a description gives up is not proven, with the reason', async () => {
  const yaml = hostileDescription({ ...hostile, paging: 'keyset', changes: 'cursor' })
  const changed = yaml
    .replace('order: none', 'overlapSeconds: 0')
    .replace('deletes: { kind: keys }', 'deletes: { kind: never, why: They are kept. }')
  const proofs = await proofsOf(changed, 'document')
  expect(proofs.filter(({ verdict }) => verdict === 'notProven')).toEqual([
    expect.objectContaining({ check: 'lateCommits', why: expect.stringContaining('overlapSeconds is 0') as string }),
    expect.objectContaining({ check: 'deletes', why: expect.stringContaining('never deleted') as string }),
  ])
}, 60_000)

test('[SRC-10] a read that cannot succeed is not proven, with the fault', async () => {
  const yaml = hostileDescription({ ...hostile, paging: 'keyset' }).replace(
    'errors:',
    'errors:\n  - { status: [200], verdict: failStream }',
  )
  const proofs = await proofsOf(yaml, 'document')
  expect(new Set(proofs.map(({ verdict }) => verdict))).toEqual(new Set(['notProven']))
  expect(proofs[0]?.why).toContain('The read failed')
}, 60_000)

test('[SRC-10] kills are deaths of a process: it is killed while it writes, and what it has stored is continued', async () => {
  const proofs = await proofsOf(hostileDescription({ ...hostile, paging: 'keyset', changes: 'cursor' }), 'document')
  expect(proofs.at(-1)).toMatchObject({
    check: 'kills',
    verdict: 'provenSimulated',
    why: expect.stringMatching(
      /equal after 6 runs, of which [23] lost their process: it was killed \(SIGKILL\)/u,
    ) as string,
  })
}, 60_000)

afterEach(() => vi.unstubAllEnvs())

test('[SRC-10] a process that reads a simulated API leaves complete transactions only, and no file', async () => {
  const description = requireDescription(
    hostileDescription({ ...hostile, paging: 'keyset', changes: 'cursor' }),
    'rest',
  )
  const source = simulateRest({ description, stream: 'document', seed: 3, lateMs: 0, ties: false, deletes: true })
  await using api = await startSimulatedApi({
    service: source.service,
    now: () => source.clock.now(),
    moves: 0,
    faults: 0,
  })
  const job = { stream: 'document', base: api.base.href, port: api.port, now: source.clock.now(), since: null }
  const { signal } = new AbortController()
  // Other tests make such folders at the same time.
  using folder = mkdtempDisposableSync(join(tmpdir(), 'prove-test-'))
  vi.stubEnv('TMPDIR', folder.path)
  const killed = await readUntilKilled({ ...job, description: source.description, dieAfter: 7, signal })
  expect(killed.wasKilled).toBe(true)
  expect(killed.transactions.length).toBeGreaterThan(1)
  expect(killed.transactions.every(({ batches }) => Array.isArray(batches))).toBe(true)
  const whole = await readUntilKilled({ ...job, description: source.description, dieAfter: 1_000, signal })
  expect(whole.wasKilled).toBe(false)
  expect(whole.transactions.length).toBeGreaterThan(killed.transactions.length)
  expect(readdirSync(folder.path)).toEqual([])
})
