/** The invoices as a source, built from the same modules as every API source. */
import { openApiClient } from '@tributary/engine/apis/http/client'
import type { ApiClient } from '@tributary/engine/apis/http/client'
import { encodeDocuments } from '@tributary/engine/apis/http/documents'
import { readMembers } from '@tributary/engine/apis/http/fields'
import { readPages } from '@tributary/engine/apis/http/pagination'
import type { ListPage } from '@tributary/engine/apis/http/pagination'
import type { RowBatch } from '@tributary/engine/ports/model'
import type { OpenSource, Stream, ConnectionContext } from '@tributary/engine/ports/source'
import { documents, invoice, pageRows } from './json-documents.ts'

const stream: Stream = {
  name: 'invoice',
  table: invoice.table,
  children: invoice.children.map(({ table }) => table),
  reads: 'since',
  hasDistinctKeys: false,
  rowsEstimate: documents,
}

export function openInvoices(base: URL, path: 'invoices' | 'nothing', around: ConnectionContext): OpenSource {
  const client = openClient(base, around)
  return {
    check: async () => [],
    streams: async () => [stream],
    read: () => readInvoices(client, path),
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]()
    },
  }
}

export function openClient(base: URL, around: ConnectionContext): ApiClient {
  const pace = { calls: 1_000_000, windowMs: 1, pausesMs: [1_000] }
  return openApiClient(
    { title: 'Bench', code: 'bench', base, headers: {}, rateLimitKey: 'bench', pace, timeoutMs: 60_000 },
    around,
  )
}

async function* readInvoices(client: ApiClient, path: string): AsyncGenerator<RowBatch> {
  for await (const { content, number } of readPages({
    fetch: (page) => fetchPage(client, path, page),
    limit: pageRows,
    from: 1,
    total: null,
  })) {
    for (const [index, batch] of content.entries())
      yield index === content.length - 1 ? { ...batch, checkpoint: { page: number } } : batch
  }
  yield { table: invoice.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: { page: 'done' } }
}

export async function fetchPage(
  client: ApiClient,
  path: string,
  number: number,
): Promise<ListPage<readonly RowBatch[]>> {
  const { json } = await client.get(path, { Page: String(number), Limit: String(pageRows) })
  const rows = readMembers(json, 'Invoices')
  return {
    number,
    rows: rows.length,
    total: path === 'invoices' ? documents : 0,
    marker: `${number}`,
    content: await encodeDocuments(invoice, rows),
  }
}
