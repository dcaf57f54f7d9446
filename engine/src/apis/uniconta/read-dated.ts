/**
 * Reads posted entries. The initial read covers all of them, in date windows. Later reads cover the last weeks, and
 * entries of any date in journals posted since.
 */
import type { Clock } from '../../ports/clock.ts'
import { eachRow } from '../../encoding/copy-text.ts'
import { Fault } from '../../ports/faults.ts'
import { asText } from '../http/canonical-text.ts'
import { encodeDocuments, encodeKeys, keyOf } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { readMember } from '../http/fields.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../ports/model.ts'
import type { ReadRequest } from '../../ports/source.ts'
import { badRequestCode, type UnicontaApi } from './api.ts'
import {
  checkpointOf,
  type CompanyProgress,
  noProgress,
  progressFromCheckpoint,
  type UnicontaProgress,
  withCompany,
} from './dated-progress.ts'
import { Occurrences } from './duplicate-keys.ts'
import { numberRows, describeDuplicateKey } from './rows.ts'
import { dateProperty, type UnicontaTable } from './tables.ts'
import {
  dateFilter,
  dayOf,
  highestNumber,
  plusDays,
  type UnicontaDay,
  walkWindows,
  type WindowedRead,
} from './date-windows.ts'

export interface DatedTable {
  readonly api: UnicontaApi
  readonly clock: Clock
  readonly table: UnicontaTable
  readonly dated: NonNullable<UnicontaTable['dated']>
  /** Tables whose duplicate keys a read has numbered; the read adds them. */
  readonly numbered: Set<string>
}

export const firstDays = 31
/** For keys only, which are small. */
const keyDays = 366
/** Journals may be stored in a slightly different order than their numbers. */
const journalOverlap = 20

export async function* readDated(dated: DatedTable, { since, log }: ReadRequest): AsyncGenerator<RowBatch> {
  const before = progressFromCheckpoint(since)
  let progress = before.isWhole ? noProgress : keepReadCompanies(before, dated.table)
  const reading = new DatedRead(dated, log)
  const { shape } = dated.table
  for (const company of dated.table.setNames.keys()) {
    const companyProgress = progress.companies.get(company)
    const steps =
      companyProgress !== undefined && companyProgress.from === null
        ? reading.readRecent(company, companyProgress)
        : reading.readInitial(company, companyProgress)
    for await (const { batches, reached } of steps) {
      if (reached !== null) progress = withCompany(progress, company, reached)
      yield* batches
      if (reached !== null)
        yield checkpointBatch(shape, checkpointOf({ ...progress, isWhole: before.isWhole || reading.hasRepeated }))
    }
  }
  // An incremental read cannot number rows with the same key, so all rows are read, now and in future runs.
  if (reading.hasRepeated && !reading.hasReadAll) {
    yield* readDated(dated, { since: checkpointOf({ ...noProgress, isWhole: true }), encoding: 'text', log: () => {} })
    return
  }
  if (reading.hasRepeated) dated.numbered.add(dated.table.name)
  yield checkpointBatch(shape, checkpointOf({ ...progress, isWhole: reading.hasRepeated }))
}

/**
 * Drops companies that are not read now, because a key comparison may delete their rows. If such a company returns,
 * it is read from its beginning.
 */
function keepReadCompanies({ companies, isWhole }: UnicontaProgress, { setNames }: UnicontaTable): UnicontaProgress {
  return { companies: new Map([...companies].filter(([company]) => setNames.has(company))), isWhole }
}

/** Whether the next run reads this row of a company anyway. */
export function isReadNext(
  { dated }: Pick<DatedTable, 'dated'>,
  reached: CompanyProgress | undefined,
  row: JsonObject,
): boolean {
  if (reached === undefined || reached.from !== null) return true
  const day = asText(readMember(row, dateProperty))?.slice(0, 10) ?? ''
  if (day >= plusDays(reached.until, -dated.days)) return true
  if (dated.journal === null || reached.journal === null) return false
  return Number(asText(readMember(row, dated.journal)) ?? 0) > reached.journal - journalOverlap
}

/** A checkpoint for all changes since a moment, by date. Misses entries that were posted later with an earlier date. */
export function checkpointOfMoment({ table }: DatedTable, moment: Date): Checkpoint {
  const reached: CompanyProgress = { from: null, until: dayOf(moment.getTime()), journal: null }
  return checkpointOf({
    companies: new Map([...table.setNames.keys()].map((company) => [company, reached])),
    isWhole: false,
  })
}

/** Reads the keys of all current rows, numbered as in a complete read. @param columns that follow the key */
export async function* readDatedKeys(dated: DatedTable, columns: readonly string[] = []): AsyncGenerator<RowBatch> {
  const { api, table } = dated
  // Whole rows are larger than keys.
  const extent = columns.length > 0 ? { days: firstDays } : { days: keyDays, ...(await findSelection(api, table)) }
  for await (const rows of readEveryRow(dated, extent)) yield encodeKeys(table.shape, rows, columns)
}

/** Reads the rows of these keys. Only a complete walk can number rows with the same key. */
export async function* readDatedByKey(dated: DatedTable, keys: Uint8Array): AsyncGenerator<RowBatch> {
  const requestedKeys = new Set(eachRow(keys))
  const { table } = dated
  for await (const rows of readEveryRow(dated, { days: firstDays })) {
    yield* await encodeDocuments(
      table.shape,
      rows.filter((row) => requestedKeys.has(keyOf(table.shape, row))),
    )
  }
}

