/** The entity sets of all companies as one list: customers' own fields differ between companies. */
import type { ODataDescription } from '../../description/schema-odata.ts'
import type { EdmEntitySet, EdmProperty } from './edmx.ts'
import type { MergedEntitySet } from './tables.ts'

export interface CompanySets {
  readonly company: string
  readonly sets: readonly EdmEntitySet[]
}

export function mergeSets({ names }: ODataDescription, companies: readonly CompanySets[]): MergedEntitySet[] {
  const offered = new Map<string, MergedEntitySet>()
  for (const { company, sets } of companies)
    for (const { called, set } of withOwnFields(sets, names.ownFields))
      offered.set(called, mergeSet(offered.get(called), called, company, set))
  return [...offered.values()]
}

/** If two sets differ only in the customer's own fields, keeps the fuller one under the other's name. */
function withOwnFields(
  sets: readonly EdmEntitySet[],
  suffix: string | undefined,
): { called: string; set: EdmEntitySet }[] {
  if (suffix === undefined) return sets.map((set) => ({ called: set.name, set }))
  const names = new Set(sets.map(({ name }) => name))
  return sets
    .filter(({ name }) => !names.has(`${name}${suffix}`))
    .map((set) => {
      const plain = set.name.endsWith(suffix) ? set.name.slice(0, -suffix.length) : set.name
      return { called: names.has(plain) ? plain : set.name, set }
    })
}

function mergeSet(
  before: MergedEntitySet | undefined,
  name: string,
  company: string,
  set: EdmEntitySet,
): MergedEntitySet {
  const setNames = new Map([...(before?.setNames ?? []), [company, set.name]])
  return {
    name,
    setNames,
    properties: mergeProperties(before?.properties ?? [], set.properties),
    relatedLists: mergeProperties(before?.relatedLists ?? [], set.relatedLists),
    declaredKey: before?.declaredKey ?? set.key,
  }
}

/** A field whose types differ becomes text. */
function mergeProperties(before: readonly EdmProperty[], more: readonly EdmProperty[]): EdmProperty[] {
  const met = before.map((property) => {
    const other = more.find(({ name }) => name === property.name)
    return other === undefined || isSameType(property, other) ? property : { ...plainText, name: property.name }
  })
  return [...met, ...more.filter(({ name }) => !before.some((property) => property.name === name))]
}

const plainText = {
  type: 'Edm.String',
  isList: false,
  maxLength: null,
  precision: null,
  scale: null,
  parts: [],
} as const

function isSameType(one: EdmProperty, other: EdmProperty): boolean {
  return (
    one.type === other.type &&
    one.isList === other.isList &&
    one.maxLength === other.maxLength &&
    one.precision === other.precision &&
    one.scale === other.scale
  )
}
