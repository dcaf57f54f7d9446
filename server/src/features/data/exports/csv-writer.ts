import type { ValueKind } from '../../../access/query/table-model.ts'
import { csvLine, csvStart } from '../../../kernel/text/csv.ts'
import type { ExportedTable } from './exported-table.ts'

const numbers: readonly ValueKind[] = ['integer', 'decimal', 'double']

/** Null is an empty field. Numbers stay numbers, with all their digits; other text that would be a formula is escaped. */
export async function* writeCsv({ columns, rows }: ExportedTable): AsyncGenerator<string> {
  const isNumber = columns.map(({ kind }) => numbers.includes(kind))
  yield csvStart + csvLine(columns.map(({ name }) => name))
  for await (const batch of rows)
    yield batch
      .map((row) =>
        csvLine(
          row.map((value) => (value === null ? '' : String(value))),
          (column) => isNumber[column] === true,
        ),
      )
      .join('')
}
