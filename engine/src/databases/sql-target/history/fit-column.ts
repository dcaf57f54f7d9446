/** How a column of a history holds the values of former and future versions. It is widened, to text if need be, and never narrowed. */
import { Fault } from '../../../ports/faults.ts'
import type { WriterSession } from '../dialect.ts'
import type { ExistingColumn, TargetColumn } from '../table-layout.ts'
import type { HistoryTable } from './history-table.ts'

export interface HistoryFit {
  /** In history, from now on. */
  readonly type: string
  /** The column to change; null if it stays as it is. */
  readonly from: ExistingColumn | null
  readonly isText: boolean
}

/** @param like the column of the table as it is; missing if the table was dropped */
export function fitColumn(
  dialect: WriterSession['dialect'],
  { type, values }: TargetColumn,
  { from, like }: { readonly from: ExistingColumn; readonly like: ExistingColumn | undefined },
): HistoryFit {
  const text = dialect.facts.columnType({ kind: 'text' })
  if (values.kind !== 'text') {
    if (holdsText(dialect, from)) return { type: text, from: null, isText: true }
    // The table holds these values as text, too.
    if (like !== undefined && holdsText(dialect, like)) return { type: text, from, isText: true }
  }
  const fit = dialect.fit(from, values)
  if (fit.kind === 'keep') return { type: fit.type, from: null, isText: false }
  if (like !== undefined && dialect.storedType(from) === dialect.storedType(like))
    return { type, from: null, isText: false }
  const wider = fit.kind === 'clash' ? text : fit.type
  return { type: wider, from, isText: wider === text && values.kind !== 'text' }
}

/** A text of any length cannot be indexed everywhere, and each run finds versions by their key. @throws Fault `settings` */
export function requireSameKeys(kind: string, history: HistoryTable, fits: readonly HistoryFit[]): void {
  const { key, columns } = history.of
  const retyped = columns.find(({ name }, at) => key.includes(name) && fits[at]?.isText === true)
  if (retyped !== undefined) throw retypedKeyFault(kind, history, retyped.name)
}

function retypedKeyFault(kind: string, { of, name }: HistoryTable, column: string): Fault {
  return new Fault('settings', {
    code: `${kind}.history_key`,
    notice: `The key column ‘${column}’ of the table ‘${of.name}’ has another type than in its history ‘${name}’, because the table was created again. Rename or drop that history in the target; a new one begins with the next run.`,
  })
}

/** Whether a column holds any text. */
function holdsText(dialect: WriterSession['dialect'], column: ExistingColumn): boolean {
  return dialect.fit(column, { kind: 'text' }).kind === 'keep'
}
