/** What history adds to an incremental run, counted in statements and row versions instead of seconds. */
import { expect, test } from 'vitest'
import { openStatementProxy } from '@tributary/testing/databases/statement-proxy.ts'
import type { EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { makeDatabasePair } from '@tributary/testing/engine/databases/database-pair.ts'

const kinds: readonly EndKind[] = ['postgres', 'mysql']

async function runWithChanges(to: EndKind, rows: number, keepsHistory: boolean) {
  await using pair = await makeDatabasePair('postgres', to, [
    'CREATE TABLE entry (id int PRIMARY KEY, amount decimal(18,4), note varchar(100))',
    `INSERT INTO entry SELECT n, n * 1.25, 'note ' || n FROM generate_series(1, ${rows}) AS n`,
  ])
  const request = { keepsHistory: () => keepsHistory }
  expect((await pair.run(request)).status).toBe('completed')
  const before = await pair.target.rows('entry__history')
  await pair.source.run('UPDATE entry SET amount = amount + 1 WHERE id % 100 = 0')
  await pair.source.settle()
  const at = pair.target.properties['target.connectionString'] as { readonly port: number }
  using proxy = await openStatementProxy(to, at.port)
  expect((await pair.run(request, { 'target.connectionString': { ...at, port: proxy.port } })).status).toBe('completed')
  const after = await pair.target.rows('entry__history')
  return { statements: proxy.statements, before, after }
}

/** Which tables keep history is read in every run. */
const isOfHistory = (statement: string) => /__history|valid_to|touched/u.test(statement)

const idsOf = (versions: readonly string[]) =>
  versions.map((version) => Number((JSON.parse(version) as string[])[0])).toSorted((one, other) => one - other)

test.each(kinds)(
  '[TRUST-8] an incremental run into %s closes and opens one version of each changed row, in a number of statements that does not grow with the rows; without history it executes none of it',
  async (to) => {
    const statements: number[] = []
    for (const rows of [2_000, 16_000]) {
      const kept = await runWithChanges(to, rows, true)
      const changed = Array.from({ length: rows / 100 }, (_, at) => (at + 1) * 100)
      const [before, after] = [new Set(kept.before), new Set(kept.after)]
      expect([before.size, after.size]).toEqual([rows, rows + changed.length])
      expect(idsOf(kept.before.filter((version) => !after.has(version)))).toEqual(changed)
      expect(idsOf(kept.after.filter((version) => !before.has(version)))).toEqual(changed.flatMap((id) => [id, id]))
      expect(kept.statements.filter(isOfHistory)).not.toEqual([])
      statements.push(kept.statements.length)
    }
    expect(statements[1]).toBe(statements[0])
    const plain = await runWithChanges(to, 2_000, false)
    expect(plain.after).toEqual([])
    expect(plain.statements.filter(isOfHistory)).toEqual([])
  },
)
