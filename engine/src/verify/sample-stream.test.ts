/** Verification of a source without SQL: documents are read again and compared. */
import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import type { OpenSource } from '../ports/source.ts'
import type { StreamVerification } from '../ports/verification.ts'
import { postgresTarget } from '../databases/postgres/target.ts'
import { sync } from '../sync/run.ts'
import { endAndDrop, makeDatabase } from '@tributary/testing/engine/databases/postgres.ts'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { connectionContext, realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { verify } from './verify.ts'

const invoice = table('invoice', [
  column('id', { kind: 'integer', bytes: 4 }, false),
  column('total', { kind: 'decimal' }),
])
const line = {
  ...table(
    'line',
    [
      column('id', { kind: 'integer', bytes: 4 }, false),
      column('no', { kind: 'integer', bytes: 4 }, false),
      column('note', { kind: 'text' }),
    ],
    ['id', 'no'],
  ),
  parentKey: ['id'],
}
const silent = stream(table('silent', [column('id', { kind: 'integer', bytes: 4 }, false)]), { keyComparison: 'never' })

/** Two invoices with a line each, and a stream that cannot be read by key. */
function books(totals: readonly string[], note: string): OpenSource {
  const rows = totals.map((total, at) => [String(at + 1), total])
  const read: OpenSource['readByKey'] = async function* () {
    yield batch(invoice, rows)
    yield batch(
      line,
      rows.map(([id = '']) => [id, '1', note]),
    )
  }
  return {
    check: async () => [],
    streams: async () => [stream(invoice, { children: [line], keyComparison: 'daily' }), silent],
    async *read(of) {
      if (of.name === 'silent') yield batch(silent.table, [['1']], { read: true })
      else yield* read(of, new Uint8Array(), { encoding: 'text', log: () => {} })
    },
    readByKey: read,
    async [Symbol.asyncDispose]() {},
  }
}

test('[TRUST-5] documents are read again with their lines and compared; a stream without rows by key is not provable', async () => {
  const client = await makeDatabase()
  const settings = {
    'target.connectionString': { ...inject('postgres'), database: client.database, sslmode: 'disable' },
    'target.schema': 'books',
  }
  const connectorId = randomUUID()
  let fence = 0
  const common = () => ({
    writer: { connectorId, runId: randomUUID(), fence: ++fence },
    log: () => {},
    clock: realClock,
    signal: new AbortController().signal,
  })
  // A new run ends the sessions of the one before, so each opens the target again.
  const open = () => postgresTarget.open(postgresTarget.parse(settings), connectionContext())
  const found: StreamVerification[] = []
  const verifyBooks = async (source: OpenSource): Promise<void> => {
    await using target = await open()
    await verify({ source, target, repair: false, report: (each) => void found.push(each), ...common() })
  }
  {
    await using target = await open()
    await sync({ source: books(['1.50', '2'], 'a'), target, syncMode: 'incremental', report: () => {}, ...common() })
  }
  await verifyBooks(books(['1.5', '2.0'], 'a'))
  expect(found).toMatchObject([
    {
      stream: 'invoice',
      outcome: 'identical',
      method: 'sample',
      rows: 4,
      notice: '2 documents were read again and compared.',
    },
    { stream: 'silent', outcome: 'notProvable', method: 'sample' },
  ])
  await verifyBooks(books(['1.5', '2.01'], 'b'))
  expect(found[2]).toMatchObject({ outcome: 'pending', differenceCount: 3 })
  expect(found[2]?.differences.map(({ table: name, columns }) => [name, columns[0]])).toEqual([
    ['invoice', { name: 'total', source: '2.01', target: '2' }],
    ['line', { name: 'note', source: 'b', target: 'a' }],
    ['line', { name: 'note', source: 'b', target: 'a' }],
  ])
  await endAndDrop(client)
})
