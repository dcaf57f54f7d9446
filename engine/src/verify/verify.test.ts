/** Verification between PostgreSQL and MariaDB, in all four pairs. */
import { expect, test } from 'vitest'
import type { StreamVerification } from '../ports/verification.ts'
import type { DatabaseEnd, EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { type DatabasePair, makeDatabasePair } from '@tributary/testing/engine/databases/database-pair.ts'

const pairs: readonly (readonly [EndKind, EndKind])[] = [
  ['postgres', 'postgres'],
  ['postgres', 'mysql'],
  ['mysql', 'postgres'],
  ['mysql', 'mysql'],
]

const columns = `id int NOT NULL PRIMARY KEY, name varchar(100), amount decimal(38,20), due date, paid boolean`
const stamp = {
  postgres: '',
  mysql: ', changed timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)',
} as const

function invoices(kind: EndKind): readonly string[] {
  const values = Array.from({ length: 30 }, (_, at) => {
    const name = at % 7 === 0 ? 'NULL' : `'customer ${at} '`
    return `(${at}, ${name}, ${at}.00000000000000000${at + 100}, '2024-01-${String((at % 28) + 1).padStart(2, '0')}', ${at % 2 === 0})`
  })
  return [
    `CREATE TABLE invoice (${columns}${stamp[kind]})`,
    `INSERT INTO invoice (id, name, amount, due, paid) VALUES ${values.join(', ')}`,
    ...(kind === 'mysql' ? [`UPDATE invoice SET changed = '2024-01-01'`] : []),
  ]
}

async function moved(from: EndKind, to: EndKind): Promise<DatabasePair> {
  const pair = await makeDatabasePair(from, to, invoices(from))
  expect((await pair.run()).status).toBe('completed')
  return pair
}

async function verifyOne(pair: DatabasePair, repair = false): Promise<StreamVerification> {
  const [verification] = await pair.verify({ repair })
  if (verification === undefined) throw new Error('Nothing was reported.')
  return verification
}

/** The table in the target. */
const copyIn = (target: DatabaseEnd): string => (target.kind === 'postgres' ? '"Shop".invoice' : 'invoice')

test.each(pairs)('[TRUST-1] %s to %s: equal rows are identical, and every one was compared', async (from, to) => {
  await using pair = await moved(from, to)
  expect(await verifyOne(pair)).toMatchObject({
    outcome: 'identical',
    method: 'checksums',
    rows: 30,
    newerRows: 0,
    streamedColumns: [],
    differenceCount: 0,
    notice: null,
  })
})

const harms: readonly (readonly [what: string, sql: string, kind: string, columns: readonly unknown[]])[] = [
  [
    'a row edited in the target',
    `UPDATE COPY SET name = 'another' WHERE id = 3`,
    'different',
    [{ name: 'name', source: 'customer 3 ', target: 'another' }],
  ],
  ['a row deleted in the target', 'DELETE FROM COPY WHERE id = 3', 'missing', []],
  [
    'a wrong decimal in the twentieth digit',
    'UPDATE COPY SET amount = 3.00000000000000000104 WHERE id = 3',
    'different',
    [{ name: 'amount', source: '3.00000000000000000103', target: '3.00000000000000000104' }],
  ],
  [
    'a lost trailing blank',
    `UPDATE COPY SET name = 'customer 3' WHERE id = 3`,
    'different',
    [{ name: 'name', source: 'customer 3 ', target: 'customer 3' }],
  ],
  [
    'an empty text in place of none',
    `UPDATE COPY SET name = '' WHERE id = 7`,
    'different',
    [{ name: 'name', source: null, target: '' }],
  ],
]

for (const [from, to] of pairs)
  test.each(harms)(
    `[TRUST-3] ${from} to ${to}: %s is found, repaired and proven`,
    async (_, sql, kind, columnsFound) => {
      await using pair = await moved(from, to)
      await pair.target.run(sql.replace('COPY', copyIn(pair.target)))
      const found = await verifyOne(pair)
      expect(found).toMatchObject({ outcome: 'different', differenceCount: 1 })
      expect(found.differences).toMatchObject([{ kind, columns: columnsFound, isRepaired: false }])
      expect(await verifyOne(pair, true)).toMatchObject({
        outcome: 'different',
        differences: [{ kind, isRepaired: true }],
      })
      expect(await verifyOne(pair)).toMatchObject({ outcome: 'identical', rows: 30 })
    },
  )
