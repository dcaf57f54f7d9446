/** How the streams of Cin7 Core are declared: a list, the documents behind a list, or the ledger. */
import type { JsonObject } from '../../http/exact-json.ts'
import { member, members } from '../../http/fields.ts'
import type { Spot } from '../../http/fields.ts'
import type { DocumentShape } from '../../http/documents.ts'

export interface List {
  readonly path: string
  /** Where Cin7 has two spellings: asked where it does not know the first, and read if it answers with the same list. */
  readonly orPath?: string
  /** The key of the rows in the answer. */
  readonly rows: string
  readonly orRows?: string
  readonly limit: number
  /** What is always asked for. */
  readonly query?: Readonly<Record<string, string>>
  /** What is asked for besides when rows are read whole, but not when only their keys are. */
  readonly whole?: Readonly<Record<string, string>>
  /** The filter for what changed since a moment; absent where Cin7 has none. */
  readonly since?: 'UpdatedSince' | 'ModifiedSince'
}

interface Declared {
  readonly name: string
  readonly list: List
  readonly shape: DocumentShape
  /** Not every account has it, such as what Cin7 sells with a module: offered only where its list can be read. */
  readonly optional?: true
}

export interface ListStream extends Declared {
  readonly kind: 'list'
}

/** One call for each document of a list. */
interface Details extends Declared {
  /** For people: `sales`. */
  readonly noun: string
  /** The key of a row's id, and the parameter by which the document is asked for. */
  readonly id: string
  readonly parameter: 'ID' | 'TaskID' | 'ProductionOrderID'
  readonly detailQuery?: Readonly<Record<string, string>>
  /** The key of the list that the document comes in, where it comes in one. */
  readonly wrap?: string
  /** The path that answers this row's document. */
  pathOf(row: JsonObject): string
}

/** The list tells what changed since a moment. */
export interface DatedStream extends Details {
  readonly kind: 'dated'
  /** The key of the moment at which a row changed. */
  readonly changed: string
}

/** The list tells nothing of changes: a document is read where its row differs, or while it is open. */
export interface TaskStream extends Details {
  readonly kind: 'tasks'
}

/** A list without keys, asked for by days. */
export interface LedgerStream extends Declared {
  readonly kind: 'ledger'
}

export type DetailStream = DatedStream | TaskStream
export type Cin7Stream = ListStream | DetailStream | LedgerStream

/** A list that is its own stream, under its own name. */
export function listed(
  name: string,
  shape: DocumentShape,
  list: Omit<List, 'limit'> & { readonly limit?: number },
): ListStream {
  return { kind: 'list', name, list: { limit: listLimit, ...list }, shape }
}

/** Work in the warehouse or the office: a list without lines, and a document for each. */
export function tasks(
  name: string,
  task: Omit<TaskStream, 'kind' | 'name' | 'id' | 'parameter'> & Partial<Pick<TaskStream, 'parameter'>>,
): TaskStream {
  const parameter = task.parameter ?? 'TaskID'
  return { kind: 'tasks', name, id: parameter, ...task, parameter }
}

/** As many rows a page as Cin7 gives. */
export const listLimit = 1_000

/** The rows of a list within the document. */
export function within(key: string): (document: JsonObject) => Spot[] {
  return (document) => spots(document, members(document, key), { section: key.toLowerCase(), number: 0 })
}

/** The rows of a list within each element of a list within the document, numbered like these. */
export function withinEach(key: string, inner: string): (document: JsonObject) => Spot[] {
  return withinParts((document) => asParts(inner.toLowerCase(), document, key), inner)
}

export interface Part {
  readonly section: string
  readonly number: number
  readonly node: JsonObject
}

/** The rows of a list within each of several parts of the document. */
export function withinParts(
  parts: (document: JsonObject) => readonly Part[],
  key: string,
): (document: JsonObject) => Spot[] {
  return (document) => parts(document).flatMap((part) => spots(document, members(part.node, key), part))
}

export function asPart(section: string, document: JsonObject, key: string): Part[] {
  return members(document, key).map((node) => ({ section, number: 0, node }))
}

export function asParts(section: string, document: JsonObject, key: string): Part[] {
  return members(document, key).map((node, index) => ({ section, number: index + 1, node }))
}

/** The parts themselves as rows. */
export function theParts(section: string, key: string): (document: JsonObject) => Spot[] {
  return (document) => asParts(section, document, key).map((part) => ({ ...part, document, ordinal: part.number }))
}

/** Several ways to rows of one table, one after the other. */
export function together(
  ...ways: readonly ((document: JsonObject) => readonly Spot[])[]
): (document: JsonObject) => Spot[] {
  return (document) => ways.flatMap((way) => way(document))
}

function spots(document: JsonObject, nodes: readonly JsonObject[], place: { section: string; number: number }): Spot[] {
  return nodes.map((node, index) => ({
    document,
    node,
    section: place.section,
    number: place.number,
    ordinal: index + 1,
  }))
}

export function textOf(row: JsonObject, key: string): string {
  const value = member(row, key)
  return typeof value === 'string' ? value : ''
}
