/** Rows of the hostile OData service as JSON, and the part of `$filter` that it supports. */
import type { HostileDocument } from '../documents.ts'

export class InvalidQueryError extends Error {}

export interface HostileRow {
  readonly Id: number
  readonly Modified: string
  readonly document: HostileDocument
}

export function rowOf(document: HostileDocument): HostileRow {
  return { Id: document.id, Modified: new Date(document.changedAt).toISOString(), document }
}

export interface RowForm {
  /** Only these properties; null: all. */
  readonly properties: ReadonlySet<string> | null
  /** With a member that the metadata do not declare. */
  readonly undeclared?: boolean
  /** With the parts of the document, of which the reply has only the first ones: where the others are. */
  readonly partsAt?: string
}

export function rowJson({ document, Modified }: HostileRow, { properties, undeclared, partsAt }: RowForm): string {
  const { id, name, amount, isDeleted, lines } = document
  const lineJson = lines.map(({ sku, quantity }) => `{"Sku":${JSON.stringify(sku)},"Quantity":${quantity}}`)
  const members = {
    Id: String(id),
    Name: JSON.stringify(name),
    Amount: amount,
    Modified: JSON.stringify(Modified),
    IsDeleted: String(isDeleted),
    Lines: `[${lineJson.join(',')}]`,
  }
  const written = Object.entries(members).filter(([member]) => properties === null || properties.has(member))
  const more = undeclared === true ? [['Colour', '{"red":1}'] as const] : []
  const parts = partsAt === undefined ? [] : [partsJson(document, 0, `${partsAt}(${id})/Parts`)]
  const own = [...written, ...more].map(([member, value]) => `"${member}":${value}`)
  return `{${[...own, ...parts].join(',')}}`
}

const partsOnPage = 2

/** A page of the parts of a document, as members of an object. @param at the address of all parts */
export function partsJson({ lines }: HostileDocument, skip: number, at: string, name = 'Parts'): string {
  const page = lines.slice(skip, skip + partsOnPage)
  const parts = page.map(({ sku }, index) => `{"Number":${skip + index + 1},"Sku":${JSON.stringify(sku)}}`)
  const prefix = name === 'Parts' ? name : ''
  const next = `"${prefix}@odata.nextLink":${JSON.stringify(`${at}?$skip=${skip + partsOnPage}`)}`
  return `"${name}":[${parts.join(',')}]${lines.length > skip + partsOnPage ? `,${next}` : ''}`
}

type RowFilter = (row: HostileRow) => boolean

/** Comparisons, which `and`, `or` and parentheses combine. @throws InvalidQueryError */
export function filterOf(text: string | null): RowFilter {
  if (text === null) return () => true
  const tokens = text.match(/[()]|[^\s()]+/gu) ?? []
  const test = parseAny(tokens)
  if (tokens.length > 0) throw new InvalidQueryError(`Unexpected ‘${tokens[0] ?? ''}’.`)
  return test
}

function parseAny(tokens: string[]): RowFilter {
  const tests = [parseAll(tokens)]
  while (tokens[0] === 'or') {
    tokens.shift()
    tests.push(parseAll(tokens))
  }
  return (row) => tests.some((test) => test(row))
}

function parseAll(tokens: string[]): RowFilter {
  const tests = [parseOne(tokens)]
  while (tokens[0] === 'and') {
    tokens.shift()
    tests.push(parseOne(tokens))
  }
  return (row) => tests.every((test) => test(row))
}

function parseOne(tokens: string[]): RowFilter {
  const first = tokens.shift() ?? ''
  if (first === '(') {
    const test = parseAny(tokens)
    if (tokens.shift() !== ')') throw new InvalidQueryError('‘)’ is missing.')
    return test
  }
  const holds = comparisons[tokens.shift() ?? '']
  const value = literalOf(first, tokens.shift() ?? '')
  if (holds === undefined) throw new InvalidQueryError('Rows are compared by eq, gt, ge and lt.')
  return (row) => holds(first === 'Id' ? row.Id : Date.parse(row.Modified), value)
}

const comparisons: { readonly [name: string]: ((one: number, other: number) => boolean) | undefined } = {
  eq: (one, other) => one === other,
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
}

function literalOf(property: string, text: string): number {
  if (property === 'Id' && /^\d+$/u.test(text)) return Number(text)
  if (property === 'Modified' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(text)) return Date.parse(text)
  throw new InvalidQueryError(`${property} is not compared with ‘${text}’.`)
}
