/** The `$metadata` document of API v2.0, for the simulated entity sets. */
import { type EdmType, entityTypes } from './sets.ts'

const plainTypes: Readonly<Record<string, string>> = {
  guid: 'Type="Edm.Guid"',
  string: 'Type="Edm.String" MaxLength="250"',
  date: 'Type="Edm.Date"',
  datetime: 'Type="Edm.DateTimeOffset"',
  decimal: 'Type="Edm.Decimal" Scale="Variable"',
  integer: 'Type="Edm.Int32"',
  boolean: 'Type="Edm.Boolean"',
  stream: 'Type="Edm.Stream"',
}

export function metadataXml(): string {
  const enums = [...new Set(entityTypes.flatMap(({ properties }) => Object.values(properties).flatMap(enumOf)))]
  const sets = entityTypes.map(({ set, name }) => `<EntitySet Name="${set}" EntityType="Microsoft.NAV.${name}"/>`)
  return `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="Microsoft.NAV" xmlns="http://docs.oasis-open.org/odata/ns/edm">
${enums.map((name) => `<EnumType Name="${name}"><Member Name="_x0020_" Value="0"/></EnumType>`).join('\n')}
${entityTypes.map(entityXml).join('\n')}
<EntityContainer Name="NAV">${sets.join('')}</EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`
}

function entityXml({ name, key, properties, lists }: (typeof entityTypes)[number]): string {
  const own = Object.entries(properties).map(
    ([property, type]) =>
      `<Property Name="${property}" ${typeXml(type)}${property === key ? ' Nullable="false"' : ''}/>`,
  )
  const related = Object.entries(lists).map(([property, set]) => {
    const type = entityTypes.find((each) => each.set === set)?.name ?? ''
    return `<NavigationProperty Name="${property}" Type="Collection(Microsoft.NAV.${type})" ContainsTarget="true"/>`
  })
  return `<EntityType Name="${name}"><Key><PropertyRef Name="${key}"/></Key>${own.join('')}${related.join('')}</EntityType>`
}

function typeXml(type: EdmType): string {
  const [word = ''] = enumOf(type)
  return word === '' ? (plainTypes[type] ?? '') : `Type="Microsoft.NAV.${word}"`
}

function enumOf(type: EdmType): readonly string[] {
  return type.startsWith('enum ') ? [type.slice('enum '.length)] : []
}
