/** Writes the OData metadata document. */
import { enums, nestedTypes } from './entity-sets.ts'
import type { UnicontaEntitySet, SetProperty } from './entity-sets.ts'

const namespace = 'Uniconta'

export function writeMetadata(sets: readonly UnicontaEntitySet[]): string {
  const usesNested = Object.keys(nestedTypes).filter((name) =>
    sets.some(({ properties }) => properties.some(({ type }) => type === `${name}[]`)),
  )
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>',
    `<Schema Namespace="${namespace}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    ...sets.map(writeType),
    ...usesNested.map(
      (name) => `<ComplexType Name="${name}">${(nestedTypes[name] ?? []).map(writeProperty).join('')}</ComplexType>`,
    ),
    ...Object.entries(enums).map(writeEnum),
    '<EntityContainer Name="Container">',
    ...sets.map(({ name }) => `<EntitySet Name="${name}" EntityType="${namespace}.${name}" />`),
    '</EntityContainer></Schema></edmx:DataServices></edmx:Edmx>',
  ].join('\n')
}

function writeType({ name, key, properties }: UnicontaEntitySet): string {
  const keys = key.length === 0 ? '' : `<Key>${key.map((part) => `<PropertyRef Name="${part}" />`).join('')}</Key>`
  return `<EntityType Name="${name}">${keys}${properties.map(writeProperty).join('')}</EntityType>`
}

function writeProperty({ name, type, maxLength }: SetProperty): string {
  const length = maxLength === undefined ? '' : ` MaxLength="${maxLength}"`
  return `<Property Name="${name}" Type="${typeName(type)}"${length} />`
}

function typeName(type: string): string {
  if (type.endsWith('[]')) return `Collection(${typeName(type.slice(0, -2))})`
  return type in enums || type in nestedTypes ? `${namespace}.${type}` : `Edm.${type}`
}

function writeEnum([name, words]: readonly [string, readonly string[]]): string {
  return `<EnumType Name="${name}">${words.map((word, value) => `<Member Name="${word}" Value="${value}" />`).join('')}</EnumType>`
}
