/** Every way of paging and of finding changes against an API that does everything wrong. */
import { expect, test } from 'vitest'
import type { SchemaChangeRules, SyncOutcome } from '../../sync/sync-request.ts'
import { connectHostile, type DescribedHostile } from '@tributary/testing/engine/described/hostile-connector.ts'

const dayMs = 86_400_000
const hostile = { documents: 230, pageSize: 20, moves: 0.3, faults: 0.15, lateMs: 60_000 } as const
const pagings = ['none', 'nextLink', 'linkHeader', 'pageNumber', 'offset', 'cursor', 'keyset'] as const

const ways: readonly (readonly [string, Omit<DescribedHostile, 'seed'>])[] = [
  ...pagings.map((paging) => [`whole, ${paging}`, { ...hostile, paging }] as const),
  ...pagings.map((paging) => [`cursor, ${paging}`, { ...hostile, paging, changes: 'cursor' }] as const),
  ...pagings.map(
    (paging) =>
      [`cursor with deletions, ${paging}`, { ...hostile, paging, changes: 'cursor', keepsDeleted: true }] as const,
  ),
  ['ordered cursor, pageNumber', { ...hostile, paging: 'pageNumber', changes: 'ordered', order: 'changedAt' }],
  ['ordered cursor, offset', { ...hostile, paging: 'offset', changes: 'ordered', order: 'changedAt' }],
  ['windows, pageNumber', { ...hostile, paging: 'pageNumber', changes: 'windows' }],
  ['details, cursor', { ...hostile, paging: 'keyset', changes: 'cursor', hasDetails: true, documents: 60 }],
  ['a fast clock at the API, keyset', { ...hostile, paging: 'keyset', changes: 'cursor', skewMs: 240_000 }],
  ['a slow clock at the API, keyset', { ...hostile, paging: 'keyset', changes: 'cursor', skewMs: -240_000 }],
]

test.each(ways)(
  '[SRC-3] [SRC-4] [SRC-5] [SRC-13] %s: after changes, refusals and cuts the target equals the API row for row',
  async (_, options) => {
    await using there = await connectHostile({ ...options, seed: 7 })
    for (let round = 0; round < 6; round += 1) {
      there.clock.advance(round === 3 ? dayMs : 3_600_000)
      there.api.trade(15)
      let outcome = null as SyncOutcome | null
      const missed = await there.missedBy(async () => (outcome = await there.run()))
      if (outcome?.status === 'completed') expect(missed).toEqual([])
      else expect(outcome?.fault?.kind).toMatch(/^(passing|busy)$/u)
    }
    there.api.calm()
    there.clock.advance(dayMs + 3_600_000)
    const outcome = await there.run()
    expect(outcome).toMatchObject({ status: 'completed', fault: null })
    expect(await there.differences()).toEqual([])
  },
  120_000,
)

test.each([
  ['whole', {}],
  ['cursor', { changes: 'cursor' }],
  ['windows', { changes: 'windows' }],
] as const)(
  '[SRC-4] %s: a member that no column has is reported as a schema change, unless the description leaves it out',
  async (_, how) => {
    for (const more of ['', 'leaveOut: [deleted]\n']) {
      await using there = await connectHostile({ documents: 30, pageSize: 20, paging: 'keyset', seed: 3, more, ...how })
      const reported: unknown[] = []
      const reportChanges: SchemaChangeRules['reportChanges'] = (...change) => void reported.push(change)
      const outcome = await there.run({ schemaRules: { policy: 'take', decisions: [], reportChanges } })
      expect(outcome).toMatchObject({ status: 'completed', fault: null })
      const unknown = [{ table: 'document', column: 'deleted', before: null, after: 'not moved' }]
      expect(reported).toEqual(more === '' ? [['document', unknown, 'applied']] : [])
      expect(there.logLines.filter((line) => line.includes('deleted. They are not moved'))).toHaveLength(
        reported.length,
      )
    }
  },
)
