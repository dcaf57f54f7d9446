/** Writes `$metadata` as JSON: https://docs.oasis-open.org/odata/odata-csdl-json/v4.01/odata-csdl-json-v4.01.html */
import { aggregations, filterFunctions, vocabularies } from './capabilities.ts'
import { namespace } from '../../../access/feed/feed-model.ts'
import { longDescriptions, type SchemaEntity, type SchemaProperty } from './schema.ts'

export function writeCsdlJson(entities: readonly SchemaEntity[]): string {
  const schema = Object.fromEntries([
    ['Relation', { $Kind: 'Term', $AppliesTo: ['Property'], '@Core.Description': longDescriptions.relation }],
    ...entities.map((entity) => [entity.name, entityType(entity)]),
    ['Data', container(entities)],
  ])
  return JSON.stringify({
    $Version: '4.01',
    $EntityContainer: `${namespace}.Data`,
    $Reference: Object.fromEntries(
      vocabularies.map(({ uri, name, alias }) => [uri, { $Include: [{ $Namespace: name, $Alias: alias }] }]),
    ),
    [namespace]: schema,
  })
}

function entityType({ key, properties, description }: SchemaEntity) {
  return {
    $Kind: 'EntityType',
    $Key: key,
    ...Object.fromEntries(properties.map((each) => [each.name, property(each)])),
    ...described(description),
  }
}

/** A property is text and not nullable unless it says otherwise. */
function property({ type, nullable, description, relation }: SchemaProperty) {
  return {
    ...(type.name !== 'Edm.String' && { $Type: type.name }),
    ...(nullable && { $Nullable: true }),
    ...Object.fromEntries(Object.entries(type.facets).map(([facet, value]) => [`$${facet}`, value])),
    ...described(description),
    ...(relation !== null && { [`@${namespace}.Relation`]: relation }),
  }
}

function container(entities: readonly SchemaEntity[]) {
  return {
    $Kind: 'EntityContainer',
    ...Object.fromEntries(entities.map(({ name }) => [name, { $Collection: true, $Type: `${namespace}.${name}` }])),
    '@Capabilities.BatchSupported': false,
    '@Capabilities.FilterFunctions': filterFunctions,
    '@Aggregation.ApplySupportedDefaults': { Transformations: aggregations },
  }
}

function described(text: string | null) {
  return text === null ? {} : { '@Core.Description': text }
}
