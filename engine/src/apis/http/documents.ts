/** Maps an API's nested documents to rows of a parent table and of child tables. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { encodeRow } from '../../encoding/copy-text.ts'
import type { RowBatch, Table } from '../../ports/model.ts'
import type { JsonObject } from './exact-json.ts'
import { type FieldMapping, type Fields, guid, ordinal, readMembers, type RowContext } from './fields.ts'

export interface RowShape {
  readonly table: Table
  readonly fields: readonly FieldMapping[]
}

/** Finds the positions in a document that become rows, in order. */
export type RowFinder = (document: JsonObject) => readonly RowContext[]

export interface ChildShape extends RowShape {
  readonly rows: RowFinder
}

export interface DocumentShape extends RowShape {
  readonly children: readonly ChildShape[]
  /** Names of a document's members that no column has, if they are reported. */
  readonly unknownMembers?: (document: JsonObject) => readonly string[]
}

/** A table of rows nested in the documents of a parent table, whose id is its first column. */
export type ChildTable = (parentId: FieldMapping) => ChildShape

/**
 * A top-level table. Its key consists of the `keyed` fields. The first one identifies the document to the children; a
 * bare `ID` is called after the table there.
 */
export function parentTable(name: string, fields: Fields, children: readonly ChildTable[] = []): DocumentShape {
  const [[path, kind] = ['', guid]] = Object.entries(fields)
  const parentId = kind(path, { of: 'document', ...(path === 'ID' && { as: `${name}_id` }) })
  return { ...rowShape(name, fieldsOf(fields)), children: children.map((child) => child(parentId)) }
}

export function childTable(name: string, fields: Fields, rows: RowFinder): ChildTable {
  return (parentId) => childShape({ name, parentKey: [parentId], fields: fieldsOf(fields), rows })
}

/** A child table for a list of the document, keyed by position. */
export function listOf(name: string, key: string, fields: Fields): ChildTable {
  return childTable(name, { ordinal, ...fields }, rowsWithin(key))
}

/** A child table for a list whose rows have a key of their own among the fields. */
export function identifiedListOf(name: string, key: string, fields: Fields): ChildTable {
  return childTable(name, fields, rowsWithin(key))
}

interface ChildDefinition {
  readonly name: string
  readonly parentKey: readonly FieldMapping[]
  readonly fields: readonly FieldMapping[]
  readonly rows: RowFinder
}

export function childShape({ name, parentKey, fields, rows }: ChildDefinition): ChildShape {
  const { table, ...shape } = rowShape(name, [...parentKey, ...fields])
  return { ...shape, table: { ...table, parentKey: parentKey.map(({ column }) => column.name) }, rows }
}

/** A table whose key consists of the fields that are never null. */
export function rowShape(name: string, fields: readonly FieldMapping[]): RowShape {
  const key = fields.filter(({ column }) => !column.nullable).map(({ column }) => column.name)
  return { table: { name, columns: fields.map(({ column }) => column), key }, fields }
}

function fieldsOf(fields: Fields): readonly FieldMapping[] {
  return Object.entries(fields).map(([path, kind]) => kind(path))
}

/** The rows of a list within the document. */
export function rowsWithin(key: string): RowFinder {
  return (document) => rowsOf(document, readMembers(document, key))
}

/** Nodes as rows of the document, or of one of its sections. */
export function rowsOf(
  document: JsonObject,
  nodes: readonly JsonObject[],
  { section, number }: Pick<RowContext, 'section' | 'number'> = { section: '', number: 0 },
): RowContext[] {
  return nodes.map((node, index) => ({ document, node, section, number, ordinal: index + 1 }))
}

/** The document itself as a row. */
export function rowOf(document: JsonObject): RowContext {
  return { document, node: document, section: '', number: 0, ordinal: 1 }
}

/** The key of a document's row, encoded. */
export function keyOf(shape: RowShape, document: JsonObject): string {
  const row = rowOf(document)
  return encodeRow(keyFieldsOf(shape).map(({ read }) => read(row)))
}

