/** Drafts a description from an OpenAPI 3 or Swagger 2 document: a stream for each call that lists records. */
import { pointerTo } from '../../described/pointer.ts'
import { type DraftSetting, type DraftStream, type RestDraft, settingNameOf, UniqueNames } from './draft-model.ts'
import { DraftRefused } from './draft-refused.ts'
import {
  likelyChangedAt,
  likelyChanges,
  likelyKey,
  likelyList,
  likelyPaging,
  likelySince,
  singular,
} from './guesses.ts'
import { hasProperties, schemaTable } from './openapi-columns.ts'
import { type JsonMap, listOf, mapOf, OpenApiDocument, textOf, typeNameOf } from './openapi-document.ts'
import { serviceOf } from './openapi-service.ts'

/** A draft that no person can review is of no use. */
const streamsMax = 60

export interface OpenApiOptions {
  /** Instead of the address of the document. */
  readonly address?: string | undefined
  /** Only these paths, or paths whose last part has one of these names. Empty: all, up to a limit. */
  readonly only?: readonly string[]
}

export function draftFromOpenApi(root: JsonMap, { address, only = [] }: OpenApiOptions): RestDraft {
  const document = new OpenApiDocument(root)
  const service = serviceOf(document, address)
  const settings: Record<string, DraftSetting> = { ...service.settings }
  const { lists, skipped } = listsOf(document)
  const wanted = only.length === 0 ? lists : lists.filter((list) => isWanted(list, only))
  if (wanted.length === 0)
    throw new DraftRefused(
      only.length === 0
        ? 'The document has no call that lists records: a GET whose reply has a list of objects.'
        : `The document has no list with these names. It has ${lists
            .slice(0, 40)
            .map(({ last }) => last)
            .join(', ')}.`,
    )
  const tables = new UniqueNames()
  const streams = wanted.slice(0, streamsMax).map((list) => streamOf(document, list, { tables, settings }))
  return { ...service, settings, streams, notes: notesOf({ lists: wanted, skipped }) }
}

interface RecordListCall {
  /** As in the document: `/companies({company_id})/items`. */
  readonly path: string
  readonly last: string
  readonly operation: JsonMap
  readonly parameters: readonly JsonMap[]
  /** Where the records are in a reply. */
  readonly records: string
  readonly reply: JsonMap
  readonly record: JsonMap
}

function isWanted({ path, last }: RecordListCall, only: readonly string[]): boolean {
  return only.some((name) => path === name || last.toLowerCase() === name.toLowerCase())
}

/** A part of a path that stands for the customer, and not for a record. */
const customerParameter =
  /compan|tenant|account|organi[sz]ation|store|shop|version|realm|workspace|subdomain|agreement/iu

/** In characters. A description has no longer ones. */
const pathMax = 500

function listsOf(document: OpenApiDocument): { lists: readonly RecordListCall[]; skipped: number } {
  const lists: RecordListCall[] = []
  let skipped = 0
  for (const [path, item] of Object.entries(mapOf(document.root['paths']))) {
    const operation = mapOf(document.resolve(item)['get'])
    const list = Object.keys(operation).length === 0 ? null : listCall(document, path, document.resolve(item))
    if (list === null || path.length > pathMax) continue
    const others = [...path.matchAll(/\{([^}]+)\}/gu)].filter(([, name = '']) => !customerParameter.test(name))
    if (others.length > 0 || path.endsWith(')')) skipped += 1
    else lists.push(list)
  }
  return { lists, skipped }
}

function listCall(document: OpenApiDocument, path: string, item: JsonMap): RecordListCall | null {
  const operation = mapOf(item['get'])
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  const last = (parts.at(-1) ?? 'record').replace(/\(.*\)$/u, '').replace(/\.\w+$/u, '')
  const responses = mapOf(operation['responses'])
  const response = document.resolve(responses['200'] ?? responses['2XX'] ?? responses['default'])
  const content = mapOf(response['content'])
  const media = Object.entries(content).find(([type]) => /json/iu.test(type))?.[1]
  const reply = document.schema(mapOf(media)['schema'] ?? response['schema'])
  const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((one) =>
    document.resolve(one),
  )
  const found = recordsIn(document, reply, last)
  return found === null ? null : { path, last, operation, parameters, reply, ...found }
}

