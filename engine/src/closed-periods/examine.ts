/** Compares the documents of closed periods as they are now with those at the end of the last examination. */
import type {
  ClosedPeriodDefinition,
  ClosedPeriodExamination,
  ClosedPeriodRequest,
  LockDates,
} from '../ports/closed-periods.ts'
import type { Stream } from '../ports/source.ts'
import type { OpenTarget } from '../ports/target.ts'
import { buildChanges } from './changes.ts'
import { type Comparison, selectChangedDocuments, selectDocumentFacts, selectDocumentStates } from './statements.ts'

export interface ExaminationInput {
  readonly target: OpenTarget
  readonly definition: ClosedPeriodDefinition
  /** The streams that this run has moved completely, by name. */
  readonly moved: ReadonlyMap<string, Stream>
  readonly request: ClosedPeriodRequest
  readonly runId: string
  /** The cut-off of this run. */
  readonly cutOff: string
}

/**
 * Compares the tables with history as of the last examined cut-off. A retry of the run that made the last examination repeats
 * it from where that one began, so its result replaces the former one.
 */
export async function examine(input: ExaminationInput): Promise<ClosedPeriodExamination> {
  const { target, definition, moved, request, runId, cutOff } = input
  const ledger = definition.ledger(new Set(moved.keys()))
  const isRepeated = request.examinedBy === runId
  const from = isRepeated ? request.examinedFrom : request.examinedUpTo
  const closedThrough = isRepeated ? request.closedThroughBefore : request.closedThrough
  const lockDates = await selectLockDates(target, definition)
  const { version, administratorDate } = request
  const result = { version, administratorDate, upTo: cutOff, lockDates, closedThrough, changes: [], notice: null }
  if (from === null) return { ...result, from: null }
  const missing = findMissingHistory(
    target,
    ledger.streams.flatMap((name) => moved.get(name) ?? []),
    from,
  )
  if (missing !== null) return { ...result, from: null, notice: missing }
  if (closedThrough === null) return { ...result, from }
  const compare = (build: (comparison: Comparison) => string) =>
    target.select((now) => build({ ledger, now, before: now.asOf({ at: from }), closedThrough }))
  if ((await compare(selectChangedDocuments)).length === 0) return { ...result, from }
  const { documents } = ledger
  const changes = buildChanges({
    states: await compare(selectDocumentStates),
    facts:
      documents === undefined
        ? null
        : await compare((comparison) => selectDocumentFacts(comparison, (names) => documents(names))),
    closedThrough,
    addressOf: (document) => definition.addressOf(document),
  })
  return { ...result, from, changes }
}

async function selectLockDates(target: OpenTarget, { lockDates }: ClosedPeriodDefinition): Promise<LockDates | null> {
  if (lockDates === undefined) return null
  const [row] = await target.select((names) => lockDates.select(names))
  return { period: row?.[0] ?? null, yearEnd: row?.[1] ?? null }
}

/** Why the tables cannot be shown as they were at a moment; null if they can. */
function findMissingHistory(target: OpenTarget, streams: readonly Stream[], moment: string): string | null {
  const missing = streams.filter((stream) => {
    const tables = target.histories(stream)
    return tables.length === 0 || tables.some(({ since }) => since > moment)
  })
  if (missing.length === 0) return null
  const names = missing.map(({ name }) => name).join(', ')
  return `There is no history of ${names} back to the last examination (${moment}), so changes since then are unknown. Changes are listed again from the next run.`
}
