/** Verifies one stream by checksums of both databases, within what is left of the budget. */
import type { Checkpoint } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { StreamState } from '../ports/target.ts'
import type { SourceTable, VerifiedTable } from '../ports/verified-table.ts'
import type { StreamVerification, VerificationOutcome, VerifyRequest } from '../ports/verification.ts'
import { shrinkGuard } from '../sync/plan.ts'
import { validateState } from '../sync/checkpoint-validity.ts'
import { type ComparedTable, pairColumns } from './compared-table.ts'
import { compareMultisets } from './compare-multisets.ts'
import {
  type BothReads,
  type ComparedRange,
  compareRange,
  type Comparison,
  sampleBoundaries,
} from './compare-tables.ts'
import { type CauseContext, DifferenceList, type FoundDifference, judge } from './differences.ts'
import { inspectKeys } from './inspect-rows.ts'
import { compareKeys, type RowKey, wholeTable } from './key-ranges.ts'
import { parseCursor, type SliceCursor } from './slice-cursor.ts'
import { prepareRepair, repairRows, replaceRows } from './repair.ts'

/** What is left for all streams. */
export interface Budget {
  rows: number
  readonly endsAt: number
}

export interface StreamVerifier {
  readonly request: VerifyRequest
  readonly stream: Stream
  readonly budget: Budget | null
}

/** Rows of one statement, if there is a budget whose end is to be noticed. */
const rowsPerStatement = 250_000

export async function verifyByChecksums(
  { request, stream, budget }: StreamVerifier,
  open: (stream: Stream, since: Checkpoint | null) => Promise<SourceTable>,
): Promise<StreamVerification> {
  const checkedAt = new Date(request.clock.now())
  const stored = await request.target.state(stream)
  const state = validateState({ stream, source: request.source }, stored)
  const [target] = await request.target.verifiedTables(stream)
  const empty = { ...emptyVerification(stream, target?.name ?? '', checkedAt), method: 'checksums' } as const
  if (target === undefined) return { ...empty, outcome: 'unfinished', notice: 'No run has moved this table yet.' }
  if (state.isOtherOrigin)
    return { ...empty, outcome: 'pending', notice: 'Its rows come from another source. The next run replaces them.' }
  if (state.hasOtherRules) return { ...empty, outcome: 'pending', notice: otherRules }
  const source = await open(stream, stream.reads === 'since' ? state.checkpoint : null)
  const compared = pairColumns(stream.table, source, target)
  const work = new StreamWork({ request, stream, budget, compared, rows: estimateRows(stream, stored) })
  await work.run()
  const { undecidedNotice, ...result } = work.result()
  return { ...empty, ...result, notice: noticeOf([...work.notices, ...undecidedNotice], source, target) }
}

export const otherRules = 'Its filter or its masks have changed. The next run applies them, then it can be verified.'

function estimateRows({ rowsEstimate }: Stream, { rows }: StreamState): number | null {
  return rows ?? rowsEstimate ?? null
}

export function emptyVerification(
  stream: Stream,
  table: string,
  checkedAt: Date,
): Omit<StreamVerification, 'outcome' | 'method'> {
  return {
    stream: stream.name,
    table,
    checkedAt,
    rows: 0,
    newerRows: 0,
    streamedColumns: [],
    cursor: null,
    differenceCount: 0,
    differences: [],
    notice: null,
  }
}

function noticeOf(notices: readonly string[], source: SourceTable, target: VerifiedTable): string | null {
  const all = [...source.notices, ...target.notices, ...notices]
  return all.length === 0 ? null : all.join(' ')
}

interface StreamWorkInput extends StreamVerifier {
  readonly compared: ComparedTable
  /** About how many rows the table has; null if unknown. */
  readonly rows: number | null
}

interface Slices {
  readonly start: RowKey | null
  readonly boundaries: readonly RowKey[]
  readonly rowsPerRange: number
}

