/** Reads an OData metadata document: which entity sets there are, with their properties and keys. */
import { unreadable } from './api.ts'

export interface Property {
  readonly name: string
  /** `Edm.Int64`, `enum`, or `nested` for something of several parts. */
  readonly type: string
  readonly isList: boolean
  readonly maxLength: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** Of a nested type. */
  readonly parts: readonly Property[]
}

export interface EntitySet {
  readonly name: string
  readonly properties: readonly Property[]
  /** As declared; empty where none is. */
  readonly key: readonly string[]
}

interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
}

type Types = ReadonlyMap<string, Element>

/** Throws a `passing` Fault where the document describes nothing. */
export function parseMetadata(xml: string): readonly EntitySet[] {
  const all = descendants(parseElements(xml))
  const types = new Map<string, Element>()
  for (const schema of all.filter(({ name }) => name === 'Schema')) addTypes(types, schema)
  const sets = all.filter(({ name }) => name === 'EntitySet').flatMap((set) => describeSet(set, types))
  if (sets.length === 0) throw unreadable('The metadata describe no entity set.')
  return sets
}

function addTypes(types: Map<string, Element>, schema: Element): void {
  const spaces = ['Namespace', 'Alias'].flatMap((attribute) => schema.attributes.get(attribute) ?? [])
  for (const type of schema.children)
    for (const space of spaces) types.set(`${space}.${type.attributes.get('Name') ?? ''}`, type)
}

function describeSet(set: Element, types: Types): EntitySet[] {
  const name = set.attributes.get('Name')
  const type = types.get(set.attributes.get('EntityType') ?? '')
  if (name === undefined || type === undefined) return []
  const family = withBases(type, types)
  const key = family.flatMap(({ children }) =>
    children.filter((child) => child.name === 'Key').flatMap(({ children: parts }) => parts),
  )
  return [
    {
      name,
      properties: propertiesOf(family, types, 0),
      key: key.flatMap(({ attributes }) => attributes.get('Name') ?? []),
    },
  ]
}

/** A type and those it inherits from, the first ancestor first. */
function withBases(type: Element, types: Types): Element[] {
  const family: Element[] = []
  for (
    let next: Element | undefined = type;
    next !== undefined && !family.includes(next);
    next = types.get(next.attributes.get('BaseType') ?? '')
  )
    family.unshift(next)
  return family
}

/** Types may contain each other; nobody nests this deep in earnest. */
const depthMax = 3

function propertiesOf(family: readonly Element[], types: Types, depth: number): Property[] {
  return family.flatMap(({ children }) =>
    children
      .filter(({ name }) => name === 'Property')
      .map(({ attributes }) => describeProperty(attributes, types, depth)),
  )
}

function describeProperty(attributes: Element['attributes'], types: Types, depth: number): Property {
  const written = attributes.get('Type') ?? 'Edm.String'
  const [, inner] = /^Collection\((.+)\)$/.exec(written) ?? []
  const type = inner ?? written
  const declared = types.get(type)
  const isNested = declared !== undefined && declared.name !== 'EnumType'
  return {
    name: attributes.get('Name') ?? '',
    type: declared === undefined ? type : isNested ? 'nested' : 'enum',
    isList: inner !== undefined,
    maxLength: numberIn(attributes, 'MaxLength'),
    precision: numberIn(attributes, 'Precision'),
    scale: numberIn(attributes, 'Scale'),
    parts: isNested && depth < depthMax ? propertiesOf(withBases(declared, types), types, depth + 1) : [],
  }
}

function numberIn(attributes: Element['attributes'], name: string): number | null {
  const value = attributes.get(name) ?? ''
  return /^\d+$/.test(value) ? Number(value) : null
}

const tag = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Elements and attributes are all that a metadata document has; what stands between them is left out. */
function parseElements(xml: string): Element {
  const root: Element = { name: '', attributes: new Map(), children: [] }
  const open = [root]
  for (const [, closes, name = '', rest = '', isEmpty] of xml.replaceAll(/<!--[^]*?-->/g, '').matchAll(tag)) {
    if (closes === '/') {
      if (open.length > 1) open.pop()
      continue
    }
    const element: Element = { name: localName(name), attributes: attributesIn(rest), children: [] }
    open.at(-1)?.children.push(element)
    if (isEmpty !== '/') open.push(element)
  }
  return root
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function attributesIn(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(attribute)].map(([, name = '', double, single]) => [name, unescape(double ?? single ?? '')]),
  )
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescape(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )
}

function descendants(element: Element): Element[] {
  return element.children.flatMap((child) => [child, ...descendants(child)])
}
