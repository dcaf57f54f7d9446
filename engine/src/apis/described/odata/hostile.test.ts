/** Every way of paging and of finding changes against an OData service that does everything wrong. */
import { expect, test } from 'vitest'
import { connectHostileOData, type DescribedOData } from '@tributary/testing/engine/described/hostile-odata.ts'
import type { SyncOutcome } from '../../../sync/sync-request.ts'

const dayMs = 86_400_000
const hostile = { documents: 160, pageSize: 20, moves: 0.3, faults: 0.12, lateMs: 60_000 } as const
const pagings = ['nextLink', 'offset', 'keyset'] as const
const changes = ['cursor', 'windows'] as const

const ways: readonly (readonly [string, Omit<DescribedOData, 'seed'>])[] = [
  ...pagings.map((paging) => [`whole, ${paging}`, { ...hostile, paging }] as const),
  ...pagings.flatMap((paging) =>
    changes.map((kind) => [`${kind}, ${paging}`, { ...hostile, paging, changes: kind }] as const),
  ),
  ...pagings.flatMap((paging) =>
    changes.map(
      (kind) => [`${kind} with marks, ${paging}`, { ...hostile, paging, changes: kind, keepsDeleted: true }] as const,
    ),
  ),
  ['feed', { ...hostile, paging: 'nextLink', changes: 'feed' }],
  ['feed that forgets', { ...hostile, paging: 'nextLink', changes: 'feed', forgets: 0.4 }],
  ['links that lead back', { ...hostile, paging: 'nextLink', changes: 'cursor', loops: 0.05 }],
  ['chosen properties', { ...hostile, paging: 'keyset', changes: 'cursor', select: true }],
  ['rows of other sets, whole', { ...hostile, paging: 'nextLink', expands: true }],
  ['rows of other sets, cursor', { ...hostile, paging: 'keyset', changes: 'cursor', select: true, expands: true }],
  ['rows of other sets, windows', { ...hostile, paging: 'keyset', changes: 'windows', expands: true }],
  ['rows of other sets, feed', { ...hostile, paging: 'nextLink', changes: 'feed', expands: true }],
  ['companies, cursor', { ...hostile, documents: 60, paging: 'nextLink', changes: 'cursor', companies: [3, 41] }],
  ['companies, feed', { ...hostile, documents: 60, paging: 'nextLink', changes: 'feed', companies: [3, 41] }],
  ['companies, windows', { ...hostile, documents: 60, paging: 'nextLink', changes: 'windows', companies: [3, 41] }],
  ['a fast clock at the service', { ...hostile, paging: 'keyset', changes: 'cursor', skewMs: 240_000 }],
  ['a slow clock at the service', { ...hostile, paging: 'keyset', changes: 'cursor', skewMs: -240_000 }],
]

test.each(ways)(
  '[SRC-1] [SRC-3] [SRC-5] [SRC-13] OData, %s: after changes, refusals and cuts the target equals the service row for row',
  async (_, options) => {
    await using there = await connectHostileOData({ ...options, seed: 7 })
    let completed = 0
    for (let round = 0; round < 6; round += 1) {
      there.clock.advance(round === 3 ? dayMs : 3_600_000)
      there.api.trade(12)
      let outcome = null as SyncOutcome | null
      const missed = await there.missedBy(async () => (outcome = await there.run()))
      if (outcome?.status === 'completed') {
        completed += 1
        expect(missed).toEqual([])
      } else expect(outcome?.fault?.kind).toMatch(/^(passing|busy)$/u)
    }
    expect(completed).toBeGreaterThan(0)
    there.api.calm()
    there.clock.advance(dayMs + 3_600_000)
    const outcome = await there.run()
    expect(outcome).toMatchObject({ status: 'completed', fault: null })
    expect(await there.differences()).toEqual([])
  },
  120_000,
)