class StreamWork {
  readonly notices: string[] = []
  readonly #input: StreamWorkInput
  readonly #list = new DifferenceList()
  #rows = 0
  #cursor: RowKey | null = null
  /** The slices before this one. */
  readonly #former: SliceCursor | null

  constructor(input: StreamWorkInput) {
    this.#input = input
    const { request, stream, compared } = input
    this.#former = parseCursor(request.cursors?.get(stream.name), compared)
  }

  async run(): Promise<void> {
    const { request, compared, budget } = this.#input
    if (compared.key.length > 0) return await this.#withReads((reads) => this.#compareSlices(reads))
    await this.#withReads(async (reads) => {
      this.#rows = await compareMultisets(compared, reads, this.#list)
    })
    if (budget !== null) budget.rows -= this.#rows
    // Only now, because the reads would keep the table from being replaced.
    if (this.#list.count > 0 && request.repair) await this.#replace()
  }

  async #withReads(work: (reads: BothReads) => Promise<void>): Promise<void> {
    const { compared } = this.#input
    await using source = await compared.source.read()
    await using target = await compared.target.read()
    await work({ source, target })
  }

  /** Afterwards both sides are compared once more. */
  async #replace(): Promise<void> {
    const { compared } = this.#input
    const reason = await prepareRepair(this.#repairContext)
    if (reason !== null) return void this.notices.push(reason)
    await replaceRows(this.#repairContext)
    const after = new DifferenceList()
    await this.#withReads(async (reads) => {
      await compareMultisets(compared, reads, after)
    })
    if (after.count === 0) this.#list.markRepaired()
  }

  async #compareSlices(reads: BothReads): Promise<void> {
    const { compared, budget } = this.#input
    const start = this.#former?.key ?? null
    const rows = this.#input.rows ?? (await countRows(compared, reads))
    const sample = () => sampleBoundaries(compared, reads.target, { range: wholeTable, rows })
    const after = (keys: readonly RowKey[]): readonly RowKey[] =>
      start === null ? keys : keys.filter((key) => compareKeys(compared, key, start) > 0)
    if (budget === null || rows <= Math.min(budget.rows, rowsPerStatement)) {
      await this.#compare(reads, { range: { from: start, to: null }, boundaries: async () => after(await sample()) })
      return
    }
    const all = await sample()
    await this.#compareWithin(reads, { start, boundaries: after(all), rowsPerRange: rows / (all.length + 1) })
  }

  /** As many ranges a statement as the budget allows, but one at least. */
  async #compareWithin(reads: BothReads, { start, boundaries, rowsPerRange }: Slices): Promise<void> {
    const { request, budget } = this.#input
    if (budget === null) return
    let left = boundaries
    for (let from = start; ;) {
      const count = Math.max(1, Math.floor(Math.min(budget.rows, rowsPerStatement) / Math.max(1, rowsPerRange)))
      const inner = left.slice(0, count)
      const to = inner.length < count ? null : (inner.at(-1) ?? null)
      const boundaries = to === null ? inner : inner.slice(0, -1)
      await this.#compare(reads, { range: { from, to }, boundaries: async () => boundaries })
      if (to === null) return
      left = left.slice(count)
      from = to
      if (budget.rows > 0 && request.clock.now() < budget.endsAt) continue
      this.#cursor = to
      return
    }
  }

  async #compare(reads: BothReads, range: ComparedRange): Promise<void> {
    const rows = await compareRange(this.#comparison, reads, range)
    this.#rows += rows
    if (this.#input.budget !== null) this.#input.budget.rows -= rows
  }

  get #comparison(): Comparison {
    const { request, compared } = this.#input
    const repair = (found: readonly FoundDifference[]) => this.#repair(found)
    return {
      compared,
      causes: this.#causes,
      list: this.#list,
      signal: request.signal,
      ...(request.repair && { repair }),
    }
  }

  get #causes(): CauseContext {
    const { request, stream, compared } = this.#input
    const rejectedKeys = request.rejectedKeys?.(stream.table.name) ?? new Set<string>()
    return { compared, rejectedKeys, unknownValues: compared.target.unknownValues }
  }

  get #repairContext() {
    const { request, stream } = this.#input
    const { source, target, log, signal } = request
    return { source, target, stream, log, signal }
  }

  /** Repairs the rows, then looks at them again. */
  async #repair(found: readonly FoundDifference[]): Promise<readonly FoundDifference[]> {
    const { compared } = this.#input
    const repairable = found.filter(({ difference }) => difference.cause !== 'rejected')
    const deletions = repairable.filter(({ difference }) => difference.kind === 'additional').length
    if (deletions > shrinkGuard.rows && deletions > (this.#input.rows ?? 0) * shrinkGuard.share) {
      this.notices.push(
        `${deletions} rows of the target are not in the source. That is unusual, so none of them was deleted.`,
      )
      return found
    }
    const reason = await prepareRepair(this.#repairContext)
    if (reason !== null) {
      if (!this.notices.includes(reason)) this.notices.push(reason)
      return found
    }
    if (found.some(({ difference }) => difference.kind === 'doubled')) {
      this.notices.push('The table has lost its key, so the next run reads it in full.')
      return found
    }
    await repairRows(this.#repairContext, compared, repairable)
    const after = await inspectKeys(
      compared,
      repairable.map(({ inspected }) => inspected.key),
    )
    const stillThere = new Set(
      after.flatMap((inspected) => (isSettled(judge(this.#causes, inspected)) ? [] : [JSON.stringify(inspected.key)])),
    )
    return found.map((each) =>
      repairable.includes(each) && !stillThere.has(JSON.stringify(each.inspected.key))
        ? { ...each, difference: { ...each.difference, isRepaired: true } }
        : each,
    )
  }

  result(): Pick<
    StreamVerification,
    'outcome' | 'rows' | 'newerRows' | 'streamedColumns' | 'cursor' | 'differenceCount' | 'differences'
  > & { readonly undecidedNotice: readonly string[] } {
    const { compared } = this.#input
    const { hasCertain, undecidedRows } = this.#list
    const hasPending = this.#list.hasPending || this.#former?.hasPending === true
    return {
      undecidedNotice: describeUndecided(undecidedRows),
      outcome: outcomeOf({ hasCertain, hasPending }, this.#cursor !== null),
      rows: this.#rows,
      newerRows: this.#list.newerRows,
      streamedColumns: compared.streamed.map(({ name }) => `${compared.target.name}.${name}`),
      cursor: this.#cursor === null ? null : JSON.stringify({ key: this.#cursor, hasPending } satisfies SliceCursor),
      differenceCount: this.#list.count,
      differences: this.#list.kept,
    }
  }
}

function isSettled(outcome: ReturnType<typeof judge>): boolean {
  return outcome === 'same' || outcome === 'newer'
}

function describeUndecided(rows: number): readonly string[] {
  if (rows === 0) return []
  const which = rows === 1 ? '1 row differs' : `${rows} rows differ`
  return [
    `${which} of which the source does not show whether the last run has read them, for example because a transaction was open there. The next run reads them again, then they are compared.`,
  ]
}

function outcomeOf(
  { hasCertain, hasPending }: Pick<DifferenceList, 'hasCertain' | 'hasPending'>,
  isCut: boolean,
): VerificationOutcome {
  if (hasCertain) return 'different'
  if (hasPending) return 'pending'
  return isCut ? 'unfinished' : 'identical'
}

async function countRows({ target }: ComparedTable, reads: BothReads): Promise<number> {
  let rows = 0
  for await (const [row] of reads.target.rows(`SELECT ${target.words.count} FROM ${target.from}`, 1))
    rows = Number(row?.[0] ?? 0)
  return rows
}
