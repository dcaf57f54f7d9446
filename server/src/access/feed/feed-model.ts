/** What a feed offers: an entity set for each table and view that the person may read, under names that OData allows. */
import type { ColumnModel, TableModel } from '../query/table-model.ts'

export interface FeedProperty {
  readonly name: string
  readonly column: ColumnModel
}

export interface EntitySet {
  /** Also the name of its entity type. */
  readonly name: string
  readonly table: TableModel
  readonly properties: readonly FeedProperty[]
  readonly key: readonly FeedProperty[]
  /** OData requires a key. A table or view without one has this property instead, which identifies a row in a reply. */
  readonly rowProperty: string | null
}

/** The namespace of the entity types. */
export const namespace = 'Tributary'

export function createFeedModel(tables: readonly TableModel[]): EntitySet[] {
  const nameOf = distinctNames(nameMax)
  return tables.map((table) => {
    const propertyNameOf = distinctNames(columnNameMax)
    const properties = table.columns.map((column) => ({ name: propertyNameOf(column.name), column }))
    const key = table.key.flatMap((name) => properties.find(({ column }) => column.name === name) ?? [])
    const rowProperty = key.length === 0 ? propertyNameOf('_row') : null
    return { name: nameOf(`${table.schema}_${table.name}`), table, properties, key, rowProperty }
  })
}

/** Simple identifiers have at most 128 characters. */
const nameMax = 128
/** The name is also the name of a column in SQL, which has at most 63 bytes. */
const columnNameMax = 60

/**
 * Turns names into simple identifiers (CSDL 4.01, section 15.2), each different from those before. Tables and columns come in a
 * fixed order, so a name stays the same while no earlier one is added.
 */
function distinctNames(max: number): (name: string) => string {
  const taken = new Set<string>()
  return (name) => {
    const plain = name.replaceAll(/[^\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]/gu, '_')
    const start = /^[\p{L}\p{Nl}_]/u.test(plain) ? plain : `_${plain}`
    const base = cutToBytes(start, max)
    let candidate = base
    for (let count = 2; taken.has(candidate); count++) candidate = `${cutToBytes(base, max - 6)}_${count}`
    taken.add(candidate)
    return candidate
  }
}

function cutToBytes(text: string, max: number): string {
  let cut = text
  while (Buffer.byteLength(cut) > max) cut = [...cut].slice(0, -1).join('')
  return cut
}
