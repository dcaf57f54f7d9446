/** Maps an entity set to a table with a key, and child tables for its nested lists. */
import { type ChildShape, childShape, type DocumentShape, rowShape, rowsWithin } from '../../../http/documents.ts'
import { asText } from '../../../http/canonical-text.ts'
import { type FieldMapping, ordinal, toSnakeCase } from '../../../http/fields.ts'
import type { JsonObject } from '../../../http/exact-json.ts'
import { typeOf } from '../../columns.ts'
import type { EntitySetDescription, ODataDescription, WindowSettings } from '../../description/schema-odata.ts'
import type { EdmProperty } from './edmx.ts'
import { monthlySet } from '../monthly/monthly-set.ts'
import { fieldOf, isInteger, isKeyable } from './properties.ts'

/** An entity set, merged over all companies. */
export interface MergedEntitySet {
  /** Without the suffix that marks sets with the customer's own fields. */
  readonly name: string
  /** The set's name in each company that has it; without companies, one entry with an empty id. */
  readonly setNames: ReadonlyMap<string, string>
  readonly properties: readonly EdmProperty[]
  readonly relatedLists: readonly EdmProperty[]
  readonly declaredKey: readonly string[]
}

export interface ODataTable extends MergedEntitySet {
  readonly description: EntitySetDescription
  /** All properties of the metadata, also those without a column. */
  readonly declared: readonly EdmProperty[]
  /** Lists of rows of other sets that are read with the rows. */
  readonly expanded: readonly string[]
  readonly shape: DocumentShape
  /** The properties that identify a row within a company; empty if none can. */
  readonly key: readonly EdmProperty[]
  /** The key's columns. */
  readonly keyFields: readonly FieldMapping[]
  /** Rows with the same key are numbered. */
  readonly isNumbered: boolean
  /** Set if the table is read by date. */
  readonly dated: DatedReading | null
  /** The key of the rows of a monthly report; empty for all other tables. */
  readonly reportKey: readonly EdmProperty[]
}

export interface DatedReading {
  readonly againDays: number
  readonly date: EdmProperty
  readonly growing: { readonly property: string; readonly overlap: number } | null
}

/** Properties that the reader adds to each row. The sign cannot begin a property's name. */
export const companyProperty = '@company'
export const occurrenceProperty = '@occurrence'

export function descriptionOf({ sets, others }: ODataDescription, set: string): EntitySetDescription {
  return sets[set] ?? { select: false, ...(others.bundle !== undefined && { bundle: others.bundle }) }
}

export function tableOf(source: ODataDescription, merged: MergedEntitySet): ODataTable {
  const description = descriptionOf(source, merged.name)
  if (description.changes?.kind !== 'months') return ordinaryTable(source, merged, description)
  const leftOut = new Set(description.leaveOut)
  const set = { ...merged, ...monthlySet(merged, leftOut, description.changes.balances) }
  const table = ordinaryTable({ ...source, keys: { areUnique: true } }, set, description)
  const reportKey = merged.declaredKey.flatMap((name) => merged.properties.find((each) => each.name === name) ?? [])
  return { ...table, reportKey }
}

function ordinaryTable(
  source: ODataDescription,
  merged: MergedEntitySet,
  description: EntitySetDescription,
): ODataTable {
  const leftOut = new Set(description.leaveOut)
  const related = merged.relatedLists.filter(({ name }) => description.expand?.includes(name) === true)
  const declared = [...merged.properties, ...related]
  const set = { ...merged, properties: declared.filter(({ name }) => !leftOut.has(name)) }
  const key = keyOf(source, set, description)
  const { shape, keyFields } = shapeOf(source, set, { key, declared })
  return {
    ...set,
    description,
    declared,
    expanded: related.map(({ name }) => name),
    key,
    keyFields,
    shape,
    isNumbered: !source.keys.areUnique,
    dated: description.changes?.kind === 'windows' ? datedOf(set, key, description.changes) : null,
    reportKey: [],
  }
}

/** The first complete key of: a preferred property, the declared key, the description's. */
function keyOf(
  { keys, types }: ODataDescription,
  { properties, declaredKey }: MergedEntitySet,
  { key = [] }: EntitySetDescription,
): readonly EdmProperty[] {
  const keyable = new Map(
    properties.filter((property) => isKeyable(property, types)).map((property) => [property.name, property]),
  )
  const candidates = [...(keys.preferred ?? []).map((name) => [name]), declaredKey, key]
  const found = candidates.find((parts) => parts.length > 0 && parts.every((part) => keyable.has(part))) ?? []
  return found.flatMap((part) => keyable.get(part) ?? [])
}

/** Reading by date needs a date, and a numeric id that keeps rows apart across overlapping reads. */
function datedOf(
  { properties }: MergedEntitySet,
  key: readonly EdmProperty[],
  { property, againDays, growing }: WindowSettings,
): DatedReading | null {
  const find = (name: string): EdmProperty | undefined => properties.find((each) => each.name === name)
  const date = find(property)
  const [only, ...others] = key
  if (date === undefined || only === undefined || others.length > 0 || !isInteger(only)) return null
  return {
    againDays,
    date,
    growing: growing === undefined || find(growing.property) === undefined ? null : growing,
  }
}

