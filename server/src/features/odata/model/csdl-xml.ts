/** Writes `$metadata` as XML: https://docs.oasis-open.org/odata/odata-csdl-xml/v4.01/odata-csdl-xml-v4.01.html */
import { aggregations, filterFunctions, vocabularies } from './capabilities.ts'
import { namespace } from '../../../access/feed/feed-model.ts'
import { longDescriptions, type SchemaEntity, type SchemaProperty } from './schema.ts'

export function writeCsdlXml(entities: readonly SchemaEntity[], version: '4.0' | '4.01'): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<edmx:Edmx Version="${version}" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">`,
    ...vocabularies.map(
      ({ uri, name, alias }) =>
        `<edmx:Reference Uri="${escapeXml(uri)}"><edmx:Include Namespace="${name}" Alias="${alias}"/></edmx:Reference>`,
    ),
    '<edmx:DataServices>',
    `<Schema Namespace="${namespace}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    `<Term Name="Relation" Type="Edm.String" AppliesTo="Property">${descriptionOf(longDescriptions.relation)}</Term>`,
    ...entities.map(entityType),
    '<EntityContainer Name="Data">',
    ...entities.map(entitySet),
    '</EntityContainer>',
    `<Annotations Target="${namespace}.Data">`,
    '<Annotation Term="Capabilities.BatchSupported" Bool="false"/>',
    annotation('Capabilities.FilterFunctions', collection(filterFunctions)),
    annotation(
      'Aggregation.ApplySupportedDefaults',
      `<Record><PropertyValue Property="Transformations">${collection(aggregations)}</PropertyValue></Record>`,
    ),
    '</Annotations>',
    '</Schema>',
    '</edmx:DataServices>',
    '</edmx:Edmx>',
    '',
  ].join('\n')
}

function entityType({ name, key, properties, description }: SchemaEntity): string {
  const keys = key.map((each) => `<PropertyRef Name="${escapeXml(each)}"/>`).join('')
  return `<EntityType Name="${escapeXml(name)}"><Key>${keys}</Key>${properties.map(property).join('')}${descriptionOf(description)}</EntityType>`
}

function property({ name, type, nullable, description, relation }: SchemaProperty): string {
  const facets = Object.entries(type.facets).map(([facet, value]) => ` ${facet}="${value}"`)
  const inner = [
    descriptionOf(description),
    ...(relation === null ? [] : [`<Annotation Term="${namespace}.Relation" String="${escapeXml(relation)}"/>`]),
  ].join('')
  const start = `<Property Name="${escapeXml(name)}" Type="${type.name}"${nullable ? '' : ' Nullable="false"'}${facets.join('')}`
  return inner === '' ? `${start}/>` : `${start}>${inner}</Property>`
}

function entitySet({ name }: SchemaEntity): string {
  const escaped = escapeXml(name)
  return `<EntitySet Name="${escaped}" EntityType="${namespace}.${escaped}"/>`
}

function descriptionOf(text: string | null): string {
  return text === null ? '' : `<Annotation Term="Core.Description" String="${escapeXml(text)}"/>`
}

function annotation(term: string, content: string): string {
  return `<Annotation Term="${term}">${content}</Annotation>`
}

function collection(texts: readonly string[]): string {
  return `<Collection>${texts.map((text) => `<String>${escapeXml(text)}</String>`).join('')}</Collection>`
}

/** XML 1.0 has no control characters, not even escaped; they become spaces. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]+/gu, ' ')
    .replaceAll(/[&<>"]/gu, (character) => `&#${character.charCodeAt(0)};`)
}
