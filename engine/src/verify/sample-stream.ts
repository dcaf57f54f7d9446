/**
 * Verifies a stream of a source without SQL: its counts, and documents that are read again and compared value by value with their children.
 * Of a short list all documents are read, so that control totals are compared, too.
 */
import type { DocumentSample } from '../ports/document-sample.ts'
import type { Stream } from '../ports/source.ts'
import type { RowDifference, StreamVerification, VerificationOutcome, VerifyRequest } from '../ports/verification.ts'
import { differencesMax } from '../ports/verification.ts'
import { validateState } from '../sync/checkpoint-validity.ts'
import { compareDocuments, type FoundInSample } from './compare-documents.ts'
import { compareTotals } from './control-totals.ts'
import { repairDocuments } from './repair-documents.ts'
import { countCopies, decodeBatches, idOfKey, pairTables, readCopies, type SampledTable } from './sampled-documents.ts'
import { emptyVerification } from './verify-stream.ts'

/** Pages of lists, and documents that take a call each. */
const sampleCalls = 6
const sampleDocuments = 10

export async function verifyBySample(request: VerifyRequest, stream: Stream): Promise<StreamVerification> {
  const { source, target, clock } = request
  const copies = await target.verifiedTables(stream)
  const [main] = copies
  const checkedAt = new Date(clock.now())
  const empty = { ...emptyVerification(stream, main?.name ?? '', checkedAt), method: 'sample' } as const
  if (main === undefined) return { ...empty, outcome: 'unfinished', notice: 'No run has moved this table yet.' }
  const state = validateState({ stream, source }, await target.state(stream))
  if (state.isOtherOrigin)
    return { ...empty, outcome: 'pending', notice: 'Its rows come from another source. The next run replaces them.' }
  const tables = pairTables(stream, copies)
  const [table] = tables
  const rows = table === undefined ? 0 : await countCopies(table)
  const sample = await source.sample?.(stream, {
    calls: Math.min(sampleCalls, request.callsLeft?.() ?? sampleCalls),
    documents: sampleDocuments,
    rows,
    checkpoint: state.checkpoint,
    position: request.position?.() ?? Math.random(),
    log: request.log,
  })
  if (sample === undefined || 'reason' in sample || table === undefined)
    return { ...empty, outcome: 'notProvable', notice: reasonOf(sample) }
  const freshAt = state.freshAt === null ? null : new Date(state.freshAt)
  return { ...empty, ...(await compareSample(request, { stream, tables, table, rows, freshAt, sample })) }
}

function reasonOf(sample: object | undefined): string {
  return sample !== undefined && 'reason' in sample && typeof sample.reason === 'string'
    ? sample.reason
    : 'The source offers nothing that its rows could be compared with.'
}

export interface SampledStream {
  readonly stream: Stream
  readonly tables: readonly SampledTable[]
  /** The main table, and how many rows its copy has. */
  readonly table: SampledTable
  readonly rows: number
  /** When the last run that has read it began. */
  readonly freshAt: Date | null
  readonly sample: DocumentSample
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
    notice: isEmpty ? onlyNewer : describeSample(sampled, { ...words, isEqual: found.length === 0 }),
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

interface ComparedFigures {
  readonly found: readonly FoundInSample[]
  readonly isCompared: boolean
}

const noTotals: ComparedFigures = { found: [], isCompared: false }

/** What the source counts, without the documents that the next run adds. A complete list is compared by its keys. */
async function compareCount({ stream, tables, table, rows, sample }: SampledStream): Promise<ComparedFigures> {
  const { count, changed, isComplete } = sample
  if (count === null || (isComplete && stream.table.key.length > 0)) return noTotals
  const counted = count.table === undefined ? table : tables.find(({ described }) => described.name === count.table)
  if (counted === undefined) return noTotals
  const copied = counted === table ? rows : await countCopies(counted)
  const expected = count.rows - (counted === table ? await countUnknown(table, changed ?? new Set()) : 0)
  if (copied === expected) return { found: [], isCompared: true }
  const columns = [{ name: 'number of rows', source: String(expected), target: String(copied) }]
  // A source that does not report its deletions has fewer rows until the next comparison of keys.
  const mayBeDeleted = copied > expected && stream.keyComparison !== 'never'
  const isPending = changed === null || changed.size > 0 || mayBeDeleted
  return { found: [{ difference: figureOf(counted, columns), isPending, encodedKey: null }], isCompared: true }
}

function figureOf({ copy }: SampledTable, columns: RowDifference['columns']): RowDifference {
  return { table: copy.name, key: {}, kind: 'different', columns, cause: 'unknown', isRepaired: false }
}

/** How many of these documents the copy does not have yet. */
async function countUnknown(table: SampledTable, keys: ReadonlySet<string>): Promise<number> {
  const ids = [...keys].map((key) => idOfKey(table, key))
  const values = ids.map((id) => JSON.parse(id) as (string | null)[])
  return ids.length - (await readCopies(table, values)).length
}

async function compareAll({ tables, sample }: SampledStream): Promise<ComparedFigures> {
  const sent = decodeBatches(sample.batches)
  const isAll = sample.isComplete && (sent.get(tables[0]?.described.name ?? '')?.length ?? 0) >= sample.listed.length
  if (!isAll) return noTotals
  const differences = await compareTotals(tables, sent, sample.ignoredColumns ?? [])
  const isPending = sample.changed === null || sample.changed.size > 0
  return { found: differences.map((difference) => ({ difference, isPending, encodedKey: null })), isCompared: true }
}

interface SampleWords {
  readonly documents: number
  readonly newer: number
  readonly isCounted: boolean
  readonly hasTotals: boolean
  readonly isEqual: boolean
}

/** '12 of 3,412 documents, counts and totals equal.' */
function describeSample({ sample, rows, tables }: SampledStream, words: SampleWords): string {
  const { documents, newer, isCounted, hasTotals, isEqual } = words
  const all = Math.max(sample.count?.table === undefined ? (sample.count?.rows ?? rows) : rows, documents)
  const figures = [...(isCounted ? ['counts'] : []), ...(hasTotals ? ['totals'] : [])].join(' and ')
  const reports = sample.reportMonths === undefined ? [] : [`control totals of ${sample.reportMonths} months`]
  const compared = [
    `${format(documents)} of ${format(all)} documents`,
    ...(figures === '' ? [] : [figures]),
    ...reports,
  ]
  const leftOut =
    newer === 0
      ? ''
      : ` ${format(newer)} changed since the last run, so the next run decides about ${newer === 1 ? 'it' : 'them'}.`
  const ignored = (sample.ignoredColumns ?? []).filter((name) =>
    tables.some(({ described }) => described.columns.some((column) => column.name === name)),
  )
  const notCompared =
    ignored.length === 0
      ? ''
      : ` Not compared, because the source changes it without the document: ${ignored.join(', ')}.`
  return `${compared.join(', ')} ${isEqual ? 'equal' : 'compared'}.${leftOut}${notCompared}`
}

function format(count: number): string {
  return count.toLocaleString('en-GB')
}