export function keyFieldsOf(shape: RowShape): readonly FieldMapping[] {
  return fieldsNamed(shape, shape.table.key)
}

function fieldsNamed({ fields }: RowShape, columns: readonly string[]): readonly FieldMapping[] {
  return columns.flatMap((name) => fields.filter(({ column }) => column.name === name))
}

/** Only the keys, in the order of the documents. @param columns that follow the key */
export function encodeKeys(
  shape: RowShape,
  documents: readonly JsonObject[],
  columns: readonly string[] = [],
): RowBatch {
  const fields = [...keyFieldsOf(shape), ...fieldsNamed(shape, columns)]
  return batchOf(
    shape,
    documents.map((document) => encodeRow(fields.map(({ read }) => read(rowOf(document))))),
  )
}

/** Encoded rows as a batch. */
export function batchOf({ table }: RowShape, rows: readonly string[]): RowBatch {
  return { table: table.name, bytes: Buffer.from(rows.join(''), 'utf8'), rows: rows.length }
}

/** True if every row lacks its key, which means that the response format has changed. */
export function allLackKeys(shape: RowShape, rows: readonly JsonObject[]): boolean {
  const keys = keyFieldsOf(shape)
  const lacksKey = (document: JsonObject): boolean => keys.some(({ read }) => read(rowOf(document)) === null)
  return rows.length > 0 && rows.every(lacksKey)
}

/** Encoding a whole page of a thousand documents would block the event loop. */
const documentsPerTick = 50

/**
 * Returns one batch for each table that has rows, the parent's first. Of a document that is there several times only the last is encoded:
 * the children of the former ones would remain in the target.
 */
export async function encodeDocuments(shape: DocumentShape, documents: readonly JsonObject[]): Promise<RowBatch[]> {
  const parents = new BatchBuilder(shape)
  const children = shape.children.map((child) => ({ child, rows: new BatchBuilder(child) }))
  for (const [at, document] of lastOfEach(shape, documents).entries()) {
    if (at % documentsPerTick === documentsPerTick - 1) await yieldToEventLoop()
    parents.add(rowOf(document))
    for (const { child, rows } of children) for (const spot of child.rows(document)) rows.add(spot)
  }
  const batches = [parents, ...children.map(({ rows }) => rows)]
    .filter(({ count }) => count > 0)
    .map((rows) => rows.batch())
  const [first, ...others] = batches
  const unknown = unknownMembersOf(shape, documents)
  return first === undefined || unknown.length === 0 ? batches : [{ ...first, unknownMembers: unknown }, ...others]
}

function unknownMembersOf({ unknownMembers }: DocumentShape, documents: readonly JsonObject[]): readonly string[] {
  if (unknownMembers === undefined) return []
  return [...new Set(documents.flatMap(unknownMembers))]
}

/** Documents without a key stay, so that the target rejects each of them. */
function lastOfEach(shape: DocumentShape, documents: readonly JsonObject[]): readonly JsonObject[] {
  const fields = keyFieldsOf(shape)
  if (shape.children.length === 0 || fields.length === 0) return documents
  const places = new Map<string, number>()
  for (const [at, document] of documents.entries()) {
    const row = rowOf(document)
    const key = fields.map(({ read }) => read(row))
    places.set(key.includes(null) ? `${at}` : encodeRow(key), at)
  }
  if (places.size === documents.length) return documents
  const last = new Set(places.values())
  return documents.filter((_, at) => last.has(at))
}

class BatchBuilder {
  readonly #shape: RowShape
  #text = ''
  count = 0

  constructor(shape: RowShape) {
    this.#shape = shape
  }

  add(spot: RowContext): void {
    this.#text += encodeRow(this.#shape.fields.map(({ read }) => read(spot)))
    this.count += 1
  }

  batch(): RowBatch {
    return { table: this.#shape.table.name, bytes: Buffer.from(this.#text, 'utf8'), rows: this.count }
  }
}
