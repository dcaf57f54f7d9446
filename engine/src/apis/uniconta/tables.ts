/** Maps an entity set to a table with a key, and child tables for its nested lists. */
import type { DocumentShape, ChildShape } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { readMembers } from '../http/fields.ts'
import type { FieldMapping } from '../http/fields.ts'
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
const ordinal: FieldMapping = {
  column: { name: 'ordinal', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: (row) => String(row.ordinal),
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
  const table = {
    name: tableName(name),
    columns: fields.map(({ column }) => column),
    key: identity.map(({ column }) => column.name),
  }
  return {
    table,
    fields,
    children: properties.filter(hasTable).map((property) => childOf(table.name, identity, property)),
  }
}

/** A nested row is identified by its position, since nothing else is known of it. */
function childOf(parent: string, identity: readonly FieldMapping[], { name, parts }: EdmProperty): ChildShape {
  const nameOf = columnNames([...identity, ordinal])
  const fields = [...identity, ordinal, ...parts.flatMap((part) => fieldOf(part, nameOf(part.name), 'value') ?? [])]
  const parentKey = identity.map(({ column }) => column.name)
  const key = [...parentKey, ordinal.column.name]
  return {
    table: { name: `${parent}_${toSnakeCase(name)}`, columns: fields.map(({ column }) => column), key, parentKey },
    fields,
    rows: (document: JsonObject) =>
      readMembers(document, name).map((node, index) => ({
        document,
        node,
        section: '',
        number: 0,
        ordinal: index + 1,
      })),
  }
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

function toSnakeCase(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
}
