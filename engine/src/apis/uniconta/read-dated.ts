/**
 * Reads posted entries. The first time all of them, window by window of their date; then those of the last weeks again, and of
 * whatever date those of journals that were posted since.
 */
import type { Clock } from '../../ports/clock.ts'
import { eachRow } from '../../encoding/copy-text.ts'
import { Fault } from '../../ports/faults.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import { badRequestCode } from './api.ts'
import type { UnicontaApi } from './api.ts'
import { checkpointOf, noProgress, progressOf, withCompany } from './dated-progress.ts'
import type { CompanyProgress, Progress } from './dated-progress.ts'
import { Occurrences } from './occurrences.ts'
import { encodeKeys, encodeRows, keyOf, markRows, notUnique } from './rows.ts'
import type { UnicontaTable } from './tables.ts'
import { dateFilter, dayOf, highestNumber, plusDays, walkWindows } from './windows.ts'
import type { Day, Windows } from './windows.ts'

export interface DatedTable {
  readonly api: UnicontaApi
  readonly clock: Clock
  readonly table: UnicontaTable
  readonly dated: NonNullable<UnicontaTable['dated']>
  /** Tables whose rows with the same key a reading has numbered, filled by the reading. */
  readonly numbered: Set<string>
}

const firstDays = 31
/** For keys alone: they are small. */
const keyDays = 366
/** Journals may be numbered in another order than they are stored, a little. */
const journalOverlap = 20

export async function* readDated(dated: DatedTable, { since, log }: ReadRequest): AsyncGenerator<RowBatch> {
  const before = progressOf(since)
  let progress = before.isWhole ? noProgress : onlyOf(before, dated.table)
  const reading = new Reading(dated, log)
  for (const company of dated.table.places.keys()) {
    const known = progress.companies.get(company)
    const steps =
      known !== undefined && known.from === null ? reading.again(company, known) : reading.all(company, known)
    for await (const { batches, reached } of steps) {
      if (reached !== null) progress = withCompany(progress, company, reached)
      yield* batches
      if (reached !== null) yield border(dated.table, { ...progress, isWhole: before.isWhole || reading.hasRepeated })
    }
  }
  // Only part of the rows was seen, which does not number those with the same key: all are read, now and from now on.
  if (reading.hasRepeated && !reading.hasReadAll) {
    yield* readDated(dated, { since: checkpointOf({ ...noProgress, isWhole: true }), encoding: 'text', log: () => {} })
    return
  }
  if (reading.hasRepeated) dated.numbered.add(dated.table.name)
  yield border(dated.table, { ...progress, isWhole: reading.hasRepeated })
}

/** A company that is not read now may be compared away meanwhile: when it is back, it is read from its beginning. */
function onlyOf({ companies, isWhole }: Progress, { places }: UnicontaTable): Progress {
  return { companies: new Map([...companies].filter(([company]) => places.has(company))), isWhole }
}

/** Everything that changed since a moment, as far as dates tell: what was posted later with an earlier date is not among it. */
export function checkpointOfMoment({ table }: DatedTable, moment: Date): Checkpoint {
  const reached: CompanyProgress = { from: null, until: dayOf(moment.getTime()), journal: null }
  return checkpointOf({
    companies: new Map([...table.places.keys()].map((company) => [company, reached])),
    isWhole: false,
  })
}

/** The keys of every row there is now, numbered as in a reading of everything. */
export async function* readDatedKeys(dated: DatedTable): AsyncGenerator<RowBatch> {
  const { api, table } = dated
  for await (const rows of everyRow(dated, { days: keyDays, ...(await selectionOf(api, table)) }))
    yield encodeKeys(table, rows)
}

/** A row is told by its number among those with the same key, which only a walk through all of them gives. */
export async function* readDatedByKey(dated: DatedTable, keys: Uint8Array): AsyncGenerator<RowBatch> {
  const wanted = new Set(eachRow(keys))
  const { table } = dated
  for await (const rows of everyRow(dated, { days: firstDays })) {
    yield* await encodeRows(
      table,
      rows.filter((row) => wanted.has(keyOf(table, row))),
    )
  }
}

async function* everyRow(
  { api, clock, table, numbered }: DatedTable,
  asked: Pick<Windows, 'days' | 'select'>,
): AsyncGenerator<readonly JsonObject[]> {
  for (const [company, set] of table.places) {
    const occurrences = new Occurrences()
    for await (const step of walkWindows({ api, clock, company, set, from: null, ...asked })) {
      if (step.is === 'page') yield markRows({ table, company, occurrences }, step.rows)
      else if (step.is === 'begun') occurrences.drop()
      else occurrences.keep()
    }
    if (occurrences.repeated !== null && !numbered.has(table.name))
      throw unnumbered(table, company, occurrences.repeated)
  }
}

