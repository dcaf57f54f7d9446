/** Verification of described sources: every way of paging and of finding changes, against an API and the Stripe simulator. */
import { describe, expect, test } from 'vitest'
import { connectHostile, type DescribedHostile } from '@tributary/testing/engine/described/hostile-connector.ts'
import { connectStripe } from '@tributary/testing/engine/described/stripe-connector.ts'
import type { StreamVerification } from '../../../ports/verification.ts'

const hourMs = 3_600_000
const small = { seed: 3, documents: 60, pageSize: 20 } as const
const long = { seed: 3, documents: 400, pageSize: 20 } as const
const pagings = ['none', 'nextLink', 'linkHeader', 'pageNumber', 'offset', 'cursor', 'keyset'] as const

const ways: readonly (readonly [string, DescribedHostile])[] = [
  ...pagings.map((paging) => [`whole, ${paging}`, { ...small, paging }] as const),
  ...pagings.map((paging) => [`cursor, ${paging}`, { ...small, paging, changes: 'cursor' }] as const),
  ['cursor with deletions', { ...small, paging: 'keyset', changes: 'cursor', keepsDeleted: true }],
  ['windows', { ...small, paging: 'keyset', changes: 'windows' }],
  ['details', { ...small, documents: 9, paging: 'keyset', changes: 'cursor', hasDetails: true }],
  ...pagings.map((paging) => [`long list, ${paging}`, { ...long, paging, changes: 'cursor' }] as const),
  ['long windows', { ...long, paging: 'cursor', changes: 'windows' }],
]

test.each(ways)(
  '[TRUST-5] %s: an equal copy is sampled, an edit of the target is found with both values and repaired, and later changes are not reported',
  async (_, options) => {
    await using there = await connectHostile(options)
    there.clock.advance(hourMs)
    await there.run()
    there.clock.advance(hourMs)
    const equal = await there.verify()
    expect(equal).toMatchObject([{ outcome: 'identical', method: 'sample', differences: [] }])
    expect(equal[0]?.notice).toMatch(/^\d+ of \d+ documents.* equal\.$/u)
    await there.query(`UPDATE document SET name = 'edited' WHERE id = 7`)
    expect(await there.verify()).toMatchObject([
      {
        outcome: 'different',
        differences: [{ key: { id: '7' }, cause: 'writtenAtTarget', columns: [{ name: 'name', target: 'edited' }] }],
      },
    ])
    expect(await there.verify({ repair: true })).toMatchObject([{ differences: [{ isRepaired: true }] }])
    expect(await there.verify()).toMatchObject([{ outcome: 'identical' }])
    there.api.trade(12)
    for (const { outcome } of await there.verify()) expect(outcome).toMatch(/^(?:identical|pending)$/u)
    there.clock.advance(25 * hourMs)
    await there.run()
    expect(await there.verify()).toMatchObject([{ outcome: 'identical', newerRows: 0 }])
  },
  60_000,
)

test('[TRUST-5] the calls of a sample stay within what it may take, and another part of a long list is read each time', async () => {
  await using there = await connectHostile({ ...long, paging: 'offset', changes: 'cursor' })
  there.clock.advance(hourMs)
  await there.run()
  const parts: string[][] = []
  for (const position of [0.2, 0.8]) {
    const before = there.api.calls.length
    await there.verify({ position: () => position })
    parts.push(there.api.calls.slice(before).filter((call) => call.includes('from=')))
  }
  for (const calls of parts) expect(calls.length).toBeLessThanOrEqual(6)
  expect(parts[0]).not.toEqual(parts[1])
})

test('[TRUST-5] a row that the target lacks, and one that only the target has, are found in a short list', async () => {
  await using there = await connectHostile({ ...small, paging: 'cursor', changes: 'cursor' })
  there.clock.advance(hourMs)
  await there.run()
  await there.query('DELETE FROM document WHERE id = 3')
  expect(found(await there.verify())).toEqual([['missing', '3']])
  await there.verify({ repair: true })
  await there.query(`INSERT INTO document (id, name) VALUES (999, 'invented')`)
  expect(found(await there.verify())).toEqual([['additional', '999']])
})

test('[TRUST-5] a document that changed without its stamp is found with both values', async () => {
  await using there = await connectHostile({ ...small, paging: 'keyset', changes: 'cursor' })
  there.clock.advance(hourMs)
  await there.run()
  there.clock.advance(hourMs)
  Object.assign(there.api.documents.get(5) ?? {}, { name: 'silently changed' })
  expect(await there.verify()).toMatchObject([
    { outcome: 'different', differences: [{ cause: 'stampNotMoved', columns: [{ source: 'silently changed' }] }] },
  ])
})

test('[TRUST-5] [SRC-11] a filter that no document of the sample matches leaves nothing to compare, and the verdict says so', async () => {
  await using there = await connectHostile({ ...long, paging: 'nextLink', changes: 'cursor' })
  there.rules.set('document', { conditions: [{ column: 'id', operator: 'isGreater', values: ['390'] }], masks: [] })
  await there.run()
  expect(await there.verify({ position: () => 0 })).toMatchObject([
    { outcome: 'notProvable', notice: expect.stringMatching(/matches the filter/u) },
  ])
})

function found(verified: readonly StreamVerification[]) {
  return verified.flatMap(({ differences }) => differences.map(({ kind, key }) => [kind, key['id']]))
}

describe('Stripe', () => {
  test('[TRUST-5] every table is sampled; what events name since the last run is not reported, and an edit is', async () => {
    await using stripe = await connectStripe({ size: 150 })
    await stripe.run()
    stripe.clock.advance(hourMs)
    expect((await stripe.verify()).filter(({ outcome }) => outcome !== 'identical')).toEqual([])
    const [charge] = stripe.sim.account.all('charges')
    const [customer] = stripe.sim.account.all('customers')
    if (charge === undefined || customer === undefined) throw new Error('There is no charge or customer.')
    stripe.sim.account.change(charge, { description: 'Changed' }, 'charge.updated')
    stripe.sim.account.remove('customers', customer, 'customer.deleted')
    for (const { outcome } of await stripe.verify({ streams: ['charge', 'customer'] }))
      expect(outcome).toBe('identical')
    await stripe.run()
    await stripe.query(`UPDATE charge SET amount = amount + 1 WHERE id = (SELECT max(id) FROM charge)`)
    expect(await stripe.verify({ streams: ['charge'] })).toMatchObject([
      { outcome: 'different', differences: [{ cause: 'writtenAtTarget', columns: [{ name: 'amount' }] }] },
    ])
  })

  test('[TRUST-5] pages of a long list begin after a record of the target', async () => {
    await using stripe = await connectStripe({ size: 2_500 })
    await stripe.run({ streams: ['balance_transaction'] })
    const before = stripe.sim.requests.length
    const [verified] = await stripe.verify({ streams: ['balance_transaction'], callsLeft: () => 2 })
    expect(verified).toMatchObject({ outcome: 'identical' })
    const pages = stripe.sim.requests.slice(before).filter(({ target }) => target.includes('balance_transactions'))
    expect(pages.map(({ target }) => target.includes('starting_after'))).toEqual([false, true])
  })
})
