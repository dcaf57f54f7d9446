/** Documents of an API, each with its lists within, as rows of a parent table and of child tables. */
import { setImmediate as giveWay } from 'node:timers/promises'
import { encodeRow } from '../../encoding/copy-text.ts'
import type { RowBatch, Table } from '../../ports/model.ts'
import type { JsonObject } from './exact-json.ts'
import type { Field, Spot } from './fields.ts'

export interface RowShape {
  readonly table: Table
  readonly fields: readonly Field[]
}

export interface ChildShape extends RowShape {
  /** The places in a document that become rows, in order. */
  rows(document: JsonObject): readonly Spot[]
}

export interface DocumentShape extends RowShape {
  readonly children: readonly ChildShape[]
}

/** A table of its own. Its key are the fields named so. */
export function parentTable(
  name: string,
  fields: readonly Field[],
  children: readonly ChildShape[] = [],
): DocumentShape {
  const table = { name, columns: fields.map(({ column }) => column), key: keyOf(fields) }
  return { table, fields, children }
}

/** A table of what stands within documents. The first field names the document. */
export function childTable(name: string, fields: readonly Field[], rows: ChildShape['rows']): ChildShape {
  const parentKey = fields.slice(0, 1).map(({ column }) => column.name)
  return { table: { name, columns: fields.map(({ column }) => column), key: keyOf(fields), parentKey }, fields, rows }
}

function keyOf(fields: readonly Field[]): string[] {
  return fields.filter(({ column }) => !column.nullable).map(({ column }) => column.name)
}

/** Not one of them has its key: it is not a matter of some rows that cannot be placed. */
export function areNameless({ table, fields }: RowShape, rows: readonly JsonObject[]): boolean {
  const keys = fields.filter(({ column }) => table.key.includes(column.name))
  const isNameless = (node: JsonObject): boolean =>
    keys.some(({ read }) => read({ document: node, node, section: '', number: 0, ordinal: 1 }) === null)
  return rows.length > 0 && rows.every(isNameless)
}

/** A page of a thousand documents in one go would hold up all else that this process does. */
const documentsInOneGo = 50

/** One batch for each table that has rows, the parent's first. */
export async function encodeDocuments(shape: DocumentShape, documents: readonly JsonObject[]): Promise<RowBatch[]> {
  const parents = new Rows(shape)
  const children = shape.children.map((child) => ({ child, rows: new Rows(child) }))
  for (const [at, document] of documents.entries()) {
    if (at % documentsInOneGo === documentsInOneGo - 1) await giveWay()
    parents.add({ document, node: document, section: '', number: 0, ordinal: 1 })
    for (const { child, rows } of children) for (const spot of child.rows(document)) rows.add(spot)
  }
  return [parents, ...children.map(({ rows }) => rows)].filter(({ count }) => count > 0).map((rows) => rows.batch())
}

class Rows {
  readonly #shape: RowShape
  #text = ''
  count = 0

  constructor(shape: RowShape) {
    this.#shape = shape
  }

  add(spot: Spot): void {
    this.#text += encodeRow(this.#shape.fields.map(({ read }) => read(spot)))
    this.count += 1
  }

  batch(): RowBatch {
    return { table: this.#shape.table.name, bytes: Buffer.from(this.#text, 'utf8'), rows: this.count }
  }
}
