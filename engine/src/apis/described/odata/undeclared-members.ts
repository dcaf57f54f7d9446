/** Members of rows that the metadata do not declare and no column has: the service is ahead of its metadata, or the type is open. */
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
    if (this.#table.description.rest !== undefined) return
    for (const row of rows) for (const name of undeclaredMembers(row, this.#table.declared)) this.#names.add(name)
  }

  report(log: (line: string) => void): void {
    if (this.#names.size === 0) return
    const names = [...this.#names].toSorted()
    log(
      `${this.#table.name} has members that its metadata do not declare: ${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ', …' : ''}. They are not moved.`,
    )
  }
}
