/** Reads the rows of one table by date, company by company. */
import type { RowBatch } from '../../../../ports/model.ts'
import type { ReadRequest } from '../../../../ports/source.ts'
import { encodeDocuments, encodeKeys, keyOf } from '../../../http/documents.ts'
import type { JsonObject } from '../../../http/exact-json.ts'
import type { CompanyProgress } from './company-progress.ts'
import { selectionOf, setIn, whereOf } from '../conditions.ts'
import {
  type CalendarDay,
  dateFilter,
  type DatedTable,
  dayOf,
  firstDays,
  highestNumber,
  plusDays,
  walkWindows,
} from './date-windows.ts'
import { deletionTestOf } from '../deletions.ts'
import { Occurrences } from '../duplicate-keys.ts'
import { describeDuplicateKey, numberRows } from '../rows.ts'

interface DatedReadChunk {
  readonly batches: readonly RowBatch[]
  /** Set once every row up to it has been returned. */
  readonly reached: CompanyProgress | null
}

export class DatedRead {
  hasRepeated = false
  /** Whether each company was read from its beginning. */
  hasReadAll = true
  readonly #dated: DatedTable
  readonly #log: ReadRequest['log']
  readonly #isDeleted: (row: JsonObject) => boolean
  /** Rows that were marked as deleted when they were read last. */
  readonly #deleted = new Map<string, JsonObject>()

  constructor(dated: DatedTable, log: ReadRequest['log']) {
    this.#dated = dated
    this.#log = log
    this.#isDeleted = deletionTestOf(dated.table.description)
  }

  /** Reads from the beginning, or from where an earlier read was interrupted. */
  async *readInitial(company: string, companyProgress: CompanyProgress | undefined): AsyncGenerator<DatedReadChunk> {
    const start = companyProgress ?? (await this.#startNow(company))
    if (companyProgress !== undefined) this.hasReadAll = false
    yield* this.#walk(company, { start, from: start.from, days: firstDays, occurrences: new Occurrences() })
  }

  /** Reads the last weeks, and rows of any date that were added since. */
  async *readRecent(company: string, companyProgress: CompanyProgress): AsyncGenerator<DatedReadChunk> {
    this.hasReadAll = false
    const { api, table, dated } = this.#dated
    const start = await this.#startNow(company)
    const from = plusDays(companyProgress.until, -dated.againDays)
    const occurrences = new Occurrences()
    if (dated.growing !== null && companyProgress.journal !== null) {
      const { property, overlap } = dated.growing
      const isNew = `${property} gt ${companyProgress.journal - overlap}`
      const where = whereOf(table, `${isNew} and ${dateFilter(this.#dated, { from: null, before: from })}`)
      const query = { ...where, ...selectionOf(table) }
      const list = { company, set: setIn(table, company), query, key: table.key }
      for await (const { rows, isRestart } of api.pages(list)) {
        if (isRestart) occurrences.drop()
        yield* this.#chunk(company, rows, occurrences)
      }
      occurrences.keep()
    }
    yield* this.#walk(company, { start, from, days: dated.againDays + firstDays, occurrences })
  }

  /** Once all companies are read. */
  *end(): Generator<RowBatch> {
    const deleted = [...this.#deleted.values()]
    if (deleted.length > 0) yield { ...encodeKeys(this.#dated.table.shape, deleted), deletes: true }
  }

  async *#walk(
    company: string,
    walk: { start: CompanyProgress; from: CalendarDay | null; days: number; occurrences: Occurrences },
  ): AsyncGenerator<DatedReadChunk> {
    const { start, from, days, occurrences } = walk
    const isFirst = start.from !== null || from === null
    for await (const step of walkWindows({ ...this.#dated, company, from, days })) {
      if (step.is === 'page') yield* this.#chunk(company, step.rows, occurrences)
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

  async *#chunk(company: string, all: readonly JsonObject[], occurrences: Occurrences): AsyncGenerator<DatedReadChunk> {
    const { api, table } = this.#dated
    const rows = numberRows({ described: api.described, table, company, occurrences }, all)
    if (table.description.deletes?.kind === 'status') this.#noticeDeleted(rows)
    const present = rows.filter((row) => !this.#isDeleted(row))
    yield { batches: await encodeDocuments(table.shape, present), reached: null }
  }

  #noticeDeleted(rows: readonly JsonObject[]): void {
    const { shape } = this.#dated.table
    for (const row of rows) {
      const key = keyOf(shape, row)
      if (this.#isDeleted(row)) this.#deleted.set(key, row)
      else this.#deleted.delete(key)
    }
  }

  async #startNow(company: string): Promise<CompanyProgress> {
    const { api, table, dated } = this.#dated
    const until = dayOf(api.described.now())
    const { growing } = dated
    const journal = growing === null ? null : await highestNumber({ api, table, company }, growing.property)
    return { from: null, until, journal }
  }

  #notice(company: string, { repeated }: Occurrences): void {
    if (repeated === null || this.hasRepeated) return
    this.hasRepeated = true
    this.#log(describeDuplicateKey(this.#dated.table, company, repeated))
  }
}
