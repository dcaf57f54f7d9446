/** Gives each row its company and its number among the rows with the same key. */
import { Fault } from '../../../ports/faults.ts'
import { rowOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import type { DescribedApi } from '../calls.ts'
import type { Occurrences } from './duplicate-keys.ts'
import { companyProperty, occurrenceProperty, type ODataTable } from './metadata/tables.ts'

export interface RowNumbering {
  readonly described: DescribedApi
  readonly table: ODataTable
  readonly company: string
  readonly occurrences: Occurrences
}

/** Throws a `data` Fault if a key property is missing. */
export function numberRows(
  { described, table, company, occurrences }: RowNumbering,
  rows: readonly JsonObject[],
): JsonObject[] {
  const missing = table.key.find(({ name }) => rows.some((row) => !hasProperty(row, name)))
  if (missing !== undefined) throw changedShapeFault(described, table, missing.name)
  return rows.map((row) => ({
    ...row,
    [companyProperty]: company,
    [occurrenceProperty]: occurrenceOf(table, row, occurrences),
  }))
}

function occurrenceOf({ keyFields, isNumbered }: ODataTable, row: JsonObject, occurrences: Occurrences): number {
  if (!isNumbered || keyFields.length === 0) return 1
  const values = keyFields.map(({ read }) => read(rowOf(row)))
  return occurrences.next(values.length === 1 ? (values[0] ?? '') : JSON.stringify(values))
}

/** The notice for a key that is not unique. */
export function describeDuplicateKey({ name, key, dated }: ODataTable, company: string, repeated: string): string {
  const consequence = dated === null ? '' : ' Every run reads the whole table.'
  const names = key.map((property) => property.name).join(' and ')
  return `${names} is not unique in ${name}: ${company === '' ? '' : `in company ${company}, `}${repeated} occurs more than once. Such rows are numbered in the column occurrence, so that none is lost or duplicated.${consequence}`
}

/** True for a null property; false for one that the service no longer returns. */
function hasProperty(row: JsonObject, name: string): boolean {
  if (row[name] !== undefined) return true
  const lowerCaseName = name.toLowerCase()
  return Object.keys(row).some((key) => key.toLowerCase() === lowerCaseName)
}

function changedShapeFault({ title, code }: DescribedApi, { name }: ODataTable, property: string): Fault {
  return new Fault('data', {
    code: `${code}.shape_changed`,
    notice: `${name} came without ${property}, which identifies its rows: the table was changed in ${title} while it was read. None of its rows were stored; the next run reads it in its new form.`,
  })
}
