/** Verification of a source whose rows change the whole time. */
import { expect, test } from 'vitest'
import type { EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { makeDatabasePair } from '@tributary/testing/engine/databases/database-pair.ts'

const kinds: readonly EndKind[] = ['postgres', 'mysql']
const pairs = kinds.flatMap((from) => kinds.map((to) => [from, to] as const))
const repetitions = 15
const newRowsMax = 100

test.each(pairs)('[TRUST-1] %s to %s: rows that change meanwhile are never reported as different', async (from, to) => {
  const stamp =
    from === 'mysql'
      ? ', changed timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)'
      : ''
  const rows = Array.from({ length: 300 }, (_, at) => `(${at}, 'first ${at}')`)
  await using pair = await makeDatabasePair(from, to, [
    `CREATE TABLE stock (id int PRIMARY KEY, note varchar(40)${stamp})`,
    `INSERT INTO stock (id, note) VALUES ${rows.join(', ')}`,
  ])
  const state = { isWriting: true }
  let writes = 0
  const write = async (): Promise<void> => {
    while (state.isWriting) {
      writes += 1
      const id = (writes * 7919) % 300
      await pair.source.run(`UPDATE stock SET note = 'change ${writes}' WHERE id = ${id}`)
      if (writes % 5 === 0) await pair.source.run(`DELETE FROM stock WHERE id = ${(id + 1) % 300}`)
      if (writes % 5 === 0) await pair.source.run(`INSERT INTO stock (id, note) VALUES (${1_000 + writes}, 'new')`)
      // So that the table does not grow with the time that a busy machine needs.
      if (writes % 5 === 0) await pair.source.run(`DELETE FROM stock WHERE id = ${1_000 + writes - newRowsMax * 5}`)
    }
  }
  const writing = write()
  const outcomes: string[] = []
  for (let round = 0; round < repetitions; round++) {
    expect((await pair.run()).status).toBe('completed')
    const [verification] = await pair.verify()
    outcomes.push(verification?.outcome ?? 'none')
    // Only a deleted row cannot be distinguished from one that was never there.
    expect(verification?.differences.filter(({ kind }) => kind !== 'additional')).toEqual([])
  }
  state.isWriting = false
  await writing
  expect(writes).toBeGreaterThan(repetitions)
  expect(outcomes.filter((outcome) => outcome !== 'identical' && outcome !== 'pending')).toEqual([])
  await pair.run({ syncMode: 'full' })
  expect((await pair.verify())[0]).toMatchObject({ outcome: 'identical', differenceCount: 0 })
})
