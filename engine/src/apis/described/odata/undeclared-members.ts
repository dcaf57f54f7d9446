/** Members of rows that the metadata do not declare: the service is ahead of its metadata, or the type is open. */
import type { JsonObject } from '../../http/exact-json.ts'
import { type ODataTable, undeclaredMembers } from './metadata/tables.ts'

const namesMax = 20

export class UndeclaredMembers {
  readonly #table: ODataTable
  readonly #names = new Set<string>()

  constructor(table: ODataTable) {
    this.#table = table
  }

  add(rows: readonly JsonObject[]): void {
    for (const row of rows) for (const name of undeclaredMembers(row, this.#table.declared)) this.#names.add(name)
  }

  report(log: (line: string) => void): void {
    if (this.#names.size === 0) return
    const { name, description } = this.#table
    const names = [...this.#names].toSorted()
    const fate =
      description.rest === undefined ? 'They are not moved' : `They are kept in the column ${description.rest}`
    log(
      `${name} has members that its metadata do not declare: ${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ', …' : ''}. ${fate}.`,
    )
  }
}
