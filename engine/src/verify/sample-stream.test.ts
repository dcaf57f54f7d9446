/** Verification of a source without SQL: what it counts, and documents that are read again. */
import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { encodeRow } from '../encoding/copy-text.ts'
import type { DocumentSample } from '../ports/document-sample.ts'
import type { OpenSource } from '../ports/source.ts'
import type { StreamVerification, VerifyRequest } from '../ports/verification.ts'
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
      column('amount', { kind: 'decimal' }),
    ],
    ['id', 'no'],
  ),
  parentKey: ['id'],
}
const silent = stream(table('silent', [column('id', { kind: 'integer', bytes: 4 }, false)]), { keyComparison: 'never' })

const keyOf = (id: number): string => encodeRow([String(id)])

/** Invoices with a line each, and a stream of which nothing can be compared. */
function books(totals: readonly string[], note: string, sampled: Partial<DocumentSample> = {}): OpenSource {
  const rows = totals.map((total, at) => [String(at + 1), total])
  const batches = [
    batch(invoice, rows),
    batch(
      line,
      rows.map(([id = '']) => [id, '1', note, '5']),
    ),
  ]
  return {
    check: async () => [],
    streams: async () => [stream(invoice, { children: [line], keyComparison: 'daily' }), silent],
    async *read(of) {
      if (of.name === 'silent') yield batch(silent.table, [['1']], { read: true })
      else yield* batches
    },
    async sample(of) {
      if (of.name === 'silent') return { reason: 'The source reads it only once.' }
      const listed = rows.map((_, at) => keyOf(at + 1))
      return { batches, listed, isComplete: true, count: { rows: rows.length }, changed: new Set(), ...sampled }
    },
    async [Symbol.asyncDispose]() {},
  }
}

async function openBooks(totals: readonly string[]) {
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
  {
    await using target = await open()
    await sync({ source: books(totals, 'a'), target, syncMode: 'incremental', report: () => {}, ...common() })
  }
  return {
    query: (sql: string) => client.query(sql),
    async verify(source: OpenSource, how: Partial<VerifyRequest> = {}) {
      const found: StreamVerification[] = []
      await using target = await open()
      await verify({ source, target, repair: false, report: (each) => void found.push(each), ...common(), ...how })
      return found
    },
    [Symbol.asyncDispose]: () => endAndDrop(client),
  }
}

const three = ['1.50', '2', '3']

test('[TRUST-5] documents are read again with their lines and compared; a stream of which nothing can be compared says why', async () => {
  await using opened = await openBooks(three)
  expect(await opened.verify(books(['1.5', '2.0', '3'], 'a'))).toMatchObject([
    {
      stream: 'invoice',
      outcome: 'identical',
      method: 'sample',
      rows: 6,
      notice: '3 of 3 documents, counts and totals equal.',
    },
    { stream: 'silent', outcome: 'notProvable', method: 'sample', notice: 'The source reads it only once.' },
  ])
  const [found] = await opened.verify(books(['1.5', '2.01', '3'], 'b'))
  expect(found).toMatchObject({
    outcome: 'different',
    differenceCount: 4,
    notice: '3 of 3 documents, counts compared.',
  })
  expect(found?.differences.map(({ table: name, cause, columns }) => [name, cause, columns[0]])).toEqual([
    ['invoice', 'stampNotMoved', { name: 'total', source: '2.01', target: '2' }],
    ...['1', '2', '3'].map(() => ['line', 'stampNotMoved', { name: 'note', source: 'b', target: 'a' }]),
  ])
})

test('[TRUST-5] a document that the next run reads anyway is not reported, unless it was written at the target', async () => {
  await using opened = await openBooks(three)
  const changed = { changed: new Set([keyOf(2)]) }
  expect(await opened.verify(books(['1.5', '9', '3'], 'a', changed))).toMatchObject([
    {
      outcome: 'identical',
      newerRows: 1,
      notice: '2 of 3 documents, counts equal. 1 changed since the last run, so the next run decides about it.',
    },
    {},
  ])
  await opened.query('UPDATE books.invoice SET total = 7 WHERE id = 2')
  const [found] = await opened.verify(books(['1.5', '9', '3'], 'a', changed))
  expect(found?.differences).toMatchObject([{ cause: 'writtenAtTarget', columns: [{ source: '9', target: '7' }] }])
})

test('[TRUST-5] where the source reports no changes, a difference is undecided, and reported if it is the same after a run', async () => {
  await using opened = await openBooks(three)
  const source = books(['1.5', '2', '4'], 'a', { changed: null })
  const [first] = await opened.verify(source)
  expect(first).toMatchObject({ outcome: 'pending', differenceCount: 1 })
  const [second] = await opened.verify(source, {
    pendingBefore: (name) => ({
      checkedAt: new Date(0),
      includes: ({ columns }) => name === 'invoice' && columns[0]?.source === '4',
    }),
  })
  expect(second).toMatchObject({ outcome: 'different' })
})

test('[TRUST-5] of a long list a part is compared, and rows that are missing or more are found by the count', async () => {
  await using opened = await openBooks(three)
  const part = {
    listed: [keyOf(1)],
    isComplete: false,
    batches: [batch(invoice, [['1', '1.5']]), batch(line, [['1', '1', 'a', '5']])],
  }
  expect(await opened.verify(books(three, 'a', { ...part, count: { rows: 3 } }))).toMatchObject([
    { outcome: 'identical', notice: '1 of 3 documents, counts equal.' },
    {},
  ])
  // Two are new at the source, so the target does not have them yet.
  const added = { ...part, count: { rows: 5 }, changed: new Set([keyOf(4), keyOf(5)]) }
  expect((await opened.verify(books(three, 'a', added)))[0]).toMatchObject({ outcome: 'identical' })
  const [fewer] = await opened.verify(books(three, 'a', { ...part, count: { rows: 4 } }))
  expect(fewer).toMatchObject({ outcome: 'different' })
  expect(fewer?.differences).toMatchObject([
    { key: {}, columns: [{ name: 'number of rows', source: '4', target: '3' }] },
  ])
  // The source may have deleted a row since the last comparison of keys.
  expect((await opened.verify(books(three, 'a', { ...part, count: { rows: 2 } })))[0]).toMatchObject({
    outcome: 'pending',
  })
})

test('[TRUST-5] a row that belongs to no document is found by the control totals', async () => {
  await using opened = await openBooks(three)
  await opened.query(`INSERT INTO books.line VALUES (99, 1, 'orphan', 2.5)`)
  const [found] = await opened.verify(books(three, 'a'))
  expect(found).toMatchObject({ outcome: 'different' })
  expect(found?.differences).toMatchObject([
    { table: 'line', key: {}, columns: [{ name: 'total of amount', source: '15', target: '17.5' }] },
  ])
})
