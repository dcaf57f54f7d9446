/** A table of the source and its copy in the target: which columns are compared, and the SQL of both sides. Pure. */
import type { Table } from '../ports/model.ts'
import {
  type ChecksumWords,
  type ComparisonForm,
  fieldsMax,
  type SourceTable,
  type TargetTableCopy,
  type VerifiedColumn,
  type VerifiedFilter,
  type VerifiedTable,
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
  /** The rows are summarised here, because of streamed columns or a filter. */
  readonly isSummarisedHere: boolean
}

export function pairColumns(table: Table, source: SourceTable, target: TargetTableCopy): ComparedTable {
  const columns = table.columns.flatMap(({ name }): readonly ComparedColumn[] => {
    const [from, to] = [findColumn(source, name), findColumn(target, name)]
    if (from === undefined || to === undefined) return []
    const form = from.forms.find(({ id }) => to.forms.some((each) => each.id === id))?.id ?? null
    return [{ name, isKey: table.key.includes(name), type: from.type, form, source: from, target: to }]
  })
  const streamed = columns.filter(({ form }) => form === null)
  const key = table.key.flatMap((name) => columns.find((column) => column.name === name && column.form !== null) ?? [])
  return {
    source,
    target,
    columns,
    key: key.length === table.key.length ? key : [],
    streamed,
    isSummarisedHere: streamed.length > 0 || source.filter !== undefined,
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

/** The filter of a side; undefined if all of its rows are compared. */
export function filterOf({ source }: ComparedTable, side: Side): VerifiedFilter | undefined {
  return side === 'source' ? source.filter : undefined
}

/** The value of a streamed column as it is compared. */
export function maskedText(column: ComparedColumn, side: Side, text: string | null): string | null {
  const { mask } = column[side]
  return mask === undefined ? text : mask(text)
}

/** Columns of one statement of fields: for each a mark of null, a length and the value, and two ends. */
const columnsAtOnce = Math.floor((fieldsMax - 2) / 3)

/**
 * Expression of the hash of a row over every column with a common form. No two rows have the same text.
 * @param precision `raw` costs less: it may differ where `exact` does not
 */
export function rowHash(compared: ComparedTable, side: Side, precision: 'exact' | 'raw' = 'exact'): string {
  const { words } = compared[side]
  const columns = compared.columns.filter(({ form }) => form !== null)
  const parts: string[] = []
  for (let at = 0; at < columns.length; at += columnsAtOnce) {
    const isLast = at + columnsAtOnce >= columns.length
    parts.push(rowText(words, columns.slice(at, at + columnsAtOnce), { side, isLast, precision }))
  }
  return words.hash(parts.length === 0 ? `''` : parts.length === 1 ? (parts[0] ?? '') : words.join(parts))
}

/**
 * The numbers of columns that are null, an empty field, the lengths of texts that may hold any character, values that hold no semicolon and
 * are never empty, and these texts. Fields of null are left out. Each part can be read without knowing the next one, so texts of several
 * groups of columns can be joined; the last text of the last group ends with the row, so it needs no length.
 */
function rowText(
  words: ChecksumWords,
  columns: readonly ComparedColumn[],
  { side, isLast, precision }: { readonly side: Side; readonly isLast: boolean; readonly precision: 'exact' | 'raw' },
): string {
  const forms = columns.map((column): Omit<ComparisonForm, 'id'> => {
    const form = formOf(column, side)
    return precision === 'raw' && form.raw !== undefined ? { sql: form.raw } : form
  })
  const marks = columns.map((column, at) => {
    const isNull = forms[at]?.isNull ?? `${column[side].value} IS NULL`
    return `CASE WHEN ${isNull} THEN '${at}' END`
  })
  const free = forms.filter(({ isFree }) => isFree === true).map(({ sql }) => sql)
  const others = forms.filter(({ isFree }) => isFree !== true).map(({ sql }) => sql)
  const lengths = (isLast ? free.slice(0, -1) : free).map((sql) => words.byteLength(sql))
  return words.fields([...marks, `''`, ...lengths, ...others, ...free])
}
