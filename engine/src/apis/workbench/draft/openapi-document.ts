/** An OpenAPI 3 or Swagger 2 document: its parts, with references within the document resolved. */
import { parse } from 'yaml'
import { DraftRefused } from './draft-refused.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonMap
export interface JsonMap {
  readonly [member: string]: Json | undefined
}

export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function mapOf(value: Json | undefined): JsonMap {
  return isMap(value) ? value : {}
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Parses JSON or YAML. @throws DraftRefused */
export function parseDocument(text: string): JsonMap {
  try {
    const value = (text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text, { maxAliasCount: 0 })) as Json
    if (isMap(value)) return value
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : '').split('\n')
    throw new DraftRefused(`The document is neither JSON nor YAML: ${line}`)
  }
  throw new DraftRefused('The document is not a description of an API.')
}

export class OpenApiDocument {
  readonly root: JsonMap

  constructor(root: JsonMap) {
    this.root = root
  }

  /** Follows references within the document. Other documents are not read. */
  resolve(value: Json | undefined): JsonMap {
    let found = mapOf(value)
    for (let steps = 0; steps < 20; steps += 1) {
      const reference = textOf(found['$ref'])
      if (reference === undefined) return found
      found = reference.startsWith('#/') ? mapOf(this.#at(reference)) : {}
    }
    return {}
  }

  /** A schema with those that it is composed of: all of `allOf`, or the first object or value of `anyOf` and `oneOf`. */
  schema(value: Json | undefined, depth = 0): JsonMap {
    const schema = this.resolve(value)
    if (depth > 8) return schema
    const all = listOf(schema['allOf']).map((part) => this.schema(part, depth + 1))
    const [choice] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
      .map((part) => this.resolve(part))
      .filter((part) => textOf(part['type']) !== 'null' && JSON.stringify(part['enum']) !== '[""]')
      .toSorted((one, other) => Number(isText(other)) - Number(isText(one)))
    const parts = [...all, ...(choice === undefined ? [] : [this.schema(choice, depth + 1)])]
    if (parts.length === 0) return schema
    const properties = Object.assign({}, ...parts.map((part) => part['properties']), schema['properties']) as JsonMap
    return { ...Object.assign({}, ...parts), ...schema, properties } as JsonMap
  }

  #at(reference: string): Json | undefined {
    let found: Json | undefined = this.root
    for (const part of reference.slice(2).split('/'))
      found = mapOf(found)[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')]
    return found
  }
}

/** An id instead of the expanded record, where an API can give either. */
function isText({ type }: JsonMap): boolean {
  return type === 'string'
}

/** The type of a schema; of several, the one that is not null. */
export function typeNameOf(schema: JsonMap): string {
  const { type } = schema
  if (typeof type === 'string') return type
  const named = listOf(type).find((one) => one !== 'null')
  if (typeof named === 'string') return named
  return schema['items'] !== undefined ? 'array' : Object.keys(mapOf(schema['properties'])).length > 0 ? 'object' : ''
}
