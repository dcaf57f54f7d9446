/** Whether a service can return keys alone. */
import type { ODataApi } from './api.ts'
import { setIn } from './conditions.ts'
import { hasCode } from './faults.ts'
import type { ODataTable } from './metadata/tables.ts'

/** The properties of a key, and the one that marks deleted rows; null if the service does not support `$select`: all properties are read. */
export async function findSelection(api: ODataApi, table: ODataTable): Promise<readonly string[] | null> {
  const [company] = table.setNames.keys()
  const { deletes } = table.description
  if (company === undefined || table.key.length === 0) return null
  const names = [...table.key.map(({ name }) => name), ...(deletes?.kind === 'status' ? [deletes.property] : [])]
  const select = [...new Set(names)]
  try {
    const query = { $top: '1', $select: select.join(',') }
    await api.firstPage({ company, set: setIn(table, company), query, patience: 'once' })
    return select
  } catch (error) {
    if (hasCode(error, api.described, ['bad_request', 'failing'])) return null
    throw error
  }
}
