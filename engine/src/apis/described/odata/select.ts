/** Whether a service can return keys alone. */
import type { Query } from '../calls.ts'
import type { ODataApi } from './api.ts'
import { setIn } from './conditions.ts'
import { hasCode } from './faults.ts'
import type { ODataTable } from './metadata/tables.ts'

/** The properties of a key, and the one that marks deleted rows. Empty if the service does not support `$select`: all properties are read. */
export async function findSelection(api: ODataApi, table: ODataTable): Promise<Query> {
  const [company] = table.setNames.keys()
  const { deletes } = table.description
  if (company === undefined || table.key.length === 0) return {}
  const names = [...table.key.map(({ name }) => name), ...(deletes?.kind === 'status' ? [deletes.property] : [])]
  const selection = { $select: [...new Set(names)].join(',') }
  try {
    await api.firstPage({ company, set: setIn(table, company), query: { $top: '1', ...selection }, patience: 'once' })
    return selection
  } catch (error) {
    if (hasCode(error, api.described, ['bad_request', 'failing'])) return {}
    throw error
  }
}
