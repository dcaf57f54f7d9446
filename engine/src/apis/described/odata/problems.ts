/** Descriptions that do not fit the metadata of a service. */
import { Fault } from '../../../ports/faults.ts'
import type { ODataApi } from './api.ts'
import type { ODataTable } from './metadata/tables.ts'

/** Why a table cannot be read as its description says; null if it can. */
export function problemOf(api: ODataApi, table: ODataTable): Fault | null {
  const problem = pagingProblem(api, table) ?? expandProblem(table) ?? changesProblem(api, table)
  if (problem === null) return null
  const { title, code } = api.described
  return new Fault('data', {
    code: `${code}.description`,
    notice: `${table.name}: ${problem} The rows that the target has of it stay as they are. Have the description of ${title} corrected.`,
  })
}

function pagingProblem(
  { description: { paging } }: ODataApi,
  { key, reportKey, description }: ODataTable,
): string | null {
  const rowKey = description.changes?.kind === 'months' ? reportKey : key
  if (paging.kind !== 'keyset' || rowKey.length === 1) return null
  return 'Its description reads pages by key, and its key is not one property.'
}

function expandProblem({ description: { expand = [] }, expanded, key }: ODataTable): string | null {
  const unknown = expand.find((name) => !expanded.includes(name))
  if (unknown !== undefined) return `Its metadata have no list ${unknown} of other rows.`
  return expand.length > 0 && key.length === 0 ? 'Its lists cannot be tables, because its rows have no key.' : null
}

function changesProblem({ description }: ODataApi, table: ODataTable): string | null {
  const { changes } = table.description
  if (changes?.kind === 'months') return monthsProblem(table, changes.property)
  if (changes?.kind !== 'cursor' && changes?.kind !== 'feed') return null
  if (table.key.length === 0) return 'Its changes cannot be applied, because its rows have no key.'
  return changes.kind === 'feed' ? null : cursorProblem(description.types, table, changes.property)
}

function monthsProblem({ properties }: ODataTable, property: string): string | null {
  const date = properties.flatMap(({ parts }) => parts).find(({ name }) => name === property)
  return date?.type.startsWith('Edm.Date') === true
    ? null
    : `Its description limits a read to a month by ${property}, which its metadata do not declare as a date.`
}

function cursorProblem(
  { moments, zone = 'UTC' }: ODataApi['description']['types'],
  { properties }: ODataTable,
  property: string,
): string | null {
  const cursor = properties.find(({ name }) => name === property)
  if (cursor?.type.startsWith('Edm.Date') !== true)
    return `Its description finds changes by ${property}, which its metadata do not declare as a moment.`
  const isKnown = cursor.type === 'Edm.DateTimeOffset' ? moments === 'declared' : zone === 'UTC'
  return isKnown ? null : `Changes cannot be found by ${property}, whose moments are not in UTC.`
}