function recordsIn(
  document: OpenApiDocument,
  reply: JsonMap,
  last: string,
): Pick<RecordListCall, 'records' | 'record'> | null {
  if (typeNameOf(reply) === 'array') {
    const record = document.schema(reply['items'])
    return hasProperties(record) ? { records: '', record } : null
  }
  const properties = mapOf(reply['properties'])
  const items = (name: string): JsonMap => document.schema(document.schema(properties[name])['items'])
  const lists = Object.keys(properties).filter((name) => hasProperties(items(name)))
  // A record with its lines is no list of records.
  const isRecord = Object.keys(properties).length > 12 || (properties['id'] !== undefined && !lists.includes('data'))
  const name = isRecord ? null : likelyList(lists, last)
  return name === null ? null : { records: pointerTo(name), record: items(name) }
}

interface SoFar {
  readonly tables: UniqueNames
  readonly settings: Record<string, DraftSetting>
}

function streamOf(document: OpenApiDocument, list: RecordListCall, { tables, settings }: SoFar): DraftStream {
  const { path, last, operation, record, records, reply } = list
  const before =
    path
      .split('/')
      .filter((part) => part !== '' && !part.startsWith('{'))
      .at(-2) ?? ''
  const name = tables.take(singular(last), `${before}_${singular(last)}`)
  const { columns, children } = schemaTable(document, { stream: name, record }, tables)
  const queries = list.parameters.filter((parameter) => parameter['in'] === 'query')
  const parameters = queries.flatMap((parameter) => queryNames(document, parameter))
  const key = likelyKey(name, columns)
  const keyAt = columns.find((column) => column.name === key.value[0])?.at
  const rowsMax = queries.map((parameter) => sizeMax(document, parameter)).find((rows) => rows !== undefined)
  const changes = likelyChanges(likelyChangedAt(columns), likelySince(parameters))
  const about = textOf(operation['summary'])
  return {
    name,
    path: path.slice(1).replaceAll(/\{([^}]+)\}/gu, (_, parameter: string) => {
      const setting = settingNameOf(parameter)
      settings[setting] ??= { label: parameter }
      return `{${setting}}`
    }),
    records,
    paging: likelyPaging({
      parameters,
      members: records === '' ? [] : membersOf(document, reply),
      ...(rowsMax !== undefined && { rowsMax }),
      ...(keyAt !== undefined && { keyAt }),
    }),
    key: columns.length === 0 ? { value: [] } : key,
    ...(changes !== undefined && key.value.length > 0 && { changes }),
    ...(about !== undefined && about !== '' && { about: about.replaceAll(/\s+/gu, ' ').slice(0, 300).toWellFormed() }),
    columns,
    children: key.value.length === 0 ? [] : children,
  }
}

/** The name of a parameter; of one that is an object, those of its members. */
function queryNames(document: OpenApiDocument, parameter: JsonMap): readonly string[] {
  const name = textOf(parameter['name']) ?? ''
  const members = Object.keys(mapOf(document.schema(parameter['schema'])['properties']))
  return [name, ...members.map((member) => `${name}[${member}]`)]
}

function sizeMax(document: OpenApiDocument, parameter: JsonMap): number | undefined {
  if (!/^(?:limit|per_?page|page_?size|size|take|top)$/iu.test(textOf(parameter['name']) ?? '')) return undefined
  const most = document.schema(parameter['schema'])['maximum'] ?? parameter['maximum']
  return typeof most === 'number' && most >= 2 && most <= 10_000 ? most : undefined
}

/** Pointers of the members of a reply that are no lists, two levels deep. */
function membersOf(document: OpenApiDocument, reply: JsonMap): readonly string[] {
  return Object.entries(mapOf(reply['properties'])).flatMap(([member, written]) => {
    const schema = document.schema(written)
    if (typeNameOf(schema) === 'array') return []
    const inner = Object.keys(mapOf(schema['properties']))
    return inner.length === 0 ? [pointerTo(member)] : inner.map((name) => pointerTo(member) + pointerTo(name))
  })
}

function notesOf({ lists, skipped }: { lists: readonly RecordListCall[]; skipped: number }): readonly string[] {
  const left = lists.slice(streamsMax).map(({ last }) => last)
  return [
    ...(left.length > 0
      ? [`${left.length} more lists were left out. Name those that you need: ${left.join(', ')}.`]
      : []),
    ...(skipped > 0
      ? [`${skipped} lists need the id of another record in their path. Describe them as children or with detail.`]
      : []),
    'Without changes, each run reads the whole list.',
  ]
}
