/** What becomes of an entity set: a table, tables of the lists within its rows, and the key that tells its rows apart. */
import type { DocumentShape, ChildShape } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { members } from '../http/fields.ts'
import type { Field } from '../http/fields.ts'
import { fieldOf, isInteger, isKeyable } from './columns.ts'
import type { Property } from './edmx.ts'
import { knownSet } from './known-sets.ts'

/** An entity set as all companies have it together. */
export interface OfferedSet {
  /** Without the `User` of those that hold the customer's own fields. */
  readonly name: string
  /** What the set is called in each company that has it. */
  readonly places: ReadonlyMap<string, string>
  readonly properties: readonly Property[]
  readonly declaredKey: readonly string[]
}

export interface UnicontaTable extends OfferedSet {
  readonly shape: DocumentShape
  /** The properties that identify a row of a company; empty where none can. */
  readonly key: readonly string[]
  /** The same as columns. */
  readonly keyFields: readonly Field[]
  /** Posted entries: how many days are read again, and the property that numbers the journals, where there is one. */
  readonly dated: { readonly days: number; readonly journal: string | null } | null
}

/** Added to each row by the reader; no property's name has such a sign in it. */
export const companyMark = '@company'
export const occurrenceMark = '@occurrence'

export const companySet = 'CompanyClient'
export const dateName = 'Date'
const journalName = 'JournalPostedId'

export function tableOf(set: OfferedSet): UnicontaTable {
  const key = keyOf(set)
  const shape = shapeOf(set, key)
  const columns = shape.table.key.slice(1, -1)
  const keyFields = columns.flatMap((name) => shape.fields.find(({ column }) => column.name === name) ?? [])
  return { ...set, key, keyFields, dated: datedOf(set, key), shape }
}

/** A number of the row's own, else what is declared, else what is natural: the first that the set has whole. */
function keyOf({ name, properties, declaredKey }: OfferedSet): readonly string[] {
  const keyable = new Set(properties.filter(isKeyable).map((property) => property.name))
  const candidates = [['PrimaryKeyId'], ['RowId'], declaredKey, knownSet(name).key]
  return candidates.find((parts) => parts.length > 0 && parts.every((part) => keyable.has(part))) ?? []
}

/** Only rows with a number of their own, and a date, can be read by date and kept apart while the dates move on. */
function datedOf({ name, properties }: OfferedSet, key: readonly string[]): UnicontaTable['dated'] {
  const { days } = knownSet(name)
  const find = (wanted: string): Property | undefined => properties.find((property) => property.name === wanted)
  const [only, ...others] = key.map(find)
  if (days === null || find(dateName) === undefined || only === undefined || others.length > 0 || !isInteger(only))
    return null
  return { days, journal: find(journalName) === undefined ? null : journalName }
}

const companyId: Field = {
  column: { name: 'company_id', type: { kind: 'integer', bytes: 8 }, nullable: false },
  read: ({ document }) => String(document[companyMark]),
}
/** Which of several rows with the same key it is, from 1; a key that is one leaves it at that. */
const occurrence: Field = {
  column: { name: 'occurrence', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: ({ document }) => String(document[occurrenceMark]),
}
const ordinal: Field = {
  column: { name: 'ordinal', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: (spot) => String(spot.ordinal),
}

function shapeOf({ name, properties }: OfferedSet, key: readonly string[]): DocumentShape {
  const nameOf = columnNames(key.length === 0 ? [companyId] : [companyId, occurrence])
  const named = properties.map((property) => ({ property, column: nameOf(property.name) }))
  const keys = key.flatMap((part) =>
    named.flatMap(({ property, column }) => (property.name === part ? (fieldOf(property, column, 'key') ?? []) : [])),
  )
  const hasTable = ({ isList, parts }: Property): boolean => isList && parts.length > 0 && key.length > 0
  const rest = named.flatMap(({ property, column }) => {
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

/** A row of a list is told from the others by its place: nothing else is known of it. */
function childOf(parent: string, identity: readonly Field[], { name, parts }: Property): ChildShape {
  const nameOf = columnNames([...identity, ordinal])
  const fields = [...identity, ordinal, ...parts.flatMap((part) => fieldOf(part, nameOf(part.name), 'value') ?? [])]
  const parentKey = identity.map(({ column }) => column.name)
  const key = [...parentKey, ordinal.column.name]
  return {
    table: { name: `${parent}_${snake(name)}`, columns: fields.map(({ column }) => column), key, parentKey },
    fields,
    rows: (document: JsonObject) =>
      members(document, name).map((node, index) => ({ document, node, section: '', number: 0, ordinal: index + 1 })),
  }
}

/** `DebtorInvoiceClient` is `debtor_invoice`. */
export function tableName(set: string): string {
  return snake(set.replace(/(?<=.)Client$/, ''))
}

/** Column names in the order they are asked for, none twice: a customer's own field may be called like any other. */
function columnNames(taken: readonly Field[]): (property: string) => string {
  const known = new Set(taken.map(({ column }) => column.name))
  return (property) => {
    let name = snake(property)
    for (let round = 2; known.has(name); round += 1) name = `${snake(property)}_${round}`
    known.add(name)
    return name
  }
}

function snake(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
}
