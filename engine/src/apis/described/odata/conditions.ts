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

/** Which properties and lists of other sets are asked for. Empty: all properties, because not every service can leave some out. */
export function selectionOf(table: ODataTable): Query {
  const { description, expanded } = table
  return {
    ...(description.select && { $select: selectedProperties(table).join(',') }),
    ...(expanded.length > 0 && { $expand: expanded.join(',') }),
  }
}

function selectedProperties({ properties, expanded, description: { deletes } }: ODataTable): readonly string[] {
  const isFile = (type: string): boolean => type === 'Edm.Stream' || type === 'Edm.Binary'
  const names = properties.flatMap(({ name, type }) => (isFile(type) || expanded.includes(name) ? [] : [name]))
  return [...new Set([...names, ...(deletes?.kind === 'status' ? [deletes.property] : [])])]
}
