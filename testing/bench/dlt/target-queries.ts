/** How the rows are read from the tables that each program makes. */
import type { TargetQueries } from './compare-rows.ts'

export function tributaryQueries(schema: string): TargetQueries {
  return {
    document: `SELECT id::text AS key, ${documentColumns} FROM "${schema}".document`,
    line: `SELECT document_id || '.' || ordinal AS key, ${lineColumns} FROM "${schema}".document_line`,
  }
}

/** Documents that dlt keeps with the mark of a deletion are as good as deleted. */
export function dltQueries(schema: string): TargetQueries {
  return {
    document: `SELECT id::text AS key, ${documentColumns} FROM ${schema}.document WHERE deleted IS NOT TRUE`,
    line: `SELECT document.id || '.' || _dlt_list_idx + 1 AS key, ${lineColumns.replace('name', 'line.name')}
      FROM ${schema}.document__lines line JOIN ${schema}.document ON document._dlt_id = line._dlt_parent_id
      WHERE deleted IS NOT TRUE`,
  }
}

const documentColumns =
  'number, customer, total::text, rate::text, paid::text, note, (extract(epoch FROM changed) * 1000)::bigint::text AS changed'
const lineColumns = 'sku, name, quantity::text, amount::text'
