/** Declares the streams of Cin7 Core: lists, documents behind a list, and the ledger. */
import type { JsonObject } from '../../http/exact-json.ts'
import { readMember, readMembers, type RowContext } from '../../http/fields.ts'
import { type DocumentShape, type RowFinder, rowsOf } from '../../http/documents.ts'

export interface ListEndpoint {
  readonly path: string
  /** An alternate spelling of the path, tried if Cin7 does not know the first, and used if it returns the same list. */
  readonly alternatePath?: string
  /** The key of the rows in the response. */
  readonly rows: string
  readonly alternateRows?: string
  /** Rows per page; absent: Cin7's maximum. */
  readonly limit?: number
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
export function listStream(name: string, shape: DocumentShape, list: ListEndpoint): ListStream {
  return { kind: 'list', name, list, shape }
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

export type DocumentPart = Pick<RowContext, 'section' | 'number' | 'node'>
export type PartFinder = (document: JsonObject) => readonly DocumentPart[]

/** The rows of a list within each element of another list, whose index becomes the section number. */
export function rowsWithinEach(key: string, inner: string): RowFinder {
  return rowsWithinParts(numberedParts('', key), inner)
}

/** The rows of a list within each of several parts of the document. */
export function rowsWithinParts(parts: PartFinder, key: string): RowFinder {
  return (document) => parts(document).flatMap((part) => rowsOf(document, readMembers(part.node, key), part))
}

export function unnumberedParts(section: string, key: string): PartFinder {
  return (document) => readMembers(document, key).map((node) => ({ section, number: 0, node }))
}

export function numberedParts(section: string, key: string): PartFinder {
  return (document) => readMembers(document, key).map((node, index) => ({ section, number: index + 1, node }))
}

/** The parts themselves as rows. */
export function partsAsRows(section: string, key: string): RowFinder {
  const parts = numberedParts(section, key)
  return (document) => parts(document).map((part) => ({ ...part, document, ordinal: part.number }))
}

/** Concatenates what several finders find in a document. */
export function concatFound<Found>(
  ...finders: readonly ((document: JsonObject) => readonly Found[])[]
): (document: JsonObject) => readonly Found[] {
  return (document) => finders.flatMap((find) => find(document))
}

/** The rows of a finder, as those of a section. */
export function inSection(section: string, find: RowFinder): RowFinder {
  return (document) => find(document).map((row) => ({ ...row, section }))
}

export function textOf(row: JsonObject, key: string): string {
  const value = readMember(row, key)
  return typeof value === 'string' ? value : ''
}
