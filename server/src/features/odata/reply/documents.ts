/** The replies other than rows of a set: the service document, the metadata, a row, a count. */
import type { ClientBase } from 'pg'
import { countRows, readRows } from '../../../access/query/read-rows.ts'
import type { FeedQuery } from '../model/build-query.ts'
import { writeCsdlJson } from '../model/csdl-json.ts'
import { writeCsdlXml } from '../model/csdl-xml.ts'
import type { EntitySet } from '../../../access/feed/feed-model.ts'
import { createSchema } from '../model/schema.ts'
import { ODataError } from '../odata-error.ts'
import { contextUrl, entityFormat } from './json-format.ts'
import type { ReplyFormat } from './negotiate.ts'

export function writeServiceDocument(sets: readonly EntitySet[], base: string, { metadata }: ReplyFormat): string {
  return JSON.stringify({
    ...(metadata !== 'none' && { '@odata.context': `${base}/$metadata` }),
    value: sets.map(({ name }) => ({ name, kind: 'EntitySet', url: name })),
  })
}

export function writeMetadata(sets: readonly EntitySet[], { kind, version }: ReplyFormat): string {
  const schema = createSchema(sets)
  return kind === 'json' ? writeCsdlJson(schema) : writeCsdlXml(schema, version)
}

interface RowRequest {
  readonly set: EntitySet
  readonly feed: FeedQuery
  readonly base: string
  readonly format: ReplyFormat
}

export async function readEntity(client: ClientBase, { set, feed, base, format }: RowRequest): Promise<string> {
  const { json } = await readRows(client, { ...feed.query, limit: 1 }, entityFormat(set, feed, format))
  const [row] = json
  if (row === undefined)
    throw new ODataError(404, 'notFound', 'There is no row with this key, or you may not read it.', {
      target: set.name,
    })
  if (format.metadata === 'none') return row
  const context = `"@odata.context":${JSON.stringify(`${contextUrl(base, set, feed)}/$entity`)}`
  return row === '{}' ? `{${context}}` : `{${context},${row.slice(1)}`
}

/** `$top` and `$skip` do not change it. */
export async function readCount(client: ClientBase, { query }: FeedQuery): Promise<string> {
  return String(await countRows(client, query))
}
