/** Reads `$metadata` of a feed, as XML or as JSON, into the same form. */
import { all, parseXml, type ParsedElement } from '../excel/read-parts.ts'

export interface CsdlProperty {
  readonly type: string
  readonly isNullable: boolean
  readonly maxLength: number | null
  readonly precision: number | null
  /** `variable`: as many digits as the value has. */
  readonly scale: number | 'variable' | null
}

export interface CsdlEntity {
  readonly key: readonly string[]
  readonly properties: ReadonlyMap<string, CsdlProperty>
}

/** By entity set. */
export type Csdl = ReadonlyMap<string, CsdlEntity>

export function readCsdlXml(text: string): Csdl {
  const root = parseXml(text)
  const types = new Map(
    all(root, 'EntityType').map((type) => [`Tributary.${type.attributes['Name']}`, ofElement(type)]),
  )
  return new Map(
    all(root, 'EntitySet').map(({ attributes }) => [attributes['Name'] ?? '', get(types, attributes['EntityType'])]),
  )
}

function ofElement(type: ParsedElement): CsdlEntity {
  const own = (name: string) => type.children.filter((child) => child.name === name)
  const properties = own('Property').map(
    ({ attributes }) =>
      [attributes['Name'] ?? '', toProperty((facet) => attributes[facet], attributes['Nullable'] !== 'false')] as const,
  )
  const key = own('Key').flatMap(({ children }) => children.map(({ attributes }) => attributes['Name'] ?? ''))
  return { key, properties: new Map(properties) }
}

export function readCsdlJson(text: string): Csdl {
  const { Tributary } = JSON.parse(text) as { readonly Tributary: Record<string, Record<string, unknown>> }
  const { Data, ...schema } = Tributary
  const sets = Object.entries(Data ?? {}).filter(([name]) => isName(name))
  const types = new Map(Object.entries(schema).map(([name, type]) => [`Tributary.${name}`, ofObject(type)]))
  return new Map(sets.map(([name, set]) => [name, get(types, (set as { readonly $Type: string }).$Type)]))
}

function ofObject(type: Record<string, unknown>): CsdlEntity {
  const properties = Object.entries(type).filter(([name]) => isName(name)) as [string, Record<string, unknown>][]
  return {
    key: (type['$Key'] ?? []) as readonly string[],
    properties: new Map(
      properties.map(([name, property]) => [
        name,
        toProperty((facet) => property[`$${facet}`] as string | undefined, property['$Nullable'] === true),
      ]),
    ),
  }
}

/** Neither an element of CSDL nor an annotation. */
function isName(name: string): boolean {
  return !/[$@]/u.test(name)
}

function toProperty(facet: (name: string) => string | number | undefined, isNullable: boolean): CsdlProperty {
  const number = (name: string) => (facet(name) === undefined ? null : Number(facet(name)))
  const scale = facet('Scale')
  return {
    type: String(facet('Type') ?? 'Edm.String'),
    isNullable,
    maxLength: number('MaxLength'),
    precision: number('Precision'),
    scale: scale === 'variable' ? scale : number('Scale'),
  }
}

function get<T>(types: ReadonlyMap<string, T>, name: string | undefined): T {
  const found = types.get(name ?? '')
  if (found === undefined) throw new Error(`The metadata has no type ${name}.`)
  return found
}