function companyField({ companies }: ODataDescription): readonly FieldMapping[] {
  if (companies === undefined) return []
  return [
    {
      column: { name: companies.column, type: typeOf({ type: companies.type }), nullable: false },
      read: ({ document }) => asText(document[companyProperty] ?? null) ?? '',
    },
  ]
}

/** The row's number among the rows with the same key, from 1; always 1 if the key is unique. */
const occurrence: FieldMapping = {
  column: { name: 'occurrence', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: ({ document }) => String(document[occurrenceProperty]),
}

function shapeOf(
  source: ODataDescription,
  { name, properties }: MergedEntitySet,
  { key, declared }: Pick<ODataTable, 'key' | 'declared'>,
): Pick<ODataTable, 'shape' | 'keyFields'> {
  const { types: rules, keys: keyRules } = source
  const company = companyField(source)
  const numbers = key.length > 0 && !keyRules.areUnique ? [occurrence] : []
  const rest = restField(source, { name, properties: declared })
  const nameOf = columnNames([...company, ...numbers, ...rest])
  const columnsByProperty = properties.map((property) => ({ property, column: nameOf(property.name), rules }))
  const keyFields = key.flatMap((part) =>
    columnsByProperty.flatMap((each) => (each.property === part ? (fieldOf(each, 'key') ?? []) : [])),
  )
  const hasTable = ({ isList, parts }: EdmProperty): boolean => isList && parts.length > 0 && key.length > 0
  const own = columnsByProperty.flatMap((each) => {
    if (hasTable(each.property)) return []
    return (
      (key.includes(each.property)
        ? keyFields.find(({ column }) => column.name === each.column)
        : fieldOf(each, 'value')) ?? []
    )
  })
  const identity = key.length === 0 ? [] : [...company, ...keyFields, ...numbers]
  const { table, ...shape } = rowShape(tableName(source, name), [...company, ...own, ...rest, ...numbers])
  const children = properties
    .filter(hasTable)
    .map((property) => childOf({ source, parent: table.name, identity, property }))
  return {
    shape: {
      ...shape,
      table: { ...table, key: identity.map(({ column }) => column.name) },
      children,
      ...(rest.length === 0 && { unknownMembers: undeclaredMembers(declared) }),
    },
    keyFields,
  }
}

interface NestedList {
  readonly source: ODataDescription
  readonly parent: string
  readonly identity: readonly FieldMapping[]
  readonly property: EdmProperty
}

/** A nested row is identified by its declared key, or by its position. */
function childOf({ source, parent, identity, property: { name, parts, key = [] } }: NestedList): ChildShape {
  const rules = source.types
  const isKeyed =
    key.length > 0 && key.every((part) => parts.some((each) => each.name === part && isKeyable(each, rules)))
  const position = isKeyed ? [] : [ordinal(name)]
  const nameOf = columnNames([...identity, ...position])
  const fields = parts.flatMap((part) => {
    const how = isKeyed && key.includes(part.name) ? 'nestedKey' : 'value'
    return fieldOf({ property: part, column: nameOf(part.name), rules }, how) ?? []
  })
  return childShape({
    name: `${parent}_${toSnakeCase(name)}`,
    parentKey: identity,
    fields: [...position, ...fields],
    rows: rowsWithin(name),
  })
}

/** Finds members that the metadata do not declare, without annotations. */
function undeclaredMembers(properties: readonly EdmProperty[]): (row: JsonObject) => readonly string[] {
  const declared = new Set(properties.map(({ name }) => name.toLowerCase()))
  return (row) => Object.keys(row).filter((member) => !isAnnotation(member) && !declared.has(member.toLowerCase()))
}

/** `@odata.etag`, `Photo@odata.mediaReadLink`; version 2: `__metadata`. */
export function isAnnotation(member: string): boolean {
  return member.includes('@') || member.startsWith('__') || member.startsWith('odata.')
}

function restField(
  source: ODataDescription,
  { name, properties }: Pick<MergedEntitySet, 'name' | 'properties'>,
): readonly FieldMapping[] {
  const column = descriptionOf(source, name).rest
  if (column === undefined) return []
  const undeclared = undeclaredMembers(properties)
  return [
    {
      column: {
        name: column,
        type: { kind: 'json' },
        nullable: true,
        description: 'The members of the row that the metadata do not declare.',
      },
      read({ document }) {
        const members = undeclared(document).map((member) => [member, document[member]] as const)
        return members.length === 0 ? null : JSON.stringify(Object.fromEntries(members))
      },
    },
  ]
}

/** `DebtorInvoiceClient` becomes `debtor_invoice`, if the description says that names end with `Client`. */
export function tableName({ names, sets }: Pick<ODataDescription, 'names' | 'sets'>, set: string): string {
  const { suffix = '' } = names
  const hasSuffix = suffix !== '' && set.endsWith(suffix) && set.length > suffix.length
  return sets[set]?.table ?? toSnakeCase(hasSuffix ? set.slice(0, -suffix.length) : set)
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
