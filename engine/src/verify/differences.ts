/** What was found in one table, with the cause of each difference as far as it can be known. */
import { isUnknown } from '../encoding/unsupported-values.ts'
import { type DifferenceCause, differencesMax, type RowDifference } from '../ports/verification.ts'
import type { ComparedTable } from './compared-table.ts'
import { canonicalText } from './compared-values.ts'
import { differingColumns, type InspectedKey, kindOf, namedValues } from './inspect-rows.ts'

/** A difference with the key by which it can be repaired. */
export interface FoundDifference {
  readonly inspected: InspectedKey
  readonly difference: RowDifference
  /** The row may have changed since the last run. */
  readonly isPending: boolean
  /** The source records changes, but not whether the last run has seen the one of this row. */
  readonly isUndecided: boolean
}

export interface CauseContext {
  readonly compared: ComparedTable
  readonly unknownValues: 'reject' | 'null'
  /** Keys of rows that the latest runs rejected, see `VerifyRequest`. */
  readonly rejectedKeys: ReadonlySet<string>
}

export type InspectedOutcome = { readonly found: FoundDifference } | 'same' | 'newer'

export function judge(context: CauseContext, inspected: InspectedKey): InspectedOutcome {
  const { compared } = context
  const kind = kindOf(compared, inspected)
  if (kind === null) return 'same'
  const [source] = inspected.source
  if (source?.isNewer === true) return 'newer'
  const cause = causeOf(context, inspected, kind)
  // Without a stamp, or without the row, it is unknown whether the source has changed since the last run.
  const isPending = kind !== 'doubled' && cause !== 'rejected' && (source === undefined || source.isNewer === null)
  const isUndecided = isPending && source !== undefined && compared.source.stamp !== 'none'
  return { found: { inspected, difference: describe(compared, inspected, { kind, cause }), isPending, isUndecided } }
}

function describe(
  compared: ComparedTable,
  { source: [source], target: [target] }: InspectedKey,
  { kind, cause }: Pick<RowDifference, 'kind' | 'cause'>,
): RowDifference {
  const isBoth = kind === 'different' && source !== undefined && target !== undefined
  return {
    table: compared.target.name,
    key: namedValues(compared, (source ?? target)?.values ?? [], compared.key.length > 0 ? 'key' : 'all'),
    kind,
    columns: isBoth ? differingColumns(compared, source, target) : [],
    cause,
    isRepaired: false,
  }
}

function causeOf(context: CauseContext, inspected: InspectedKey, kind: RowDifference['kind']): DifferenceCause {
  const wasWritten = inspected.target[0]?.isNewer ?? null
  switch (kind) {
    // The target's own key would not allow it.
    case 'doubled':
      return 'writtenAtTarget'
    case 'additional':
      return wasWritten === true ? 'writtenAtTarget' : 'unknown'
    case 'missing':
      return isRejected(context, inspected) ? 'rejected' : changeCause(context, null, inspected)
    case 'different':
      return changeCause(context, wasWritten, inspected)
  }
}

/** @param wasWritten whether something else has written the row in the target since the last run; null if unknown */
function changeCause(
  { compared }: CauseContext,
  wasWritten: boolean | null,
  { source: [row] }: InspectedKey,
): DifferenceCause {
  const { stamp } = compared.source
  if (wasWritten === true) return 'writtenAtTarget'
  if (stamp === 'none' || row?.isNewer === null) return 'unknown'
  if (wasWritten === false) return 'stampNotMoved'
  return stamp === 'transaction' ? 'writtenAtTarget' : 'unknown'
}

/** The target has no value for one of the row's, or a run has noted that it refused the row. */
function isRejected({ compared, unknownValues, rejectedKeys }: CauseContext, { source }: InspectedKey): boolean {
  const [row] = source
  if (row === undefined) return false
  const key = compared.key.map((column) => canonicalText(column, row.values[compared.columns.indexOf(column)] ?? null))
  if (rejectedKeys.has(JSON.stringify(key))) return true
  const { columns } = compared
  const isStreamedUnknown = columns.some(
    ({ form, type }, at) => form === null && isUnknown(row.values[at] ?? null, type),
  )
  return unknownValues === 'reject' && (row.hasUnknown || isStreamedUnknown)
}

/** Counts every difference and keeps the first thousand. */
export class DifferenceList {
  count = 0
  newerRows = 0
  undecidedRows = 0
  hasCertain = false
  hasPending = false
  #kept: RowDifference[] = []

  add({ difference, isPending, isUndecided }: FoundDifference): void {
    this.count += 1
    if (isUndecided && !difference.isRepaired) this.undecidedRows += 1
    if (isPending) this.hasPending = true
    else this.hasCertain = true
    if (this.#kept.length < differencesMax) this.#kept.push(difference)
  }

  markRepaired(): void {
    this.#kept = this.#kept.map((each) => ({ ...each, isRepaired: true }))
  }

  get kept(): readonly RowDifference[] {
    return this.#kept
  }
}
