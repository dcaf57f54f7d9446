/** Verification in slices within a budget, and of tables that are divided more than once. */
import { expect, test } from 'vitest'
import type { EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { makeDatabasePair } from '@tributary/testing/engine/databases/database-pair.ts'

const kinds: readonly EndKind[] = ['postgres', 'mysql']
const pairs = kinds.flatMap((from) => kinds.map((to) => [from, to] as const))
const rows = 30_000

/** The key begins with a text whose order differs between UTF-8, UTF-16 and collations. */
function fill(kind: EndKind): readonly string[] {
  const numbers =
    kind === 'postgres' ? `generate_series(1, ${rows}) AS n` : `(SELECT seq AS n FROM seq_1_to_${rows}) AS numbers`
  const name = `CASE n % 6 WHEN 0 THEN 'a' WHEN 1 THEN 'B' WHEN 2 THEN 'é' WHEN 3 THEN '\u{ffee}' WHEN 4 THEN '\u{10000}' ELSE '-' END`
  const table = `CREATE TABLE entry (name varchar(20) NOT NULL, no int NOT NULL, note varchar(20), PRIMARY KEY (name, no))`
  return [table, `INSERT INTO entry SELECT ${name}, n, 'note' FROM ${numbers}`]
}

test.each(pairs)(
  '[TRUST-1] %s to %s: slices within a budget cover every row once and find what differs',
  async (from, to) => {
    await using pair = await makeDatabasePair(from, to, fill(from))
    expect((await pair.run()).status).toBe('completed')
    const copy = to === 'postgres' ? '"Shop".entry' : 'entry'
    await pair.target.run(`UPDATE ${copy} SET note = 'wrong' WHERE no IN (17, 15004, 29999)`)
    const [whole] = await pair.verify()
    const numbersOf = (found: typeof whole): readonly unknown[] =>
      (found?.differences ?? []).map(({ key }) => Number(key['no'])).toSorted((a, b) => a - b)
    expect(whole).toMatchObject({ rows, differenceCount: 3, cursor: null })
    expect(numbersOf(whole)).toEqual([17, 15_004, 29_999])

    let cursor: string | null | undefined
    let compared = 0
    let slices = 0
    const found: unknown[] = []
    while (cursor !== null) {
      const cursors = new Map(
        cursor === undefined ? [] : [['entry', cursor] as const, ['public.entry', cursor] as const],
      )
      const [slice] = await pair.verify({ budget: { rows: 8_000, ms: 60_000 }, cursors })
      compared += slice?.rows ?? 0
      found.push(...numbersOf(slice))
      cursor = slice?.cursor ?? null
      slices += 1
    }
    expect(compared).toBe(rows)
    expect(slices).toBeGreaterThan(2)
    expect(found.toSorted()).toEqual(numbersOf(whole).toSorted())
  },
)
