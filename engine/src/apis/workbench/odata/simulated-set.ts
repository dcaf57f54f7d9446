/** The entity set that a simulated OData service has: the properties that its description names, and one of each other type. */
import { parseColumnType } from '../../described/description/column-type.ts'
import type { EntitySetDescription, ODataDescription } from '../../described/description/schema-odata.ts'
import type { StreamDescription } from '../../described/description/schema.ts'
import { pointerTo } from '../../described/pointer.ts'
import type { SimulatedJson } from '../simulator/simulated-json.ts'

export interface SimulatedProperty {
  readonly name: string
  /** As the metadata declare it. */
  readonly edm: string
  /** The type of its column. */
  readonly type: string
  /** How rows write it: midnight after a day, no zone after a moment, or separators in a number. */
  readonly form: 'plain' | 'midnight' | 'withoutZone' | 'grouped' | 'text'
}

export interface SimulatedSet {
  readonly properties: readonly SimulatedProperty[]
  readonly key: readonly string[]
  /** Otherwise, the description names the key. */
  readonly declaresKey: boolean
  /** Lists of rows of other sets. */
  readonly lists: readonly string[]
  readonly lineProperties: readonly SimulatedProperty[]
}

export const lineKey = 'LineId'

export function simulatedSet(source: ODataDescription, name: string): SimulatedSet {
  const set = source.sets[name]
  if (set === undefined) throw new Error(`There is no set ${name}.`)
  const key = set.key ?? [source.keys.preferred?.[0] ?? 'Id']
  // A preferred key would be the key in place of that of the description.
  const leftOut = new Set([...(set.leaveOut ?? []), ...(source.keys.preferred ?? [])])
  const named = [
    ...companyProperties(source, name),
    ...key.map((part) => keyProperty(source, part, key.length)),
    ...changeProperties(source, set),
    ...typedProperties(source),
    ...otherProperties(source),
  ]
  // The first one of a name counts.
  const properties = [...new Map(named.toReversed().map((one) => [one.name, one])).values()]
    .toReversed()
    .filter((one) => key.includes(one.name) || !leftOut.has(one.name))
  return {
    properties,
    key,
    declaresKey: set.key === undefined || set.changes?.kind === 'months',
    lists: set.expand ?? [],
    lineProperties: [whole(lineKey), ...otherProperties(source).filter(({ name: own }) => !leftOut.has(own))],
  }
}

function whole(name: string): SimulatedProperty {
  return { name, edm: 'Edm.Int64', type: 'bigint', form: 'plain' }
}

function text(name: string): SimulatedProperty {
  return { name, edm: 'Edm.String', type: 'text', form: 'plain' }
}

function companyProperties({ companies }: ODataDescription, set: string): readonly SimulatedProperty[] {
  if (companies?.set !== set) return []
  const kind = parseColumnType(companies.type)?.kind
  const id: SimulatedProperty =
    kind === 'guid'
      ? { name: companies.id, edm: 'Edm.Guid', type: 'guid', form: 'plain' }
      : kind === 'integer'
        ? whole(companies.id)
        : text(companies.id)
  return [id, text(companies.name)]
}

/** A key of several properties has numbers and texts. */
function keyProperty(source: ODataDescription, name: string, parts: number): SimulatedProperty {
  if (source.types.days?.includes(name) === true) return midnight(source, name)
  return parts === 1 || /(?:number|id)$/iu.test(name) ? whole(name) : text(name)
}

function changeProperties(
  source: ODataDescription,
  { changes, deletes }: EntitySetDescription,
): readonly SimulatedProperty[] {
  const mark: SimulatedProperty[] =
    deletes?.kind === 'status'
      ? [
          typeof deletes.equals[0] === 'boolean'
            ? { name: deletes.property, edm: 'Edm.Boolean', type: 'boolean', form: 'plain' }
            : text(deletes.property),
        ]
      : []
  switch (changes?.kind) {
    case 'cursor':
      return [moment(source, changes.property), ...mark]
    case 'windows':
      return [
        dateOf(source, changes.property),
        ...(changes.growing === undefined ? [] : [whole(changes.growing.property)]),
        ...mark,
      ]
    case 'months':
      return [dateOf(source, changes.property)]
    default:
      return mark
  }
}

function isVersion3({ service }: ODataDescription): boolean {
  return service.literals === 'v3'
}

function dateOf(source: ODataDescription, name: string): SimulatedProperty {
  const isDay = source.types.days?.includes(name) === true
  if (isDay) return midnight(source, name)
  return isVersion3(source) ? moment(source, name) : { name, edm: 'Edm.Date', type: 'date', form: 'plain' }
}

function midnight(source: ODataDescription, name: string): SimulatedProperty {
  return { name, edm: isVersion3(source) ? 'Edm.DateTime' : 'Edm.DateTimeOffset', type: 'date', form: 'midnight' }
}

/** Without an offset only if the moments of the service are not those of a zone. */
function moment({ service, types }: ODataDescription, name: string): SimulatedProperty {
  const hasOffset = types.moments === 'declared' && (service.literals === 'v4' || types.zone !== undefined)
  return hasOffset
    ? { name, edm: 'Edm.DateTimeOffset', type: 'instant(7)', form: 'plain' }
    : { name, edm: 'Edm.DateTime', type: types.zone === undefined ? 'timestamp(7)' : 'instant(7)', form: 'withoutZone' }
}

