/** From the rows of a page to batches: each gets its company, and its number among those with the same key. */
import { encodeRow } from '../../encoding/copy-text.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { encodeDocuments } from '../http/documents.ts'
import type { Spot } from '../http/fields.ts'
import { Fault } from '../../ports/faults.ts'
import type { RowBatch } from '../../ports/model.ts'
import type { Occurrences } from './occurrences.ts'
import { companyMark, occurrenceMark } from './tables.ts'
import type { UnicontaTable } from './tables.ts'

export interface Marking {
  readonly table: UnicontaTable
  readonly company: string
  readonly occurrences: Occurrences
}

/** Throws a `data` Fault where the property that tells rows apart is not there any more. */
export function markRows({ table, company, occurrences }: Marking, rows: readonly JsonObject[]): JsonObject[] {
  const missing = table.key.find((part) => rows.some((row) => !hasProperty(row, part)))
  if (missing !== undefined) throw changedShape(table, missing)
  return rows.map((row) => ({
    ...row,
    [companyMark]: company,
    [occurrenceMark]: occurrenceOf(table, row, occurrences),
  }))
}

function occurrenceOf({ keyFields }: UnicontaTable, row: JsonObject, occurrences: Occurrences): number {
  if (keyFields.length === 0) return 1
  const values = keyFields.map(({ read }) => read(spotOf(row)))
  return occurrences.next(values.length === 1 ? (values[0] ?? '') : JSON.stringify(values))
}

export function encodeRows(table: UnicontaTable, marked: readonly JsonObject[]): Promise<RowBatch[]> {
  return encodeDocuments(table.shape, marked)
}

/** The keys alone, in their order. */
export function encodeKeys(table: UnicontaTable, marked: readonly JsonObject[]): RowBatch {
  const lines = marked.map((row) => keyOf(table, row))
  return { table: table.shape.table.name, bytes: Buffer.from(lines.join(''), 'utf8'), rows: lines.length }
}

export function keyOf({ shape }: UnicontaTable, marked: JsonObject): string {
  const fields = shape.table.key.flatMap((name) => shape.fields.find(({ column }) => column.name === name) ?? [])
  return encodeRow(fields.map(({ read }) => read(spotOf(marked))))
}

function spotOf(row: JsonObject): Spot {
  return { document: row, node: row, section: '', number: 0, ordinal: 1 }
}

/** What is said where a key has turned out not to be one. */
export function notUnique({ name, key, dated }: UnicontaTable, company: string, repeated: string): string {
  const consequence = dated === null ? '' : ' The table is read whole with every run.'
  return `${key.join(' and ')} does not tell the rows of ${name} apart: in company ${company}, ${repeated} comes more than once. Such rows are numbered in the column occurrence, so that none is lost or doubled.${consequence}`
}

/** A property that is null is there; one that Uniconta no longer knows is not. */
function hasProperty(row: JsonObject, name: string): boolean {
  if (row[name] !== undefined) return true
  const wanted = name.toLowerCase()
  return Object.keys(row).some((key) => key.toLowerCase() === wanted)
}

function changedShape({ name }: UnicontaTable, property: string): Fault {
  return new Fault('data', {
    code: 'uniconta.shape_changed',
    notice: `${name} came without ${property}, by which its rows are told apart: it was changed in Uniconta while it was read. Nothing of it was stored; the next run reads it as it is now.`,
  })
}
