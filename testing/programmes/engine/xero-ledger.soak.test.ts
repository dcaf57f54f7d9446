/** A simulated company that keeps trading: Xero's own trial balance against the one computed from the moved rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TieOutResult } from '../../../engine/src/ports/tie-out.ts'
import { connectXero, type XeroConnector } from '../../engine/apis/xero-connector.ts'
import { isFull } from '../extent.ts'

const quick = { callsPerMinute: 600, limits: { perMinute: 660 } }
const hourMs = 3_600_000

describe.each([
  { kind: 'postgres', rounds: isFull ? 10 : 2 },
  { kind: 'mysql', rounds: isFull ? 4 : 2 },
] as const)('a company’s documents in $kind', ({ kind, rounds }) => {
  let xero: XeroConnector
  beforeAll(async () => {
    xero = await connectXero(quick, kind)
  })
  afterAll(() => xero[Symbol.asyncDispose]())

  async function tieOut(): Promise<TieOutResult> {
    const { status, fault, tieOut: result } = await xero.run()
    expect([status, fault]).toEqual(['completed', null])
    if (result === null) throw new Error('There was no tie-out.')
    return result
  }

  const differing = ({ lines, ...rest }: TieOutResult) => ({
    ...rest,
    lines: lines.filter(({ state }) => state !== 'green'),
  })

  test('the first run matches Xero’s own trial balance, for every account and month', async () => {
    const result = await tieOut()
    expect(differing(result)).toMatchObject({ state: 'green', notice: null, basis: 'documents', mended: [], lines: [] })
    expect(result.company).toBe('Harbour Trading')
    expect(new Set(result.lines.map(({ period }) => period)).size).toBeGreaterThanOrEqual(14)
    expect(result.lines.length).toBeGreaterThan(150)
  })

  test('rounds of simulated activity with unreported recoding end green, and recoded lines are read again', async () => {
    let correctedCount = 0
    for (let round = 0; round < rounds; round += 1) {
      for (let step = 0; step < 4; step += 1) {
        xero.clock.advance(hourMs / 4)
        xero.sim.tick(xero.tenantId)
      }
      const quiet = round % 2 === 0 ? xero.sim.recode(xero.tenantId) : null
      // All months of the report are read once a day, which reveals a change in an old month.
      if (round % 3 === 2) xero.clock.advance(24 * hourMs)
      const result = await tieOut()
      expect(differing(result)).toMatchObject({ state: 'green', lines: [] })
      correctedCount += result.mended.length
      if (quiet !== null && result.mended.length > 0)
        expect(result.lines.flatMap(({ documents }) => documents)).toContainEqual(
          expect.objectContaining({ wasQuiet: true }),
        )
    }
    xero.clock.advance(24 * hourMs)
    expect((await tieOut()).state).toBe('green')
    expect(correctedCount).toBeGreaterThan(0)
  })

  test('a row changed by hand in the target is found by its month and document, and corrected', async () => {
    const table = kind === 'postgres' ? '"Shop".invoice_line' : 'invoice_line'
    const before = await xero.target.read('invoice_line')
    const [line] = before.rows
    const at = before.columns.indexOf('invoice_id')
    await xero.target.run(
      `UPDATE ${table} SET line_amount = line_amount + 100 WHERE invoice_id = '${line?.[at]}' AND line_no = 1`,
    )
    const result = await tieOut()
    expect(differing(result)).toMatchObject({ state: 'green', lines: [] })
    expect(result.mended).toHaveLength(1)
    expect(result.lines.flatMap(({ documents }) => documents)).toContainEqual(
      expect.objectContaining({ id: line?.[at], wasQuiet: true }),
    )
    expect(xero.logLines.join('\n')).toMatch(
      /differed at first and was read again\. Changed unannounced: (?:Invoice|Bill) /,
    )
  })
})

test('with journals, the figures are those of Xero’s own entries', async () => {
  await using xero = await connectXero({ ...quick, tier: 'advanced' })
  const { tieOut } = await xero.run()
  expect(tieOut).toMatchObject({ state: 'green', basis: 'journals', notice: null })
  expect(
    await xero.query(
      'SELECT count(*)::int AS open FROM (SELECT document_id FROM general_ledger GROUP BY document_id HAVING SUM(amount) <> 0) AS o',
    ),
  ).toEqual([{ open: 0 }])
})