async function* readEveryRow(
  { api, clock, table, numbered }: DatedTable,
  options: Pick<WindowedRead, 'days' | 'select'>,
): AsyncGenerator<readonly JsonObject[]> {
  for (const [company, set] of table.setNames) {
    const occurrences = new Occurrences()
    for await (const step of walkWindows({ api, clock, company, set, from: null, ...options })) {
      if (step.is === 'page') yield numberRows({ table, company, occurrences }, step.rows)
      else if (step.is === 'begun') occurrences.drop()
      else occurrences.keep()
    }
    if (occurrences.repeated !== null && !numbered.has(table.name))
      throw duplicateKeyFault(table, company, occurrences.repeated)
  }
}

/** A recent row has the key of an older one, which only a comparison of all keys shows. */
function duplicateKeyFault(table: UnicontaTable, company: string, repeated: string): Fault {
  return new Fault('data', {
    code: 'uniconta.key_not_unique',
    notice: `${describeDuplicateKey(table, company, repeated)} To fix this, load the whole table once (‘One table alone’ next to ‘Refresh’): an older row has the same key as a newer one and is missing in the target.`,
  })
}

/** OData `$select` may not be supported. Without it, all properties are read. */
async function findSelection(
  api: UnicontaApi,
  { setNames, key }: UnicontaTable,
): Promise<{ readonly select?: readonly string[] }> {
  const [first] = setNames
  if (first === undefined) return {}
  const [company, set] = first
  try {
    await api.pages({ company, set, query: { $top: '1', $select: key.join(',') }, patience: 'once' }).next()
    return { select: key }
  } catch (error) {
    if (error instanceof Fault && selectionRefusedCodes.has(error.code)) return {}
    throw error
  }
}

const selectionRefusedCodes = new Set([badRequestCode, 'uniconta.failing'])

interface DatedReadChunk {
  readonly batches: readonly RowBatch[]
  /** Set once every row up to it has been returned. */
  readonly reached: CompanyProgress | null
}

class DatedRead {
  hasRepeated = false
  /** Whether each company was read from its beginning. */
  hasReadAll = true
  readonly #dated: DatedTable
  readonly #tell: ReadRequest['log']

  constructor(dated: DatedTable, tell: ReadRequest['log']) {
    this.#dated = dated
    this.#tell = tell
  }

  /** Reads from the beginning, or from where an earlier read was interrupted. */
  async *readInitial(company: string, companyProgress: CompanyProgress | undefined): AsyncGenerator<DatedReadChunk> {
    const { clock } = this.#dated
    const start = companyProgress ?? {
      from: null,
      until: dayOf(clock.now()),
      journal: await this.#newestJournal(company),
    }
    if (companyProgress !== undefined) this.hasReadAll = false
    yield* this.#walk(company, { start, from: start.from, days: firstDays, occurrences: new Occurrences() })
  }

  /** Reads the last weeks, and entries of any date in journals posted since. */
  async *readRecent(company: string, companyProgress: CompanyProgress): AsyncGenerator<DatedReadChunk> {
    this.hasReadAll = false
    const { api, clock, table, dated } = this.#dated
    const start = { from: null, until: dayOf(clock.now()), journal: await this.#newestJournal(company) }
    const from = plusDays(companyProgress.until, -dated.days)
    const occurrences = new Occurrences()
    if (dated.journal !== null && companyProgress.journal !== null) {
      const $filter = `${dated.journal} gt ${companyProgress.journal - journalOverlap} and ${dateFilter({ from: null, before: from })}`
      for await (const rows of api.pages({ company, set: table.setNames.get(company) ?? '', query: { $filter } }))
        yield {
          batches: await encodeDocuments(table.shape, numberRows({ table, company, occurrences }, rows)),
          reached: null,
        }
      occurrences.keep()
    }
    yield* this.#walk(company, { start, from, days: dated.days + firstDays, occurrences })
  }

  async *#walk(
    company: string,
    walk: { start: CompanyProgress; from: UnicontaDay | null; days: number; occurrences: Occurrences },
  ): AsyncGenerator<DatedReadChunk> {
    const { api, clock, table } = this.#dated
    const { start, from, days, occurrences } = walk
    const isFirst = start.from !== null || from === null
    for await (const step of walkWindows({ api, clock, company, set: table.setNames.get(company) ?? '', from, days })) {
      if (step.is === 'page')
        yield {
          batches: await encodeDocuments(table.shape, numberRows({ table, company, occurrences }, step.rows)),
          reached: null,
        }
      else if (step.is === 'begun') occurrences.drop()
      else {
        occurrences.keep()
        this.#notice(company, occurrences)
        const isWhole = step.before === null
        // An interrupted read of the last weeks starts over: it is short, and the previous checkpoint still holds.
        if (isWhole || isFirst) yield { batches: [], reached: { ...start, from: step.before } }
      }
    }
  }

  #notice(company: string, { repeated }: Occurrences): void {
    if (repeated === null || this.hasRepeated) return
    this.hasRepeated = true
    this.#tell(describeDuplicateKey(this.#dated.table, company, repeated))
  }

  async #newestJournal(company: string): Promise<number | null> {
    const { api, table, dated } = this.#dated
    return dated.journal === null
      ? null
      : await highestNumber({ api, company, set: table.setNames.get(company) ?? '' }, dated.journal)
  }
}
