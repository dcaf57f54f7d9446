/** Members of an API's documents that no column has: reported with the schema changes, because otherwise only the log of the run would show them. */
import type { RowBatch } from '../ports/model.ts'
import { sentWithoutColumn } from '../ports/target.ts'
import type { StreamContext } from './stream-context.ts'

/** Names that are values, such as ids, would be endless. */
const namesMax = 20

export class UnknownMembers {
  readonly #names = new Set<string>()

  add({ unknownMembers = [] }: RowBatch): void {
    for (const name of unknownMembers) this.#names.add(name)
  }

  report({ target, stream, schemaRules, log }: StreamContext): void {
    if (this.#names.size === 0) return
    const names = [...this.#names].toSorted()
    const reported = names.slice(0, namesMax)
    log(
      `${stream.name}: the source sends members that no column has: ${reported.join(', ')}${names.length > namesMax ? `, and ${names.length - namesMax} more` : ''}. They are not moved.`,
    )
    const table = target.tableNameOf(stream)
    const changes = reported.map((column) => ({ table, column, before: null, after: sentWithoutColumn }))
    schemaRules?.reportChanges(stream.name, changes, 'applied')
  }
}
