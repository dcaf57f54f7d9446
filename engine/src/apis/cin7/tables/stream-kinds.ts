/** Declares the streams of Cin7 Core: lists, documents behind a list, and the ledger. */
import type { JsonObject } from '../../http/exact-json.ts'
import { readMember, readMembers } from '../../http/fields.ts'
import type { RowContext } from '../../http/fields.ts'
import type { DocumentShape } from '../../http/documents.ts'

export interface ListEndpoint {
  readonly path: string
  /** An alternate spelling of the path, tried if Cin7 does not know the first, and used if it returns the same list. */
  readonly alternatePath?: string
  /** The key of the rows in the response. */
  readonly rows: string
  readonly alternateRows?: string
  readonly limit: number
  /** Parameters of every request. */
  readonly query?: Readonly<Record<string, string>>
  /** Further parameters for reading rows, omitted when only keys are read. */
  readonly fullQuery?: Readonly<Record<string, string>>
  /** The filter for changes since a moment, if Cin7 has one. */
  readonly since?: 'UpdatedSince' | 'ModifiedSince'
}

interface Cin7StreamBase {
  readonly name: string
  readonly list: ListEndpoint
  readonly shape: DocumentShape
  /** Not available in every account, such as a paid module: offered only if its list can be read. */
  readonly optional?: true
}

export interface ListStream extends Cin7StreamBase {
  readonly kind: 'list'
}

/** A stream whose documents take one call each. */
interface DetailStreamBase extends Cin7StreamBase {
  /** Plural for messages: `sales`. */
  readonly noun: string
  /** The key of a row's id, and the parameter that selects the document. */
  readonly id: string
  readonly parameter: 'ID' | 'TaskID' | 'ProductionOrderID'
  readonly detailQuery?: Readonly<Record<string, string>>
  /** The key of the list that wraps the document, if one does. */
  readonly wrap?: string
  /** The path of this row's document. */
  pathOf(row: JsonObject): string
}

/** The list can be filtered by its last change. */
export interface DatedStream extends DetailStreamBase {
  readonly kind: 'dated'
  /** The key of the row's last change. */
  readonly changed: string
}

/** The list has no filter for changes: a document is read if its row differs, and while it is open. */
export interface TaskStream extends DetailStreamBase {
  readonly kind: 'tasks'
}

/** A list without keys, filtered by day. */
export interface LedgerStream extends Cin7StreamBase {
  readonly kind: 'ledger'
}

export type DetailStream = DatedStream | TaskStream
export type Cin7Stream = ListStream | DetailStream | LedgerStream

/** A list that is its own stream. */
export function listStream(
  name: string,
  shape: DocumentShape,
  list: Omit<ListEndpoint, 'limit'> & { readonly limit?: number },
): ListStream {
  return { kind: 'list', name, list: { limit: listLimit, ...list }, shape }
}

/** Tasks of the warehouse or the office: a list without lines, and one document each. */
export function taskStream(
  name: string,
  task: Omit<TaskStream, 'kind' | 'name' | 'id' | 'parameter'> & Partial<Pick<TaskStream, 'parameter'>>,
): TaskStream {
  const parameter = task.parameter ?? 'TaskID'
  return { kind: 'tasks', name, id: parameter, ...task, parameter }
}

/** Cin7's maximum of rows per page. */
export const listLimit = 1_000

/** The rows of a list within the document. */
export function rowsWithin(key: string): (document: JsonObject) => RowContext[] {
  return (document) => rowContexts(document, readMembers(document, key), { section: key.toLowerCase(), number: 0 })
}

/** The rows of a list within each element of another list, whose index becomes the section number. */
export function rowsWithinEach(key: string, inner: string): (document: JsonObject) => RowContext[] {
  return rowsWithinParts((document) => numberedParts(inner.toLowerCase(), document, key), inner)
}

export interface DocumentPart {
  readonly section: string
  readonly number: number
  readonly node: JsonObject
}

/** The rows of a list within each of several parts of the document. */
export function rowsWithinParts(
  parts: (document: JsonObject) => readonly DocumentPart[],
  key: string,
): (document: JsonObject) => RowContext[] {
  return (document) => parts(document).flatMap((part) => rowContexts(document, readMembers(part.node, key), part))
}

export function unnumberedParts(section: string, document: JsonObject, key: string): DocumentPart[] {
  return readMembers(document, key).map((node) => ({ section, number: 0, node }))
}

export function numberedParts(section: string, document: JsonObject, key: string): DocumentPart[] {
  return readMembers(document, key).map((node, index) => ({ section, number: index + 1, node }))
}

/** The parts themselves as rows. */
export function partsAsRows(section: string, key: string): (document: JsonObject) => RowContext[] {
  return (document) =>
    numberedParts(section, document, key).map((part) => ({ ...part, document, ordinal: part.number }))
}

/** Concatenates the rows of several finders into one table. */
export function concatRows(
  ...ways: readonly ((document: JsonObject) => readonly RowContext[])[]
): (document: JsonObject) => RowContext[] {
  return (document) => ways.flatMap((way) => way(document))
}

function rowContexts(
  document: JsonObject,
  nodes: readonly JsonObject[],
  place: { section: string; number: number },
): RowContext[] {
  return nodes.map((node, index) => ({
    document,
    node,
    section: place.section,
    number: place.number,
    ordinal: index + 1,
  }))
}

export function textOf(row: JsonObject, key: string): string {
  const value = readMember(row, key)
  return typeof value === 'string' ? value : ''
}