/** A row of the last weeks bears the key of an older one, which only a comparison of all keys can show. */
function unnumbered(table: UnicontaTable, company: string, repeated: string): Fault {
  return new Fault('data', {
    code: 'uniconta.key_not_unique',
    notice: `${notUnique(table, company, repeated)} For that, load the table whole once (‘One table alone’ beside ‘Refresh’): an older row has the same key as a newer one and is not in the target.`,
  })
}

/** Nobody has promised that Uniconta can leave properties out; where it cannot, all of them are read. */
async function selectionOf(
  api: UnicontaApi,
  { places, key }: UnicontaTable,
): Promise<{ readonly select?: readonly string[] }> {
  const [first] = places
  if (first === undefined) return {}
  const [company, set] = first
  try {
    await api.pages({ company, set, query: { $top: '1', $select: key.join(',') }, patience: 'once' }).next()
    return { select: key }
  } catch (error) {
    if (error instanceof Fault && unselectable.has(error.code)) return {}
    throw error
  }
}

const unselectable = new Set([badRequestCode, 'uniconta.failing'])

interface Piece {
  readonly batches: readonly RowBatch[]
  /** Set where everything up to it has been given. */
  readonly reached: CompanyProgress | null
}

class Reading {
  hasRepeated = false
  /** Whether each company was read from its beginning. */
  hasReadAll = true
  readonly #dated: DatedTable
  readonly #tell: ReadRequest['log']

  constructor(dated: DatedTable, tell: ReadRequest['log']) {
    this.#dated = dated
    this.#tell = tell
  }

  /** From the beginning, or from where that was cut. */
  async *all(company: string, known: CompanyProgress | undefined): AsyncGenerator<Piece> {
    const { clock } = this.#dated
    const start = known ?? { from: null, until: dayOf(clock.now()), journal: await this.#newestJournal(company) }
    if (known !== undefined) this.hasReadAll = false
    yield* this.#walk(company, { start, from: start.from, days: firstDays, occurrences: new Occurrences() })
  }

  /** The last weeks, and the journals posted since, whatever their date. */
  async *again(company: string, known: CompanyProgress): AsyncGenerator<Piece> {
    this.hasReadAll = false
    const { api, clock, table, dated } = this.#dated
    const start = { from: null, until: dayOf(clock.now()), journal: await this.#newestJournal(company) }
    const from = plusDays(known.until, -dated.days)
    const occurrences = new Occurrences()
    if (dated.journal !== null && known.journal !== null) {
      const $filter = `${dated.journal} gt ${known.journal - journalOverlap} and ${dateFilter({ from: null, before: from })}`
      for await (const rows of api.pages({ company, set: table.places.get(company) ?? '', query: { $filter } }))
        yield { batches: await encodeRows(table, markRows({ table, company, occurrences }, rows)), reached: null }
      occurrences.keep()
    }
    yield* this.#walk(company, { start, from, days: dated.days + firstDays, occurrences })
  }

  async *#walk(
    company: string,
    walk: { start: CompanyProgress; from: Day | null; days: number; occurrences: Occurrences },
  ): AsyncGenerator<Piece> {
    const { api, clock, table } = this.#dated
    const { start, from, days, occurrences } = walk
    const isFirst = start.from !== null || from === null
    for await (const step of walkWindows({ api, clock, company, set: table.places.get(company) ?? '', from, days })) {
      if (step.is === 'page')
        yield { batches: await encodeRows(table, markRows({ table, company, occurrences }, step.rows)), reached: null }
      else if (step.is === 'begun') occurrences.drop()
      else {
        occurrences.keep()
        this.#notice(company, occurrences)
        const isWhole = step.before === null
        // A reading of the last weeks that is cut is done anew: it is short, and the former checkpoint still holds.
        if (isWhole || isFirst) yield { batches: [], reached: { ...start, from: step.before } }
      }
    }
  }

  #notice(company: string, { repeated }: Occurrences): void {
    if (repeated === null || this.hasRepeated) return
    this.hasRepeated = true
    this.#tell(notUnique(this.#dated.table, company, repeated))
  }

  async #newestJournal(company: string): Promise<number | null> {
    const { api, table, dated } = this.#dated
    return dated.journal === null
      ? null
      : await highestNumber({ api, company, set: table.places.get(company) ?? '' }, dated.journal)
  }
}

/** No rows, only the promise that all before are whole. */
function border(table: UnicontaTable, progress: Progress): RowBatch {
  return { table: table.shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: checkpointOf(progress) }
}
