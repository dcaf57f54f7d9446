/**
 * Verifies a stream of a source without SQL: its counts, and documents that are read again and compared value by value with their children.
 * Of a short list all documents are read, so that control totals are compared, too.
 */
import { withinStream } from '../ports/call-meter.ts'
import type { NoSample, SampleRequest } from '../ports/document-sample.ts'
import type { Stream } from '../ports/source.ts'
import type { StreamVerification, VerificationOutcome, VerifyRequest } from '../ports/verification.ts'
import { differencesMax } from '../ports/verification.ts'
import { validateState, type ValidatedState } from '../sync/checkpoint-validity.ts'
import { compareDocuments } from './compare-documents.ts'
import { compareAll, compareCount, noTotals } from './control-totals.ts'
import { describeSample } from './describe-sample.ts'
import { repairDocuments } from './repair-documents.ts'
import {
  chooseKey,
  countCopies,
  type FoundInSample,
  pairTables,
  type SampledStream,
  type SampledTable,
} from './sampled-documents.ts'
import { emptyVerification, otherRules } from './verify-stream.ts'

/** Pages of lists, and documents that take a call each. */
const sampleCalls = 6
const sampleDocuments = 10

export async function verifyBySample(request: VerifyRequest, stream: Stream): Promise<StreamVerification> {
  const { source, target, clock } = request
  const tables = pairTables(stream, await target.verifiedTables(stream))
  const [table] = tables
  const checkedAt = new Date(clock.now())
  const empty = { ...emptyVerification(stream, table?.copy.name ?? '', checkedAt), method: 'sample' } as const
  if (table === undefined) return { ...empty, outcome: 'unfinished', notice: 'No run has moved this table yet.' }
  const state = validateState({ stream, source }, await target.state(stream))
  if (state.isOtherOrigin)
    return { ...empty, outcome: 'pending', notice: 'Its rows come from another source. The next run replaces them.' }
  if (state.hasOtherRules) return { ...empty, outcome: 'pending', notice: otherRules }
  const rows = await countCopies(table)
  const sample =
    (await withinStream(stream.name, async () =>
      source.sample?.(stream, requestOf(request, { state, table, rows })),
    )) ?? nothingToCompare
  if ('reason' in sample) return { ...empty, outcome: 'notProvable', notice: sample.reason }
  const freshAt = state.freshAt === null ? null : new Date(state.freshAt)
  return { ...empty, ...(await compareSample(request, { stream, tables, table, rows, freshAt, sample })) }
}

const nothingToCompare: NoSample = { reason: 'The source offers nothing that its rows could be compared with.' }

interface StoredStream {
  readonly state: ValidatedState
  readonly table: SampledTable
  readonly rows: number
}

function requestOf({ callsLeft, position, log }: VerifyRequest, { state, table, rows }: StoredStream): SampleRequest {
  const calls = Math.min(sampleCalls, callsLeft?.() ?? sampleCalls)
  const place = position?.() ?? Math.random()
  return {
    calls,
    documents: sampleDocuments,
    rows,
    checkpoint: state.checkpoint,
    position: place,
    anyKey: () => chooseKey(table, rows, place),
    log,
  }
}

async function compareSample(request: VerifyRequest, sampled: SampledStream) {
  const compared = await compareDocuments(request, sampled)
  const counted = await compareCount(sampled)
  const isSame = compared.found.length === 0 && counted.found.length === 0 && compared.newer === 0
  const whole = isSame ? await compareAll(sampled) : noTotals
  const all = [...compared.found, ...counted.found, ...whole.found].map((one) => decide(request, sampled, one))
  const isRepairable = request.repair && all.some(({ isPending }) => !isPending)
  const found = isRepairable ? await repairDocuments(request, sampled, all) : all
  const isEmpty = compared.documents === 0 && !sampled.sample.isComplete && !counted.isCompared
  const words = { ...compared, isCounted: counted.isCompared || sampled.sample.isComplete, hasTotals: whole.isCompared }
  return {
    outcome: outcomeOf(found, isEmpty),
    rows: compared.rows,
    newerRows: compared.newer,
    differenceCount: found.length,
    differences: found.slice(0, differencesMax).map(({ difference }) => difference),
    notice:
      isEmpty && found.length === 0 ? onlyNewer : describeSample(sampled, { ...words, isEqual: found.length === 0 }),
  }
}

function outcomeOf(found: readonly FoundInSample[], isEmpty: boolean): VerificationOutcome {
  if (found.some(({ isPending }) => !isPending)) return 'different'
  if (found.length > 0) return 'pending'
  return isEmpty ? 'notProvable' : 'identical'
}

const onlyNewer = 'Every document that was read again has changed since the last run, so none could be compared.'

/** Sources that do not report deletions are compared by key once a day. */
const deletedWithinMs = 25 * 60 * 60_000

/** A difference that was pending before a run has read the stream and is the same after it is not one of time. */
function decide({ pendingBefore }: VerifyRequest, sampled: SampledStream, found: FoundInSample): FoundInSample {
  const { stream, freshAt } = sampled
  const before = found.isPending && freshAt !== null ? pendingBefore?.(stream.name) : undefined
  if (before === undefined || freshAt === null || !before.includes(found.difference)) return found
  const waitMs = found.difference.kind === 'additional' ? deletedWithinMs : 0
  return freshAt.getTime() > before.checkedAt.getTime() + waitMs ? { ...found, isPending: false } : found
}
