/** Formats rejected rows as CSV that spreadsheets open safely. */
import type { RejectedRow } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import { csvLine, csvStart } from '../../kernel/text/csv.ts'

export async function* formatRejectedRows(rows: readonly Camel<RejectedRow>[]): AsyncGenerator<string> {
  yield csvStart + csvLine(['Table', 'Column', 'Reason', 'Row'])
  yield rows
    .map(({ table, column, reason, row }) => csvLine([table, column ?? '', reason, JSON.stringify(row)]))
    .join('')
}
