/** Parses an OData metadata document (EDMX of the versions 1 to 4) into entity sets with their properties and keys. */
import type { DescribedApi } from '../../calls.ts'
import { unreadableReply } from '../page.ts'

export interface EdmProperty {
  readonly name: string
  /** `Edm.Int64`, `enum`, or `nested` for a complex type. */
  readonly type: string
  readonly isList: boolean
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** The properties of a nested type. */
  readonly parts: readonly EdmProperty[]
  /** The key of a nested entity; absent: it has none. */
  readonly key?: readonly string[]
}

export interface EdmEntitySet {
  readonly name: string
  readonly properties: readonly EdmProperty[]
  /** Lists of rows of other sets that belong to a row. */
  readonly relatedLists: readonly EdmProperty[]
  /** The declared key; empty if none is declared. */
  readonly key: readonly string[]
}

interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlElement[]
}

type TypesByName = ReadonlyMap<string, XmlElement>

/** Throws a `passing` Fault if the document describes no entity set. */
export function parseMetadata(api: Pick<DescribedApi, 'title' | 'code'>, xml: string): readonly EdmEntitySet[] {
  const all = descendants(parseElements(xml))
  const types = new Map<string, XmlElement>()
  for (const schema of all.filter(({ name }) => name === 'Schema')) addTypes(types, schema)
  const sets = all.filter(({ name }) => name === 'EntitySet').flatMap((set) => describeSet(set, types))
  if (sets.length === 0) throw unreadableReply(api, 'The metadata describe no entity set.')
  return sets
}

function addTypes(types: Map<string, XmlElement>, schema: XmlElement): void {
  const spaces = ['Namespace', 'Alias'].flatMap((attribute) => schema.attributes.get(attribute) ?? [])
  for (const type of schema.children)
    for (const space of spaces) types.set(`${space}.${type.attributes.get('Name') ?? ''}`, type)
}

function describeSet(set: XmlElement, types: TypesByName): EdmEntitySet[] {
  const name = set.attributes.get('Name')
  const type = types.get(set.attributes.get('EntityType') ?? '')
  if (name === undefined || type === undefined) return []
  const hierarchy = withBaseTypes(type, types)
  return [
    {
      name,
      properties: propertiesOf(hierarchy, types, 0),
      relatedLists: membersOf(hierarchy, 'NavigationProperty')
        .map((attributes) => describeProperty(attributes, types, 0))
        .filter(({ isList, parts }) => isList && parts.length > 0),
      key: keyOf(hierarchy),
    },
  ]
}

function keyOf(hierarchy: readonly XmlElement[]): readonly string[] {
  const keys = hierarchy.flatMap(({ children }) => children.filter(({ name }) => name === 'Key'))
  return keys.flatMap(({ children }) => children.flatMap(({ attributes }) => attributes.get('Name') ?? []))
}

/** A type and its base types, the root first. */
function withBaseTypes(type: XmlElement, types: TypesByName): XmlElement[] {
  const hierarchy: XmlElement[] = []
  for (
    let next: XmlElement | undefined = type;
    next !== undefined && !hierarchy.includes(next);
    next = types.get(next.attributes.get('BaseType') ?? '')
  )
    hierarchy.unshift(next)
  return hierarchy
}

/** Types may contain each other. Real documents are nested less deeply. */
const depthMax = 3

function propertiesOf(hierarchy: readonly XmlElement[], types: TypesByName, depth: number): EdmProperty[] {
  return membersOf(hierarchy, 'Property').map((attributes) => describeProperty(attributes, types, depth))
}

function membersOf(hierarchy: readonly XmlElement[], kind: string): readonly XmlElement['attributes'][] {
  return hierarchy.flatMap(({ children }) =>
    children.filter(({ name }) => name === kind).map(({ attributes }) => attributes),
  )
}

function describeProperty(attributes: XmlElement['attributes'], types: TypesByName, depth: number): EdmProperty {
  const typeName = attributes.get('Type') ?? 'Edm.String'
  const [, inner] = /^Collection\((.+)\)$/.exec(typeName) ?? []
  const type = underlyingType(inner ?? typeName, types)
  const declared = types.get(type)
  const isNested = declared !== undefined && declared.name !== 'EnumType'
  const nested = isNested ? withBaseTypes(declared, types) : []
  const key = keyOf(nested)
  return {
    name: attributes.get('Name') ?? '',
    type: declared === undefined ? type : isNested ? 'nested' : 'enum',
    isList: inner !== undefined,
    maxLength: parseNumber(attributes, 'MaxLength'),
    precision: parseNumber(attributes, 'Precision'),
    scale: parseNumber(attributes, 'Scale'),
    parts: depth < depthMax ? propertiesOf(nested, types, depth + 1) : [],
    ...(key.length > 0 && { key }),
  }
}

/** The type that a type definition stands for. */
function underlyingType(type: string, types: TypesByName): string {
  const declared = types.get(type)
  return declared?.name === 'TypeDefinition' ? (declared.attributes.get('UnderlyingType') ?? type) : type
}

function parseNumber(attributes: XmlElement['attributes'], name: string): number | null {
  const value = attributes.get(name) ?? ''
  return /^\d+$/.test(value) ? Number(value) : null
}

const tag = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Reads elements and attributes only: a metadata document has no text content. */
function parseElements(xml: string): XmlElement {
  const root: XmlElement = { name: '', attributes: new Map(), children: [] }
  const open = [root]
  for (const [, closes, name = '', rest = '', isEmpty] of xml.replaceAll(/<!--[^]*?-->/g, '').matchAll(tag)) {
    if (closes === '/') {
      if (open.length > 1) open.pop()
      continue
    }
    const element: XmlElement = { name: localName(name), attributes: parseAttributes(rest), children: [] }
    open.at(-1)?.children.push(element)
    if (isEmpty !== '/') open.push(element)
  }
  return root
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function parseAttributes(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(attribute)].map(([, name = '', double, single]) => [name, unescape(double ?? single ?? '')]),
  )
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescape(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return namedEntities[name] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )
}

function descendants(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) => [child, ...descendants(child)])
}
