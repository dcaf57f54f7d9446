/** Reads a request and answers it with the rows and tables of the person's connection. */
import type { ClientBase } from 'pg'
import { readTableModels } from '../../access/query/read-table-models.ts'
import type { TableModel } from '../../access/query/table-model.ts'
import { buildQuery } from './model/build-query.ts'
import { createFeedModel, type EntitySet } from '../../access/feed/feed-model.ts'
import { findSet, keyCondition } from './model/find-entity.ts'
import { notImplemented } from './odata-error.ts'
import {
  type FeedResource,
  type OptionName,
  parseQueryOptions,
  parseResource,
  type QueryOptions,
  requireShortAddress,
} from './parse/address.ts'
import { replyWithCollection } from './reply/collection.ts'
import { readCount, readEntity, writeMetadata, writeServiceDocument } from './reply/documents.ts'
import {
  jsonContentType,
  mediaTypes,
  negotiateFormat,
  negotiateVersion,
  preferredPageSize,
  type ReplyFormat,
} from './reply/negotiate.ts'
import { readPageToken } from './reply/page-token.ts'
import { type ReplyTarget, sendWhole } from './reply/reply-with.ts'

export interface FeedRequest {
  readonly resource: FeedResource
  readonly options: QueryOptions
  readonly format: ReplyFormat
  /** The address of the service, without a slash at the end. */
  readonly base: string
  /** The path and the query after the service, as they were sent. */
  readonly path: string
  readonly query: string
  readonly preferredPageSize: number | undefined
}

interface SentRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** @param service the path of the service, such as `/odata/…` */
export function readRequest({ url, headers }: SentRequest, origin: string, service: string): FeedRequest {
  requireShortAddress(url)
  const version = negotiateVersion(headers)
  const [whole, query] = splitOnce(url, '?')
  const path = whole.slice(service.length + 1)
  const resource = parseResource(path)
  const options = parseQueryOptions(query)
  requireApplicable(resource, options)
  const format = negotiateFormat({ headers, version, format: options.format, offered: offeredKinds(resource, version) })
  return {
    resource,
    options,
    format,
    base: `${origin}${service}`,
    path,
    query,
    preferredPageSize: preferredPageSize(headers),
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** OData 4.0 knows metadata only as XML. A count is plain text whatever is accepted. */
function offeredKinds({ type }: FeedResource, version: ReplyFormat['version']): readonly ReplyFormat['kind'][] {
  if (type === 'metadata') return version === '4.0' ? ['xml'] : ['xml', 'json']
  return type === 'count' ? ['json', 'xml'] : ['json']
}

const applicable: Readonly<Record<FeedResource['type'], readonly (OptionName | 'asOf')[] | 'all'>> = {
  service: ['format'],
  metadata: ['format'],
  entity: ['asOf', 'format', 'select'],
  count: ['asOf', 'apply', 'filter', 'search', 'format', 'top', 'skip', 'orderby', 'count'],
  set: 'all',
}

function requireApplicable({ type }: FeedResource, options: QueryOptions): void {
  const allowed = applicable[type]
  const other = (Object.keys(options) as (OptionName | 'asOf')[]).find(
    (name) => allowed !== 'all' && !allowed.includes(name),
  )
  if (other === 'asOf') throw notImplemented('asOf here', { target: 'asOf' })
  if (other !== undefined) throw notImplemented(`$${other} here`, { target: `$${other}` })
}

/** Adds descriptions and relations to tables. */
type DescribeTables = (models: readonly TableModel[]) => Promise<readonly TableModel[]>

/** The table as it was at the moment. Throws the faults of `tableAsOf`. */
type ReadAsOf = (table: TableModel, moment: string) => Promise<TableModel>

interface AnswerServices {
  readonly describe: DescribeTables
  readonly readAsOf: ReadAsOf
}

export async function answer(
  client: ClientBase,
  request: FeedRequest,
  target: ReplyTarget,
  { describe, readAsOf }: AnswerServices,
): Promise<void> {
  const models = await readTableModels(client)
  const sets = createFeedModel(models)
  const { resource, options, format, base } = request
  const { reply } = target
  const find = async (name: string): Promise<EntitySet> => {
    const set = findSet(sets, name)
    return options.asOf === undefined ? set : { ...set, table: await readAsOf(set.table, options.asOf) }
  }
  switch (resource.type) {
    case 'service':
      reply.type(jsonContentType(format))
      return sendWhole(Buffer.from(writeServiceDocument(sets, base, format)), reply)
    case 'metadata':
      reply.type(`${mediaTypes[format.kind]};charset=utf-8`)
      return sendWhole(Buffer.from(writeMetadata(createFeedModel(await describe(models)), format)), reply)
    case 'count': {
      const count = await readCount(client, buildQuery(await find(resource.set), options))
      return sendWhole(Buffer.from(count), reply.type('text/plain;charset=utf-8'))
    }
    case 'entity': {
      const set = await find(resource.set)
      const feed = buildQuery(set, options)
      const query = { ...feed.query, filter: keyCondition(set, resource.key) }
      const row = await readEntity(client, { set, feed: { ...feed, query }, base, format })
      return sendWhole(Buffer.from(row), reply.type(jsonContentType(format)))
    }
    case 'set':
      return answerSet(client, await find(resource.set), request, target)
  }
}

async function answerSet(client: ClientBase, set: EntitySet, request: FeedRequest, target: ReplyTarget): Promise<void> {
  const { options, format, base } = request
  const feed = buildQuery(set, options)
  await replyWithCollection(
    client,
    {
      set,
      feed,
      format,
      base,
      preferredPageSize: request.preferredPageSize,
      page: options.skiptoken === undefined ? undefined : readPageToken(options.skiptoken),
      nextAddress: (token, top) => nextAddress(request, token, top),
    },
    target,
  )
}

/** Options that the next page does not repeat: the skipped rows are before it, and the count is known. */
const replaced = /^(?:\$|%24)?(?:skip|skiptoken|top|count)(?:=|$)/i

function nextAddress({ base, path, query }: FeedRequest, token: string, top: number | undefined): string {
  const kept = query.split('&').filter((part) => part !== '' && !replaced.test(part))
  const limit = top === undefined ? [] : [`$top=${top}`]
  return `${base}/${path}?${[...kept, ...limit, `$skiptoken=${token}`].join('&')}`
}
