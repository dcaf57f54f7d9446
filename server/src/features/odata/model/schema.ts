/** The schema of a feed, from which both forms of `$metadata` are written. */
import type { TableRelation } from '../../../access/query/table-model.ts'
import { type EdmType, edmType } from './edm-types.ts'
import type { EntitySet, FeedProperty } from '../../../access/feed/feed-model.ts'

export interface SchemaProperty {
  readonly name: string
  readonly type: EdmType
  readonly nullable: boolean
  readonly description: string | null
  /** The property that it refers to: `set/property`. */
  readonly relation: string | null
}

export interface SchemaEntity {
  readonly name: string
  readonly description: string | null
  readonly key: readonly string[]
  readonly properties: readonly SchemaProperty[]
}

export const longDescriptions = {
  /** Of the term `Relation`. */
  relation:
    'The property of another set that has the same value, as Set/Property. There is no navigation: join the sets.',
  placeRow:
    'Identifies the row until the table is refreshed, because the table has no key. It cannot be used in a filter.',
  hashRow: 'Identifies the row by its content, because the view has no key. It cannot be used in a filter.',
  localTime: 'The source stores no time zone; the time is given as UTC.',
} as const

export function createSchema(sets: readonly EntitySet[]): SchemaEntity[] {
  return sets.map((set) => ({
    name: set.name,
    description: set.table.description,
    key: set.rowProperty === null ? set.key.map(({ name }) => name) : [set.rowProperty],
    properties: [
      ...set.properties.map((property) => toSchemaProperty(sets, set, property)),
      ...(set.rowProperty === null ? [] : [rowProperty(set, set.rowProperty)]),
    ],
  }))
}

function toSchemaProperty(
  sets: readonly EntitySet[],
  { table, key }: EntitySet,
  property: FeedProperty,
): SchemaProperty {
  const { name, column } = property
  const note = column.kind === 'localTimestamp' ? longDescriptions.localTime : null
  const description = [column.description, note].filter((text) => text !== null).join(' ')
  return {
    name,
    type: edmType(column),
    nullable: column.nullable && !key.includes(property),
    description: description === '' ? null : description,
    relation: table.relations.flatMap((relation) => referenceOf(sets, relation, column.name) ?? [])[0] ?? null,
  }
}

/** Null if the person may not read the other table. */
function referenceOf(sets: readonly EntitySet[], relation: TableRelation, column: string): string | null {
  const referenced = relation.referencedColumns[relation.columns.indexOf(column)]
  const set = sets.find(({ table }) => table.schema === relation.schema && table.name === relation.table)
  const property = set?.properties.find((candidate) => candidate.column.name === referenced)
  return set === undefined || property === undefined ? null : `${set.name}/${property.name}`
}

function rowProperty({ table }: EntitySet, name: string): SchemaProperty {
  return {
    name,
    type: { name: 'Edm.String', facets: {} },
    nullable: false,
    description: table.kind === 'table' ? longDescriptions.placeRow : longDescriptions.hashRow,
    relation: null,
  }
}
