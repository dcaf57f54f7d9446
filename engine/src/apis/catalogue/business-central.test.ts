/** Business Central: rows, changes, deletions, interruptions, several companies, and its trial balance. */
import { describe, expect, test } from 'vitest'
import { connectBusinessCentral } from '@tributary/testing/engine/described/business-central.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

test('[SRC-8] Business Central: the first run moves every company, row for row, and its ledger ties out to 0.00', async () => {
  await using there = await connectBusinessCentral({ companies: ['CRONUS DK', 'CRONUS DE'] })
  const { status, fault, tieOut } = await there.run()
  expect([status, fault, tieOut?.fault]).toEqual(['completed', null, null])
  expect(await there.differences()).toEqual([])
  expect(tieOut).toMatchObject({ state: 'green', notice: null, company: '2 companies', currency: null })
  expect(tieOut?.lines.length).toBeGreaterThan(30)
})
