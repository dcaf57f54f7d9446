/** Verification of a source in which a transaction is open for long. */
import type { ClientConfig } from 'pg'
import { expect, test } from 'vitest'
import { type OpenTransaction, openTransaction } from '@tributary/testing/databases/open-transaction.ts'
import type { EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { type DatabasePair, makeDatabasePair } from '@tributary/testing/engine/databases/database-pair.ts'
import type { StreamVerification } from '../ports/verification.ts'

const targets: readonly EndKind[] = ['postgres', 'mysql']

async function verifyOne(pair: DatabasePair): Promise<StreamVerification> {
  const [verification] = await pair.verify()
  if (verification === undefined) throw new Error('Nothing was reported.')
  return verification
}

function openInSource({ source }: DatabasePair): Promise<OpenTransaction> {
  const { host, port, user, password, database } = source.properties['source.connectionString'] as ClientConfig
  return openTransaction({ host, port, user, password, database })
}

const copyIn = (pair: DatabasePair): string => (pair.target.kind === 'postgres' ? '"Shop".orders' : 'orders')
const rows = Array.from({ length: 9 }, (_, at) => `(${at + 1}, 'a${at + 1}')`).join(', ')
const orders = ['CREATE TABLE orders (id int PRIMARY KEY, note varchar(20))', `INSERT INTO orders VALUES ${rows}`]

test.each(targets)(
  '[TRUST-1] postgres to %s: a row committed while a transaction is open is compared although that transaction is still open',
  async (to) => {
    await using pair = await makeDatabasePair('postgres', to, orders)
    await using open = await openInSource(pair)
    await open.query(`INSERT INTO orders VALUES (100, 'invisible')`)
    await pair.source.run(`UPDATE orders SET note = 'committed' WHERE id = 4`)
    await open.isAlone()
    expect((await pair.run()).status).toBe('completed')
    expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', rows: 9 })
    await pair.target.run(`UPDATE ${copyIn(pair)} SET note = 'edited' WHERE id = 4`)
    const found = await verifyOne(pair)
    expect(found).toMatchObject({ outcome: 'different', differenceCount: 1, newerRows: 0 })
    expect(found.differences).toMatchObject([{ kind: 'different', key: { id: '4' }, cause: 'writtenAtTarget' }])
    await open.query('ROLLBACK')
  },
)

test.each(targets)(
  '[TRUST-1] postgres to %s: rows that the last run may have read before a transaction ended are not called identical',
  async (to) => {
    await using pair = await makeDatabasePair('postgres', to, orders)
    await using open = await openInSource(pair)
    await open.query(`UPDATE orders SET note = 'late' WHERE id = 1`)
    // Its rows have the number of a subtransaction, which no list of running transactions has.
    await open.query('SAVEPOINT one')
    await open.query(`UPDATE orders SET note = 'later' WHERE id = 2`)
    await pair.source.run(`UPDATE orders SET note = 'committed' WHERE id = 4`)
    await open.isAlone()
    expect((await pair.run()).status).toBe('completed')
    await pair.target.run(`UPDATE ${copyIn(pair)} SET note = 'edited' WHERE id = 4`)
    await open.query('COMMIT')
    const found = await verifyOne(pair)
    // Row 1 is newer than the run; of row 2, and of row 4, which was edited, the source does not know it.
    expect(found).toMatchObject({ outcome: 'pending', newerRows: 1, differenceCount: 2 })
    expect(found.differences.map(({ key }) => key['id'])).toEqual(['2', '4'])
    expect(found.notice).toContain('2 rows differ')
    expect((await pair.run()).status).toBe('completed')
    expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', newerRows: 0, differenceCount: 0 })
  },
)

test('[TRUST-1] a slice that could not decide about rows leaves the verdict on the table open', async () => {
  await using pair = await makeDatabasePair('mysql', 'postgres', [
    'CREATE TABLE entry (id int PRIMARY KEY, note varchar(20))',
    `INSERT INTO entry SELECT seq, 'note' FROM seq_1_to_30000`,
  ])
  expect((await pair.run()).status).toBe('completed')
  // Without a stamp nothing says when row 17 changed.
  await pair.source.run(`UPDATE entry SET note = 'changed' WHERE id = 17`)
  const outcomes: string[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const cursors = new Map(cursor === undefined ? [] : [['entry', cursor] as const])
    const [slice] = await pair.verify({ budget: { rows: 8_000, ms: 60_000 }, cursors })
    outcomes.push(slice?.outcome ?? 'none')
    cursor = slice?.cursor ?? null
  }
  expect(outcomes.length).toBeGreaterThan(2)
  expect(outcomes.at(-1)).toBe('pending')
})

test.each(targets)(
  '[TRUST-1] mysql to %s: rows of the time in which a transaction was open are not called identical, nor those of a stamp to come',
  async (to) => {
    const stamp = 'changed timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)'
    await using pair = await makeDatabasePair('mysql', to, [
      `CREATE TABLE orders (id int PRIMARY KEY, note varchar(20), ${stamp})`,
      `INSERT INTO orders VALUES (1, 'a', '2024-01-01'), (2, 'b', NOW() - INTERVAL 1 HOUR), (3, 'c', NOW() + INTERVAL 30 DAY)`,
    ])
    expect((await pair.run()).status).toBe('completed')
    // As if a transaction had been open for a day.
    const [state, set] =
      to === 'postgres'
        ? [
            '"Shop".tributary_state',
            `jsonb_set(checkpoint, '{from}', to_jsonb((now() AT TIME ZONE 'UTC' - interval '1 day')::text))`,
          ]
        : ['tributary_state', `JSON_SET(checkpoint, '$.from', CAST(UTC_TIMESTAMP(6) - INTERVAL 1 DAY AS CHAR))`]
    await pair.target.run(`UPDATE ${state} SET checkpoint = ${set}`)
    await pair.target.run(`UPDATE ${copyIn(pair)} SET note = 'edited' WHERE id IN (2, 3)`)
    await pair.source.run(`UPDATE orders SET note = 'new' WHERE id = 1`)
    const found = await verifyOne(pair)
    expect(found).toMatchObject({ outcome: 'pending', newerRows: 1 })
    expect(found.differences.map(({ key }) => key['id'])).toEqual(['2', '3'])
    expect((await pair.run()).status).toBe('completed')
    expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', rows: 3 })
  },
)
