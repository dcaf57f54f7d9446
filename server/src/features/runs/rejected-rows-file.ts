/** Rows that could not be placed, as a file that a spreadsheet opens. */
import type { RejectedRow } from '@tributary/contract/runs'
import type { Camel } from '@tributary/contract/wire'
import { csvLine, csvStart } from '../../kernel/text/csv.ts'

export async function* rejectedFile(rows: readonly Camel<RejectedRow>[]): AsyncGenerator<string> {
  yield csvStart + csvLine(['Table', 'Column', 'Reason', 'Row'])
  yield rows
    .map(({ table, column, reason, row }) => csvLine([table, column ?? '', reason, JSON.stringify(row)]))
    .join('')
}
