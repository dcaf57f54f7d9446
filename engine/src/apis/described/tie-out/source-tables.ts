/** The tables that a description of a tie-out names, as they are in the target, as parts of SELECTs. */
import { Fault } from '../../../ports/faults.ts'
import type { Column, Table } from '../../../ports/model.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import type { SourceDescription } from '../description/source-description.ts'

/** A stream and the tables that it has now. */
export interface StreamTables {
  readonly name: string
  readonly table: Table
  readonly children: readonly Table[]
}

export interface TableName {
  readonly stream: string
  readonly table?: string | undefined
}

/** A table in a FROM clause, with expressions for its columns. */
export interface SelectedTable {
  readonly from: string
  /** Of the table or of its parent. */
  column(name: string): string
  /** The column of the company of a row; null if a connector has one company. */
  readonly company: string | null
}

export class SourceTables {
  readonly #description: SourceDescription
  readonly #streams: () => readonly StreamTables[]

  /** @param streams those of the open source, which are known once it has listed them */
  constructor(description: SourceDescription, streams: () => readonly StreamTables[]) {
    this.#description = description
    this.#streams = streams
  }

  get companyColumn(): string | null {
    const { engine } = this.#description
    return engine === 'odata' ? (this.#description.companies?.column ?? null) : null
  }

  /** @param alias unique in the statement; its parent gets the same with a p */
  select({ stream, table: child }: TableName, alias: string, { table, quote }: StatementNames): SelectedTable {
    const found = this.#streams().find(({ name }) => name === stream)
    const own = child === undefined ? found?.table : found?.children.find(({ name }) => name === child)
    if (found === undefined || own === undefined) throw this.#missing(child ?? stream)
    const parent = own === found.table ? null : found.table
    const inOwn = (name: string): string => `${alias}.${quote(name)}`
    const inParent = (name: string): string => `${alias}p.${quote(name)}`
    const on = (own.parentKey ?? []).map((name, at) => `${inParent(parent?.key[at] ?? '')} = ${inOwn(name)}`)
    const joined = parent === null ? '' : ` JOIN ${table(parent.name)} AS ${alias}p ON ${on.join(' AND ')}`
    const { companyColumn } = this
    return {
      from: `${table(own.name)} AS ${alias}${joined}`,
      company: companyColumn === null ? null : inOwn(companyColumn),
      column: (name) => {
        const column = this.#column(own, name)
        if (column !== null) return inOwn(column)
        const above = parent === null ? null : this.#column(parent, name)
        if (above !== null) return inParent(above)
        throw this.#missing(`${own.name}.${name}`)
      },
    }
  }

  /** The child table with the figures of a monthly report; undefined for any other stream. */
  monthlyLines(stream: string): string | undefined {
    const { engine } = this.#description
    const changes = engine === 'odata' ? this.#description.sets[stream] : this.#description.streams[stream]
    if (changes?.changes?.kind !== 'months') return undefined
    return this.#streams().find(({ name }) => name === stream)?.children[0]?.name
  }

  hasBalances(stream: string): boolean {
    const { engine } = this.#description
    const { changes } = (engine === 'odata' ? this.#description.sets[stream] : this.#description.streams[stream]) ?? {}
    return changes?.kind === 'months' && changes.balances
  }

  #column({ columns }: Table, name: string): string | null {
    const isNamed = ({ name: column, sourceField }: Column): boolean =>
      this.#description.engine === 'odata' ? sourceField === name : column === name
    return columns.find(isNamed)?.name ?? null
  }

  #missing(what: string): Fault {
    const { type, title } = this.#description
    return new Fault('data', {
      code: `${type}.tie_out`,
      notice: `The rows cannot be compared with the report of ${title}, because it does not offer ${what}. Have its description corrected.`,
    })
  }
}