/** Those whose types the description corrects. */
function typedProperties(source: ODataDescription): readonly SimulatedProperty[] {
  const { days = [], amounts = [], bigints = [], numbers } = source.types
  return [
    ...days.map((name) => midnight(source, name)),
    ...amounts.map((name): SimulatedProperty => {
      const form = numbers === 'grouped' ? 'grouped' : 'text'
      return { name, edm: 'Edm.String', type: 'decimal(18,2)', form }
    }),
    ...bigints.map((name): SimulatedProperty => ({ name, edm: 'Edm.Int32', type: 'bigint', form: 'plain' })),
  ]
}

function otherProperties(source: ODataDescription): readonly SimulatedProperty[] {
  const plain = { form: 'plain' } as const
  return [
    { ...plain, name: 'SimulatedText', edm: 'Edm.String', type: 'text' },
    { ...plain, name: 'SimulatedWhole', edm: 'Edm.Int32', type: 'integer' },
    { ...plain, name: 'SimulatedBig', edm: 'Edm.Int64', type: 'bigint' },
    { ...plain, name: 'SimulatedAmount', edm: 'Edm.Decimal', type: 'decimal' },
    { ...plain, name: 'SimulatedRate', edm: 'Edm.Double', type: 'decimal(15,4)' },
    { ...plain, name: 'SimulatedMark', edm: 'Edm.Boolean', type: 'boolean' },
    { ...plain, name: 'SimulatedGuid', edm: 'Edm.Guid', type: 'guid' },
    moment(source, 'SimulatedMoment'),
  ]
}

export function metadataOf(set: string, simulated: SimulatedSet): string {
  const { properties, key, declaresKey, lists, lineProperties } = simulated
  const written = (some: readonly SimulatedProperty[]): string =>
    some.map(({ name, edm }) => `<Property Name="${name}" Type="${edm}"/>`).join('')
  const keyed = (names: readonly string[]): string =>
    `<Key>${names.map((name) => `<PropertyRef Name="${name}"/>`).join('')}</Key>`
  const links = lists.map((name) => `<NavigationProperty Name="${name}" Type="Collection(S.Line)"/>`).join('')
  return `<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EntityType Name="Line">${keyed([lineKey])}${written(lineProperties)}</EntityType>
<EntityType Name="Row">${declaresKey ? keyed(key) : ''}${written(properties)}${links}</EntityType>
<EntityContainer Name="Container"><EntitySet Name="${set}" EntityType="S.Row"/></EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`
}

/** The set as a stream, from whose records rows are made. */
export function streamOf(set: string, described: EntitySetDescription, simulated: SimulatedSet): StreamDescription {
  const { changes, deletes } = described
  const columns = columnsOf(simulated.properties)
  const children = simulated.lists.map((list) => [
    list,
    { records: pointerTo(list), key: [lineKey], columns: columnsOf(simulated.lineProperties) },
  ])
  return {
    path: set,
    records: '/value',
    key: [...simulated.key],
    columns,
    children: Object.fromEntries(children) as NonNullable<StreamDescription['children']>,
    ...(changes?.kind === 'cursor' && {
      changes: {
        kind: 'cursor',
        column: changes.property,
        from: { parameter: 'since', format: 'iso' },
        order: 'none',
        overlapSeconds: 0,
      },
    }),
    ...((changes?.kind === 'windows' || changes?.kind === 'months') && {
      changes: {
        kind: 'windows',
        column: changes.property,
        from: { parameter: 'from', format: 'iso' },
        to: { parameter: 'to', format: 'iso' },
        start: '2000-01-01',
        days: 31,
        againDays: 31,
        aheadDays: 0,
      },
    }),
    ...(deletes?.kind === 'status' && {
      deletes: { kind: 'status', at: pointerTo(deletes.property), equals: deletes.equals },
    }),
  }
}

function columnsOf(properties: readonly SimulatedProperty[]): StreamDescription['columns'] {
  return Object.fromEntries(properties.map(({ name, type }) => [name, { type, at: pointerTo(name) }]))
}

/** A value as the JSON of a row has it. */
export function writtenValue(
  { form }: SimulatedProperty,
  value: SimulatedJson,
  digits: (value: SimulatedJson) => string,
): SimulatedJson {
  if (value === null) return null
  switch (form) {
    case 'plain':
      return value
    case 'midnight':
      return `${String(value)}T00:00:00`
    case 'withoutZone':
      return String(value).replace(/Z$/u, '')
    case 'text':
      return digits(value)
    case 'grouped':
      return grouped(digits(value))
  }
}

/** `-1234.5` becomes `-1,234.50`. */
function grouped(digits: string): string {
  return withCents(digits).replaceAll(/\B(?=(?:\d{3})+\.)/gu, ',')
}

/** Without decimals, the last separator would be taken for the decimal mark. */
export function withCents(digits: string): string {
  const [before = '0', after = ''] = digits.split('.')
  return `${before}.${after.padEnd(2, '0')}`
}
