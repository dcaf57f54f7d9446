/** Columns and child tables from the schema of a record. */
import { pointerTo } from '../../described/pointer.ts'
import { type DraftChild, type DraftColumn, UniqueNames } from './draft-model.ts'
import { singular } from './guesses.ts'
import { type JsonMap, mapOf, type OpenApiDocument, textOf, typeNameOf } from './openapi-document.ts'

export interface SchemaTable {
  readonly columns: readonly DraftColumn[]
  readonly children: readonly DraftChild[]
}

export function schemaTable(
  document: OpenApiDocument,
  { stream, record }: { readonly stream: string; readonly record: JsonMap },
  tables: UniqueNames,
): SchemaTable {
  const names = new UniqueNames()
  const columns: DraftColumn[] = []
  const children: DraftChild[] = []
  for (const [member, written] of Object.entries(mapOf(record['properties']))) {
    const schema = document.schema(written)
    const rows = rowSchema(document, schema)
    if (rows === null) columns.push(columnOf(member, schema, names))
    else
      children.push({
        name: tables.take(`${stream}_${singular(member)}`),
        records: pointerTo(member) + rows.at,
        columns: childColumns(document, rows.schema),
      })
  }
  return { columns, children }
}

interface RowSchema {
  readonly schema: JsonMap
  /** Where the list is within the member: some APIs wrap it. */
  readonly at: string
}

/** The schema of the rows, if a member is a list of objects. */
function rowSchema(document: OpenApiDocument, schema: JsonMap): RowSchema | null {
  if (typeNameOf(schema) === 'array') {
    const item = document.schema(schema['items'])
    return hasProperties(item) ? { schema: item, at: '' } : null
  }
  const wrapped = document.schema(mapOf(schema['properties'])['data'])
  if (typeNameOf(wrapped) !== 'array') return null
  const item = document.schema(wrapped['items'])
  return hasProperties(item) ? { schema: item, at: '/data' } : null
}

export function hasProperties(schema: JsonMap): boolean {
  return Object.keys(mapOf(schema['properties'])).length > 0
}

function childColumns(document: OpenApiDocument, schema: JsonMap): readonly DraftColumn[] {
  const names = new UniqueNames()
  return Object.entries(mapOf(schema['properties'])).map(([member, written]) =>
    columnOf(member, document.schema(written), names),
  )
}

const aboutMax = 300

function columnOf(member: string, schema: JsonMap, names: UniqueNames): DraftColumn {
  const about = textOf(schema['description'])
    ?.slice(0, 10 * aboutMax)
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const sentence = about === undefined ? '' : (/^.*?[.!?](?= |$)/u.exec(about)?.[0] ?? about)
  return {
    ...typeOf(schema),
    name: names.take(member),
    at: pointerTo(member),
    ...(sentence !== '' && { about: sentence.slice(0, aboutMax).toWellFormed() }),
  }
}

type TypeGuess = Pick<DraftColumn, 'type' | 'format' | 'check'>

function typeOf(schema: JsonMap): TypeGuess {
  const format = textOf(schema['format']) ?? ''
  switch (typeNameOf(schema)) {
    case 'integer':
      return integerType(format)
    case 'number':
      return { type: 'decimal' }
    case 'boolean':
      return { type: 'boolean' }
    case 'string':
      return textType(format, schema['maxLength'])
    case 'object':
    case 'array':
      return { type: 'json' }
    default:
      return { type: 'json', check: 'the document names no type' }
  }
}

function integerType(format: string): TypeGuess {
  if (format === 'unix-time') return { type: 'instant(0)', format: 'unixSeconds' }
  return { type: format === 'int32' ? 'integer' : 'bigint' }
}

const typesByFormat: { readonly [format: string]: string | undefined } = {
  date: 'date',
  'date-time': 'instant(3)',
  uuid: 'guid',
  guid: 'guid',
  decimal: 'decimal',
}

function textType(format: string, maxLength: JsonMap[string]): TypeGuess {
  const type = typesByFormat[format]
  if (format === 'date-time')
    return { type: 'instant(3)', check: 'the zone of moments without one, and their fraction' }
  if (type !== undefined) return { type }
  const isShort = typeof maxLength === 'number' && maxLength >= 1 && maxLength <= 4_000
  return { type: isShort ? `text(${maxLength})` : 'text' }
}
