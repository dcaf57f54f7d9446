/** What verification finds and reports when rows change without their stamps, meanwhile, or since the last run. */
import { expect, test } from 'vitest'
import type { StreamVerification } from '../ports/verification.ts'
import type { EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { type DatabasePair, makeDatabasePair } from '@tributary/testing/engine/databases/database-pair.ts'

const targets: readonly EndKind[] = ['postgres', 'mysql']
const kinds: readonly EndKind[] = ['postgres', 'mysql']
const pairs = kinds.flatMap((from) => targets.map((to) => [from, to] as const))

const stampColumn = 'changed timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)'

/** Orders 1 to 9 with old stamps. */
async function movedOrders(from: EndKind, to: EndKind): Promise<DatabasePair> {
  const rows = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  const isMysql = from === 'mysql'
  const values = rows.map((id) => `(${id}, 'a${id}', 'b${id}'${isMysql ? `, '2024-01-01'` : ''})`)
  const pair = await makeDatabasePair(from, to, [
    `CREATE TABLE orders (id int PRIMARY KEY, first varchar(20), second varchar(20)${isMysql ? `, ${stampColumn}` : ''})`,
    `INSERT INTO orders VALUES ${values.join(', ')}`,
  ])
  expect((await pair.run()).status).toBe('completed')
  return pair
}

const copyIn = (pair: DatabasePair): string => (pair.target.kind === 'postgres' ? '"Shop".orders' : 'orders')

async function verifyOne(pair: DatabasePair, repair = false): Promise<StreamVerification> {
  const [verification] = await pair.verify({ repair })
  if (verification === undefined) throw new Error('Nothing was reported.')
  return verification
}

test.each(targets)('[TRUST-3] mysql to %s: a row changed without its stamp is found and repaired', async (to) => {
  await using pair = await movedOrders('mysql', to)
  await pair.source.run(`UPDATE orders SET first = 'other', changed = changed WHERE id = 4`)
  expect((await pair.run()).status).toBe('completed')
  const found = await verifyOne(pair)
  const columns = [{ name: 'first', source: 'other', target: 'a4' }]
  // MariaDB does not record who wrote a row, so either side may have.
  const cause = to === 'postgres' ? 'stampNotMoved' : 'unknown'
  expect(found).toMatchObject({ outcome: 'different', differenceCount: 1, newerRows: 0 })
  expect(found.differences).toMatchObject([{ kind: 'different', key: { id: '4' }, columns, cause }])
  expect((await verifyOne(pair, true)).differences).toMatchObject([{ isRepaired: true }])
  expect((await verifyOne(pair)).outcome).toBe('identical')
})

test.each(targets)('[TRUST-3] mysql to %s: a row inserted with an old stamp is found and repaired', async (to) => {
  await using pair = await movedOrders('mysql', to)
  await pair.source.run(`INSERT INTO orders VALUES (10, 'late', 'row', '2023-01-01')`)
  const found = await verifyOne(pair)
  expect(found).toMatchObject({ outcome: 'different', differenceCount: 1 })
  expect(found.differences).toMatchObject([{ kind: 'missing', key: { id: '10' }, cause: 'unknown' }])
  expect((await verifyOne(pair, true)).differences).toMatchObject([{ isRepaired: true }])
  expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', rows: 10 })
})

test.each(targets)(
  '[TRUST-3] postgres to %s: a row that the checkpoint claims to have is found and repaired',
  async (to) => {
    await using pair = await movedOrders('postgres', to)
    await pair.source.run(
      `UPDATE orders SET first = 'other' WHERE id = 4; INSERT INTO orders VALUES (10, 'late', 'row')`,
    )
    const [state, set] =
      to === 'postgres'
        ? [
            '"Shop".tributary_state',
            `checkpoint || '{"transaction": "4000000000", "next": "4000000000", "running": ""}'`,
          ]
        : [
            'tributary_state',
            `JSON_SET(checkpoint, '$.transaction', '1999999999', '$.next', '1999999999', '$.running', '')`,
          ]
    // A checkpoint ahead of the server is not valid, so the numbers of the source are moved to it instead.
    const { rows } = (await pair.source.run('SELECT txid_current()::text AS now')) as { rows: { now: string }[] }
    await pair.target.run(
      `UPDATE ${state} SET checkpoint = ${set.replace(/4000000000|1999999999/gu, rows[0]?.now ?? '')}`,
    )
    const found = await verifyOne(pair)
    expect(found).toMatchObject({ outcome: 'different', differenceCount: 2, newerRows: 0 })
    expect(found.differences).toMatchObject([
      { kind: 'different', key: { id: '4' } },
      { kind: 'missing', key: { id: '10' } },
    ])
    expect((await verifyOne(pair, true)).differences).toMatchObject([{ isRepaired: true }, { isRepaired: true }])
    expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', rows: 10 })
  },
)

test.each(pairs)('[TRUST-3] %s to %s: swapped columns are found in every row', async (from, to) => {
  await using pair = await movedOrders(from, to)
  const copy = copyIn(pair)
  await pair.target.run(`ALTER TABLE ${copy} ADD COLUMN third varchar(20)`)
  await pair.target.run(`UPDATE ${copy} SET third = first`)
  await pair.target.run(`UPDATE ${copy} SET first = second`)
  await pair.target.run(`UPDATE ${copy} SET second = third`)
  const found = await verifyOne(pair)
  expect(found).toMatchObject({ outcome: 'different', differenceCount: 9 })
  expect(found.differences[0]?.columns.map(({ name }) => name)).toEqual(['first', 'second'])
  if (to === 'postgres') expect(found.differences[0]?.cause).toBe('writtenAtTarget')
  expect((await verifyOne(pair, true)).differences.every(({ isRepaired }) => isRepaired)).toBe(true)
  expect((await verifyOne(pair)).outcome).toBe('identical')
})

test.each(pairs)(
  '[TRUST-3] %s to %s: a row doubled in the target is found, and the next run reads the table in full',
  async (from, to) => {
    await using pair = await movedOrders(from, to)
    const copy = copyIn(pair)
    await pair.target.run(
      to === 'postgres' ? `ALTER TABLE ${copy} DROP CONSTRAINT orders_pkey` : `ALTER TABLE ${copy} DROP PRIMARY KEY`,
    )
    await pair.target.run(`INSERT INTO ${copy} SELECT * FROM ${copy} WHERE id = 2`)
    const found = await verifyOne(pair)
    expect(found).toMatchObject({ outcome: 'different', differenceCount: 1 })
    expect(found.differences).toMatchObject([{ kind: 'doubled', key: { id: '2' }, cause: 'writtenAtTarget' }])
    expect((await verifyOne(pair, true)).notice).toContain('the next run reads it in full')
    expect((await pair.run()).status).toBe('completed')
    expect((await verifyOne(pair)).outcome).toBe('identical')
  },
)

test.each(pairs)(
  '[TRUST-1] %s to %s: a row newer than the checkpoint is left out, and one that only the target has is pending',
  async (from, to) => {
    await using pair = await movedOrders(from, to)
    await pair.source.run(`UPDATE orders SET first = 'newer' WHERE id = 1`)
    await pair.source.run(`INSERT INTO orders (id, first) VALUES (11, 'new')`)
    expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', newerRows: 2, differenceCount: 0 })
    await pair.source.run('DELETE FROM orders WHERE id = 5')
    const pending = await verifyOne(pair)
    expect(pending).toMatchObject({ outcome: 'pending', differences: [{ kind: 'additional', key: { id: '5' } }] })
    expect((await pair.run()).status).toBe('completed')
    expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', newerRows: 0, rows: 9 })
  },
)

test.each(pairs)(
  '[TRUST-1] %s to %s: rows without a key are compared with their number, and read again as a whole',
  async (from, to) => {
    await using pair = await makeDatabasePair(from, to, [
      'CREATE TABLE orders (first varchar(20), second int)',
      `INSERT INTO orders VALUES ('same', 1), ('same', 1), ('other', NULL)`,
    ])
    expect((await pair.run()).status).toBe('completed')
    expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', rows: 3 })
    await pair.target.run(`INSERT INTO ${copyIn(pair)} VALUES ('same', 1), ('wrong', 2)`)
    const found = await verifyOne(pair)
    expect(found.outcome).toBe('pending')
    expect(found.differences.map(({ kind, key }) => [kind, key['first']]).toSorted()).toEqual([
      ['additional', 'wrong'],
      ['doubled', 'same'],
    ])
    expect((await verifyOne(pair, true)).differences.every(({ isRepaired }) => isRepaired)).toBe(true)
    expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', rows: 3 })
  },
)

test('[TRUST-1] a row that the target refused is missing for that reason', async () => {
  await using pair = await makeDatabasePair('postgres', 'mysql', [
    'CREATE TABLE orders (id int PRIMARY KEY, day date, share float8)',
    `INSERT INTO orders VALUES (1, '2024-01-01', 1), (2, 'infinity', 1), (3, '2024-01-01', 'NaN')`,
  ])
  await pair.run()
  const found = await verifyOne(pair)
  expect(found.differences.map(({ key, kind, cause }) => [key['id'], kind, cause])).toEqual([
    ['2', 'missing', 'rejected'],
    ['3', 'missing', 'rejected'],
  ])
})
