/** What a verification of equal tables sends over the network. */
import { expect, test } from 'vitest'
import { openCountingProxy } from '@tributary/testing/databases/counting-proxy.ts'
import type { EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { makeDatabasePair } from '@tributary/testing/engine/databases/database-pair.ts'

const kinds: readonly EndKind[] = ['postgres', 'mysql']
const pairs = kinds.flatMap((from) => kinds.map((to) => [from, to] as const))
const sizes = [5_000, 40_000] as const

test.each(pairs)('[TRUST-4] %s to %s: nothing but checksums is sent, however many rows there are', async (from, to) => {
  const bytes: number[] = []
  for (const rows of sizes) {
    const numbers =
      from === 'postgres' ? `generate_series(1, ${rows}) AS n` : `(SELECT seq AS n FROM seq_1_to_${rows}) AS numbers`
    await using pair = await makeDatabasePair(from, to, [
      'CREATE TABLE entry (id int PRIMARY KEY, amount decimal(18,4), day date, note varchar(100))',
      `INSERT INTO entry SELECT n, n * 1.25, '2024-01-31', CONCAT('note ', n) FROM ${numbers}`,
    ])
    expect((await pair.run()).status).toBe('completed')
    const sourceAt = pair.source.properties['source.connectionString'] as { readonly port: number }
    const targetAt = pair.target.properties['target.connectionString'] as { readonly port: number }
    using source = await openCountingProxy(sourceAt.port)
    using target = await openCountingProxy(targetAt.port)
    const properties = {
      'source.connectionString': { ...sourceAt, port: source.port },
      'target.connectionString': { ...targetAt, port: target.port },
    }
    // Another port is another source.
    expect((await pair.run({}, properties)).status).toBe('completed')
    const moved = source.takeBytes() + target.takeBytes()
    expect(moved).toBeGreaterThan(rows * 20)
    const [verification] = await pair.verify({}, properties)
    expect(verification).toMatchObject({ outcome: 'identical', rows, streamedColumns: [] })
    bytes.push(source.takeBytes() + target.takeBytes())
  }
  const [few = 0, many = 0] = bytes
  expect(few).toBeGreaterThan(0)
  // Eight times as many rows; only the numbers of rows have more digits.
  expect(many).toBeLessThan(few + 500)
})
