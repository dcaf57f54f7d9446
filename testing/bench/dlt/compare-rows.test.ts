/** Our half of the programme dlt in a small extent, and that its comparison finds what differs. */
import { expect, test } from 'vitest'
import { describedSource } from '@tributary/engine/apis/described/source'
import { type ApiConnector, connectApi } from '../../engine/apis/api-connector.ts'
import { sharedClock } from '../../engine/apis/shared-clock.ts'
import { openNetwork } from '../../engine/sync/source-context.ts'
import { compareRows, type RowDifferences } from './compare-rows.ts'
import { documentDescription, type Paging } from './description.ts'
import { type DocumentApi, startDocumentApi } from './document-api.ts'
import { tributaryQueries } from './target-queries.ts'

const equal = { lost: 0, surplus: 0, doubled: 0, values: 0 }

test('[SRC-14] by links, every document, line and digit arrives, also those with equal moments, late commits and deletions', async () => {
  await using there = await connect('links', [])
  await there.load()
  expect(await there.differences()).toEqual({ ...equal, rows: 12_000 })
  there.api.change()
  await there.load()
  expect(await there.differences()).toMatchObject(equal)
})

test('[SRC-14] by page numbers, no row is lost when documents vanish between pages, and the next load removes what has vanished', async () => {
  await using there = await connect('pages', [3, 5])
  await there.load()
  expect(await there.differences()).toMatchObject({ lost: 0, doubled: 0, values: 0 })
  there.api.change()
  await there.load()
  expect(await there.differences()).toMatchObject(equal)
})

test('[SRC-14] the comparison finds a lost row, a row too many and a digit that differs', async () => {
  await using there = await connect('links', [])
  await there.load()
  await there.query('DELETE FROM "Shop".document_line WHERE document_id = 17 AND ordinal = 2')
  await there.query('UPDATE "Shop".document SET total = total + 0.0001 WHERE id = 18')
  await there.query('UPDATE "Shop".document SET id = -1 WHERE id = 19')
  expect(await there.differences()).toEqual({ rows: 11_999, lost: 2, surplus: 1, doubled: 0, values: 1 })
})

interface Differential extends AsyncDisposable {
  readonly api: DocumentApi
  readonly query: ApiConnector['query']
  /** A run, two days after the one before, so that it compares keys. */
  load(): Promise<void>
  differences(): Promise<RowDifferences>
}

async function connect(paging: Paging, movesAtCalls: readonly number[]): Promise<Differential> {
  const clock = sharedClock()
  const deletions = paging === 'links' ? 'marked' : 'gone'
  const api = await startDocumentApi({ seed: 20_261_128, documents: 3_000, deletions, movesAtCalls })
  const source = describedSource(documentDescription(paging))
  const settings = source.parse({ 'documents.token': 'token', 'documents.address': api.url })
  const connector = await connectApi(
    {
      clock,
      open: (signal) => source.open(settings, { network: openNetwork, clock, signal }),
      [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
    },
    'postgres',
  )
  const query = connector.query as (sql: string) => Promise<readonly Readonly<Record<string, string | null>>[]>
  return {
    api,
    query: connector.query,
    async load() {
      expect(await connector.run()).toMatchObject({ status: 'completed', fault: null })
      clock.advance(2 * 86_400_000)
    },
    differences: () => compareRows(query, tributaryQueries('Shop'), api.documents()),
    [Symbol.asyncDispose]: () => connector[Symbol.asyncDispose](),
  }
}
