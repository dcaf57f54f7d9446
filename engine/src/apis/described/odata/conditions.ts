/** The set, the condition and the properties of a read of a table. */
import type { Query } from '../calls.ts'
import { allOf } from './api.ts'
import type { ODataTable } from './metadata/tables.ts'

/** The name of the table's set in a company. */
export function setIn({ name, setNames }: ODataTable, company: string): string {
  return setNames.get(company) ?? name
}

/** The rows of the table that fulfil all conditions. */
export function whereOf({ description: { filter } }: ODataTable, ...conditions: readonly string[]): Query {
  const all = [...(filter === undefined ? [] : [filter]), ...conditions].filter((condition) => condition !== '')
  return all.length === 0 ? {} : { $filter: allOf(all) }
}

/** The properties that are asked for; null: all, because not every service can leave some out. */
export function selectionOf({ description, properties }: ODataTable): readonly string[] | null {
  if (!description.select) return null
  const names = properties.flatMap(({ name, type }) => (type === 'Edm.Stream' || type === 'Edm.Binary' ? [] : [name]))
  return [...new Set([...names, ...(description.deletes?.kind === 'status' ? [description.deletes.property] : [])])]
}
