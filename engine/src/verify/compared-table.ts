/** A table of the source and its copy in the target: which columns are compared, and the SQL of both sides. Pure. */
import type { Table } from '../ports/model.ts'
import type {
  ComparisonForm,
  SourceTable,
  TargetTableCopy,
  VerifiedColumn,
  VerifiedTable,
} from '../ports/verified-table.ts'

export type Side = 'source' | 'target'

export interface ComparedColumn {
  readonly name: string
  readonly isKey: boolean
  readonly type: VerifiedColumn['type']
  /** The form in which both databases write it; null if the values are streamed and compared here. */
  readonly form: string | null
  readonly source: VerifiedColumn
  readonly target: VerifiedColumn
}

export interface ComparedTable {
  readonly source: SourceTable
  readonly target: TargetTableCopy
  readonly columns: readonly ComparedColumn[]
  /** Empty: rows have no key that both databases can write, so they are compared as a multiset. */
  readonly key: readonly ComparedColumn[]
  readonly streamed: readonly ComparedColumn[]
}

export function pairColumns(table: Table, source: SourceTable, target: TargetTableCopy): ComparedTable {
  const columns = table.columns.flatMap(({ name }): readonly ComparedColumn[] => {
    const [from, to] = [findColumn(source, name), findColumn(target, name)]
    if (from === undefined || to === undefined) return []
    const form = from.forms.find(({ id }) => to.forms.some((each) => each.id === id))?.id ?? null
    return [{ name, isKey: table.key.includes(name), type: from.type, form, source: from, target: to }]
  })
  const key = table.key.flatMap((name) => columns.find((column) => column.name === name && column.form !== null) ?? [])
  return {
    source,
    target,
    columns,
    key: key.length === table.key.length ? key : [],
    streamed: columns.filter(({ form }) => form === null),
  }
}

function findColumn({ columns }: VerifiedTable, name: string): VerifiedColumn | undefined {
  return columns.find((column) => column.name === name)
}

export function formOf(column: ComparedColumn, side: Side): ComparisonForm {
  const found = column[side].forms.find(({ id }) => id === column.form)
  if (found === undefined) throw new Error(`The column ‘${column.name}’ has no form ‘${column.form}’.`)
  return found
}

/** Expression of the value as it is compared: in the common form, or as canonical text. */
export function textOf(column: ComparedColumn, side: Side): string {
  return column.form === null ? column[side].canonical : formOf(column, side).sql
}

/**
 * Expression of the hash of a row over every column with a common form. A value that may hold any character follows its length, every other
 * one is never empty and ends with a semicolon: so no two rows have the same text, and null differs from an empty text.
 */
export function rowHash(compared: ComparedTable, side: Side): string {
  const { words } = compared[side]
  const parts = compared.columns
    .filter(({ form }) => form !== null)
    .flatMap((column) => {
      const { sql, isFree } = formOf(column, side)
      return isFree === true ? [words.byteLength(sql), `':'`, sql] : [sql, `';'`]
    })
  return words.hash(words.join(parts.length === 0 ? [`''`] : parts))
}
