/** Maps an API's nested documents to rows of a parent table and of child tables. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { encodeRow } from '../../encoding/copy-text.ts'
import type { RowBatch, Table } from '../../ports/model.ts'
import type { JsonObject } from './exact-json.ts'
import type { FieldMapping, RowContext } from './fields.ts'

export interface RowShape {
  readonly table: Table
  readonly fields: readonly FieldMapping[]
}

export interface ChildShape extends RowShape {
  /** The positions in a document that become rows, in order. */
  rows(document: JsonObject): readonly RowContext[]
}

export interface DocumentShape extends RowShape {
  readonly children: readonly ChildShape[]
}

/** A top-level table. Its key consists of the non-nullable fields. */
export function parentTable(
  name: string,
  fields: readonly FieldMapping[],
  children: readonly ChildShape[] = [],
): DocumentShape {
  const table = { name, columns: fields.map(({ column }) => column), key: keyColumnsOf(fields) }
  return { table, fields, children }
}

/** A table of rows nested in documents. The first field must be the document's id. */
export function childTable(name: string, fields: readonly FieldMapping[], rows: ChildShape['rows']): ChildShape {
  const parentKey = fields.slice(0, 1).map(({ column }) => column.name)
  return {
    table: { name, columns: fields.map(({ column }) => column), key: keyColumnsOf(fields), parentKey },
    fields,
    rows,
  }
}

function keyColumnsOf(fields: readonly FieldMapping[]): string[] {
  return fields.filter(({ column }) => !column.nullable).map(({ column }) => column.name)
}

/** True if every row lacks its key, which means that the response format has changed. */
export function allLackKeys({ table, fields }: RowShape, rows: readonly JsonObject[]): boolean {
  const keys = fields.filter(({ column }) => table.key.includes(column.name))
  const lacksKey = (node: JsonObject): boolean =>
    keys.some(({ read }) => read({ document: node, node, section: '', number: 0, ordinal: 1 }) === null)
  return rows.length > 0 && rows.every(lacksKey)
}

/** Encoding a whole page of a thousand documents would block the event loop. */
const documentsPerTick = 50

/** Returns one batch for each table that has rows, the parent's first. */
export async function encodeDocuments(shape: DocumentShape, documents: readonly JsonObject[]): Promise<RowBatch[]> {
  const parents = new BatchBuilder(shape)
  const children = shape.children.map((child) => ({ child, rows: new BatchBuilder(child) }))
  for (const [at, document] of documents.entries()) {
    if (at % documentsPerTick === documentsPerTick - 1) await yieldToEventLoop()
    parents.add({ document, node: document, section: '', number: 0, ordinal: 1 })
    for (const { child, rows } of children) for (const spot of child.rows(document)) rows.add(spot)
  }
  return [parents, ...children.map(({ rows }) => rows)].filter(({ count }) => count > 0).map((rows) => rows.batch())
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
