/** Comments in the target: what the source says about a table and its columns, and the words of administrators. */
import { asFault } from '../ports/faults.ts'
import { FencedError } from '../ports/target.ts'
import type { StreamContext } from './stream-context.ts'

/** A comment that cannot be written is a line in the log: the rows are complete without it. */
export async function writeStreamComments({ target, stream, words, signal, log }: StreamContext): Promise<void> {
  if (words === undefined) return
  const tables = new Map(target.preparedTables(stream).map((prepared) => [prepared.name, prepared]))
  const describe = (table: string, column: string | null): string | undefined => {
    const prepared = tables.get(table)
    if (column === null) return prepared?.table.description
    const at = prepared?.columns.findIndex(({ name }) => name === column) ?? -1
    return prepared?.table.columns[at]?.description
  }
  try {
    await target.writeComments(stream, (table, column) =>
      [words(table, column), describe(table, column) ?? ''].filter((text) => text !== '').join('\n\n'),
    )
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error
    log(
      `${stream.name}: its rows are complete, but the descriptions could not be written as comments. ${asFault(error).notice}`,
    )
  }
}
