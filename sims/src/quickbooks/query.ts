/** The query language of the simulated QuickBooks Online: what its statements may say, and nothing else. */
import { type Entity, entities, nameLists, type QuickBooksCompany, type QuickBooksRecord } from './company.ts'

/** A statement that QuickBooks refuses, with the code of its error. */
export class QueryRefused extends Error {
  override readonly name = 'QueryRefused'
}

const statement =
  /^select \* from (?<entity>\w+)(?: where (?<where>.+?))?(?: orderby (?<order>[\w.]+)(?: asc)?)?(?: startposition (?<start>\d+))?(?: maxresults (?<rows>\d+))?$/iu

export interface QueryResult {
  readonly entity: string
  readonly records: readonly QuickBooksRecord[]
  readonly start: number
}

export const rowsMax = 1_000

/** @throws QueryRefused */
export function runQuery(company: QuickBooksCompany, text: string): QueryResult {
  const { entity: named = '', where, order, start = '1', rows = '100' } = statement.exec(text.trim())?.groups ?? {}
  const entity = entities.find((known) => known === named)
  if (entity === undefined) throw new QueryRefused(`QueryParserError: ${text.slice(0, 80)}`)
  if (Number(rows) > rowsMax || Number(rows) < 1) throw new QueryRefused(`maxresults must be 1 to ${rowsMax}`)
  if (Number(start) < 1) throw new QueryRefused('startposition begins with 1')
  const found = matching(company.all(entity), entity, where)
  const from = Number(start) - 1
  return { entity, records: ordered(found, order).slice(from, from + Number(rows)), start: Number(start) }
}

/** Inactive records are only in the result if the condition names them. */
function matching(records: readonly QuickBooksRecord[], entity: Entity, where = ''): readonly QuickBooksRecord[] {
  const conditions = where === '' ? [] : where.split(/ and /iu)
  const tests = conditions.map(testOf)
  const isActiveOnly = nameLists.includes(entity) && !conditions.some((condition) => /^Active\b/iu.test(condition))
  return records.filter(
    (record) => (!isActiveOnly || record['Active'] === true) && tests.every((accepts) => accepts(record)),
  )
}

function testOf(condition: string): (record: QuickBooksRecord) => boolean {
  if (/^Active in \(true, ?false\)$/iu.test(condition)) return () => true
  const active = /^Active = (true|false)$/iu.exec(condition)?.[1]
  if (active !== undefined) return (record) => record['Active'] === (active === 'true')
  const since = /^Metadata\.LastUpdatedTime >= '([^']+)'$/iu.exec(condition)?.[1]
  if (since !== undefined) return ({ MetaData }) => Date.parse(MetaData.LastUpdatedTime) >= Date.parse(since)
  throw new QueryRefused(`QueryValidationError: ${condition}`)
}

function ordered(records: readonly QuickBooksRecord[], order: string | undefined): readonly QuickBooksRecord[] {
  if (order === undefined) return records
  if (/^Id$/iu.test(order)) return records.toSorted((a, b) => Number(a.Id) - Number(b.Id))
  if (/^Metadata\.LastUpdatedTime$/iu.test(order))
    return records.toSorted((a, b) => Date.parse(a.MetaData.LastUpdatedTime) - Date.parse(b.MetaData.LastUpdatedTime))
  if (/^TxnDate$/iu.test(order))
    return records.toSorted((a, b) => String(a['TxnDate']).localeCompare(String(b['TxnDate'])))
  throw new QueryRefused(`QueryValidationError: orderby ${order}`)
}
