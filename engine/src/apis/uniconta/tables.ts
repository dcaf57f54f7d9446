/** Maps an entity set to a table with a key, and child tables for its nested lists. */
import { type ChildShape, childShape, type DocumentShape, rowShape, rowsWithin } from '../http/documents.ts'
import { type FieldMapping, ordinal, toSnakeCase } from '../http/fields.ts'
import { fieldOf, isInteger, isKeyable } from './columns.ts'
import type { EdmProperty } from './edmx.ts'
import { findKnownSet } from './known-entity-sets.ts'

/** An entity set, merged over all companies. */
export interface MergedEntitySet {
  /** Without the suffix `User`, which marks sets with the customer's own fields. */
  readonly name: string
  /** The set's name in each company that has it. */
  readonly setNames: ReadonlyMap<string, string>
  readonly properties: readonly EdmProperty[]
  readonly declaredKey: readonly string[]
}

export interface UnicontaTable extends MergedEntitySet {
  readonly shape: DocumentShape
  /** The properties that identify a row within a company; empty if none can. */
  readonly key: readonly string[]
  /** The key's columns. */
  readonly keyFields: readonly FieldMapping[]
  /** For posted entries: how many days are read again, and the property with the journal number, if there is one. */
  readonly dated: { readonly days: number; readonly journal: string | null } | null
}

/** Properties that the reader adds to each row. The sign cannot occur in a property name. */
export const companyProperty = '@company'
export const occurrenceProperty = '@occurrence'

export const companySet = 'CompanyClient'
export const dateProperty = 'Date'
const journalProperty = 'JournalPostedId'

export function tableOf(set: MergedEntitySet): UnicontaTable {
  const key = keyOf(set)
  const shape = shapeOf(set, key)
  const columns = shape.table.key.slice(1, -1)
  const keyFields = columns.flatMap((name) => shape.fields.find(({ column }) => column.name === name) ?? [])
  return { ...set, key, keyFields, dated: datedOf(set, key), shape }
}

/** The first complete key of: row number, declared key, natural key. */
function keyOf({ name, properties, declaredKey }: MergedEntitySet): readonly string[] {
  const keyable = new Set(properties.filter(isKeyable).map((property) => property.name))
  const candidates = [['PrimaryKeyId'], ['RowId'], declaredKey, findKnownSet(name).key]
  return candidates.find((parts) => parts.length > 0 && parts.every((part) => keyable.has(part))) ?? []
}

/** Reading by date needs a date, and a numeric id that keeps rows apart across overlapping reads. */
function datedOf({ name, properties }: MergedEntitySet, key: readonly string[]): UnicontaTable['dated'] {
  const { days } = findKnownSet(name)
  const find = (propertyName: string): EdmProperty | undefined =>
    properties.find((property) => property.name === propertyName)
  const [only, ...others] = key.map(find)
  if (days === null || find(dateProperty) === undefined || only === undefined || others.length > 0 || !isInteger(only))
    return null
  return { days, journal: find(journalProperty) === undefined ? null : journalProperty }
}

const companyId: FieldMapping = {
  column: { name: 'company_id', type: { kind: 'integer', bytes: 8 }, nullable: false },
  read: ({ document }) => String(document[companyProperty]),
}
/** The row's number among the rows with the same key, from 1; always 1 if the key is unique. */
const occurrence: FieldMapping = {
  column: { name: 'occurrence', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: ({ document }) => String(document[occurrenceProperty]),
}
function shapeOf({ name, properties }: MergedEntitySet, key: readonly string[]): DocumentShape {
  const nameOf = columnNames(key.length === 0 ? [companyId] : [companyId, occurrence])
  const columnsByProperty = properties.map((property) => ({ property, column: nameOf(property.name) }))
  const keys = key.flatMap((part) =>
    columnsByProperty.flatMap(({ property, column }) =>
      property.name === part ? (fieldOf(property, column, 'key') ?? []) : [],
    ),
  )
  const hasTable = ({ isList, parts }: EdmProperty): boolean => isList && parts.length > 0 && key.length > 0
  const rest = columnsByProperty.flatMap(({ property, column }) => {
    if (hasTable(property)) return []
    return (
      (key.includes(property.name)
        ? keys.find((field) => field.column.name === column)
        : fieldOf(property, column, 'value')) ?? []
    )
  })
  const identity = key.length === 0 ? [] : [companyId, ...keys, occurrence]
  const fields = [companyId, ...rest, ...(key.length === 0 ? [] : [occurrence])]
  const { table, ...shape } = rowShape(tableName(name), fields)
  return {
    ...shape,
    table: { ...table, key: identity.map(({ column }) => column.name) },
    children: properties.filter(hasTable).map((property) => childOf(table.name, identity, property)),
  }
}

/** A nested row is identified by its position, since nothing else is known of it. */
function childOf(parent: string, parentKey: readonly FieldMapping[], { name, parts }: EdmProperty): ChildShape {
  const position = ordinal(name)
  const nameOf = columnNames([...parentKey, position])
  return childShape({
    name: `${parent}_${toSnakeCase(name)}`,
    parentKey,
    fields: [position, ...parts.flatMap((part) => fieldOf(part, nameOf(part.name), 'value') ?? [])],
    rows: rowsWithin(name),
  })
}

/** `DebtorInvoiceClient` becomes `debtor_invoice`. */
export function tableName(set: string): string {
  return toSnakeCase(set.replace(/(?<=.)Client$/, ''))
}

/** Returns unique column names, because a customer's own field may have any name. */
function columnNames(reserved: readonly FieldMapping[]): (property: string) => string {
  const usedNames = new Set(reserved.map(({ column }) => column.name))
  return (property) => {
    let name = toSnakeCase(property)
    for (let suffix = 2; usedNames.has(name); suffix += 1) name = `${toSnakeCase(property)}_${suffix}`
    usedNames.add(name)
    return name
  }
}
