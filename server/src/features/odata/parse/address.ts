/** Reads the path and the query options of an address. Each part is decoded once. */
import { AsOf } from '@tributary/contract/data-history'
import { badRequest, notImplemented, ODataError } from '../odata-error.ts'
import { Cursor } from './cursor.ts'
import { readLiteral } from './literals.ts'
import type { Literal } from '../../../access/query/expression.ts'

export type FeedResource =
  | { readonly type: 'service' | 'metadata' }
  | { readonly type: 'set'; readonly set: string }
  | { readonly type: 'count'; readonly set: string }
  | { readonly type: 'entity'; readonly set: string; readonly key: readonly KeyValue[] }

/** Without a name: the only property of the key. */
export interface KeyValue {
  readonly name: string | null
  readonly literal: Literal
}

/** Longer addresses are refused: many programs and proxies cut them. */
const addressMax = 12_000

export function requireShortAddress(url: string): void {
  if (url.length > addressMax)
    throw new ODataError(
      414,
      'addressTooLong',
      `The address is longer than ${addressMax} characters. Use a shorter filter.`,
    )
}

/** @param path the part after the organisation, not decoded */
export function parseResource(path: string): FeedResource {
  const segments = path.split('/').map((segment) => decodePart(segment, 'The path'))
  if (segments.at(-1) === '') segments.pop()
  const [first, second, ...others] = segments
  if (first === undefined) return { type: 'service' }
  if (first === '$metadata' && second === undefined) return { type: 'metadata' }
  if (first.startsWith('$')) throw notImplemented(first, { target: first })
  const resource = parseSet(first)
  if (second === undefined) return resource
  if (second === '$count' && others.length === 0 && resource.type === 'set') return { type: 'count', set: resource.set }
  throw notImplemented('paths below a set or a row', { target: second })
}

function parseSet(segment: string): Extract<FeedResource, { type: 'set' | 'entity' }> {
  const start = segment.indexOf('(')
  const set = start === -1 ? segment : segment.slice(0, start)
  if (/^\.|\.$/.test(set)) throw badRequest('A name neither begins nor ends with a dot.', { target: set })
  if (set.includes('.')) throw notImplemented('types, functions and actions in paths', { target: set })
  if (start === -1) return { type: 'set', set }
  return { type: 'entity', set, key: parseKey(segment.slice(start)) }
}

function parseKey(text: string): KeyValue[] {
  const cursor = new Cursor(text)
  const values: KeyValue[] = []
  cursor.expect('(')
  if (cursor.takeText(')')) throw cursor.unsupported('functions in paths')
  do {
    const name = cursor.take(/([\p{L}\p{Nl}_][\p{L}\p{N}\p{M}\p{Pc}\p{Cf}]*)[ \t]*=[ \t]*/uy)?.[1] ?? null
    if (cursor.text[cursor.at] === '@') throw cursor.unsupported('parameter aliases')
    const literal = readLiteral(cursor)
    if (literal === null) throw cursor.unexpected('a value of the key')
    values.push({ name, literal })
  } while (cursor.takeText(','))
  cursor.expect(')')
  if (cursor.takeText('(')) throw cursor.unsupported('functions in paths')
  cursor.expectEnd()
  return values
}

/** The system query options of the feed, without the dollar sign. */
const supported = [
  'apply',
  'count',
  'filter',
  'format',
  'orderby',
  'search',
  'select',
  'skip',
  'skiptoken',
  'top',
] as const
export type OptionName = (typeof supported)[number]
export interface QueryOptions extends Readonly<Partial<Record<OptionName, string>>> {
  /** The moment at which the rows are read: an option of the feed itself, so it has no dollar sign. */
  readonly asOf?: string
}

const unsupported = new Set(['compute', 'deltatoken', 'expand', 'id', 'index', 'levels', 'schemaversion'])

/**
 * Reads the system query options. OData 4.01 makes the dollar sign optional and the case free. Options without a dollar sign that
 * are not OData's are ignored, as OData has it.
 */
export function parseQueryOptions(query: string): QueryOptions {
  const options: Partial<Record<OptionName | 'asOf', string>> = {}
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const written = decodePart(equals === -1 ? part : part.slice(0, equals), 'The name of an option')
    if (written.toLowerCase() === 'asof') {
      if (options.asOf !== undefined) throw badRequest('The option is there twice.', { target: 'asOf' })
      options.asOf = parseMoment(decodePart(equals === -1 ? '' : part.slice(equals + 1), 'The value of asOf'))
      continue
    }
    const name = written.replace(/^\$/, '').toLowerCase()
    const known = supported.find((candidate) => candidate === name)
    if (known === undefined) {
      refuseOther(written, name)
      continue
    }
    if (options[known] !== undefined) throw badRequest('The option is there twice.', { target: `$${known}` })
    options[known] = decodePart(equals === -1 ? '' : part.slice(equals + 1), `The value of $${known}`)
  }
  return options
}

function parseMoment(text: string): string {
  const parsed = AsOf.safeParse(text)
  if (parsed.success) return parsed.data
  throw badRequest('This must be a date and time in UTC, such as 2026-11-28T06:00:00Z.', { target: 'asOf' })
}

function refuseOther(written: string, name: string): void {
  const target = written.slice(0, 100)
  if (unsupported.has(name)) throw notImplemented(`the option $${name}`, { target: `$${name}` })
  if (written.startsWith('@')) throw notImplemented('parameter aliases', { target })
  if (written.startsWith('$')) throw badRequest('There is no such option.', { target })
}

/** A plus sign is a space, as many programs encode it. */
function decodePart(text: string, what: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw badRequest(`${what} is not encoded correctly: % must be followed by two hexadecimal digits of UTF-8.`)
  }
}
