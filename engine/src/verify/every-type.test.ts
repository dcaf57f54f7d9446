/** Every type of PostgreSQL and MariaDB with awkward values, between both. */
import { expect, test } from 'vitest'
import type { EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { makeDatabasePair } from '@tributary/testing/engine/databases/database-pair.ts'
import { awkwardTables } from '@tributary/testing/conformance/verification/awkward-values.ts'

const kinds: readonly EndKind[] = ['postgres', 'mysql']
const pairs = kinds.flatMap((from) => kinds.map((to) => [from, to] as const))

test.each(pairs)(
  '[TRUST-1] %s to %s: every type is compared, no awkward value is reported falsely, and each lost value is found',
  async (from, to) => {
    const { statements, columns, streamedElsewhere } = awkwardTables[from]
    await using pair = await makeDatabasePair(from, to, statements)
    expect((await pair.run()).status).toBe('completed')
    const verification = (await pair.verify())[0]
    expect(verification?.differences).toEqual([])
    expect(verification).toMatchObject({ outcome: 'identical', rows: 6, notice: null })
    const streamed = from === to ? [] : streamedElsewhere
    expect(verification?.streamedColumns).toEqual(streamed.map((name) => `awkward.${name}`))

    const copy = to === 'postgres' ? '"Shop".awkward' : 'awkward'
    const lost: string[] = []
    for (const column of columns) {
      await pair.target.run(`UPDATE ${copy} SET ${column} = NULL WHERE id = 'Blank '`)
      const [found] = await pair.verify({ repair: true })
      const [difference] = found?.differences ?? []
      lost.push(...(difference?.columns.map(({ name }) => name) ?? []))
      expect({ column, ...found }).toMatchObject({
        column,
        differenceCount: 1,
        differences: [{ kind: 'different', isRepaired: true }],
      })
    }
    expect(lost).toEqual(columns)
  },
)
