/**
 * Reads rows by date. The initial read covers all of them, in date windows. Later reads cover the last weeks, and rows of any date whose
 * growing number is higher than the last one.
 */
import { eachRow } from '../../../../encoding/copy-text.ts'
import { Fault } from '../../../../ports/faults.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../../../ports/model.ts'
import type { ReadRequest } from '../../../../ports/source.ts'
import { asText } from '../../../http/canonical-text.ts'
import { encodeDocuments, encodeKeys, keyOf } from '../../../http/documents.ts'
import type { JsonObject } from '../../../http/exact-json.ts'
import { readMember } from '../../../http/fields.ts'
import {
  checkpointOf,
  type CompanyProgress,
  type DatedProgress,
  noProgress,
  progressFromCheckpoint,
  withCompany,
} from './company-progress.ts'
import { type DatedTable, dayIn, dayOf, firstDays, plusDays, walkWindows, type WindowedRead } from './date-windows.ts'
import { DatedRead } from './dated-read.ts'
import { deletionTestOf } from '../deletions.ts'
import { Occurrences } from '../duplicate-keys.ts'
import { describeDuplicateKey, numberRows } from '../rows.ts'
import { findSelection } from '../select.ts'
import type { ODataTable } from '../metadata/tables.ts'

/** For keys only, which are small. */
const keyDays = 366

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
  yield* reading.end()
  if (reading.hasRepeated) dated.numbered.add(dated.table.name)
  yield checkpointBatch(shape, checkpointOf({ ...progress, isWhole: reading.hasRepeated }))
}

/**
 * Drops companies that are not read now, because a key comparison may delete their rows. If such a company returns,
 * it is read from its beginning.
 */
function keepReadCompanies({ companies, isWhole }: DatedProgress, { setNames }: ODataTable): DatedProgress {
  return { companies: new Map([...companies].filter(([company]) => setNames.has(company))), isWhole }
}

/** Whether the next run reads this row of a company anyway. */
export function isReadNext(
  { dated }: Pick<DatedTable, 'dated'>,
  reached: CompanyProgress | undefined,
  row: JsonObject,
): boolean {
  if (reached === undefined || reached.from !== null) return true
  if ((dayIn(row, dated.date) ?? '') >= plusDays(reached.until, -dated.againDays)) return true
  if (dated.growing === null || reached.journal === null) return false
  const { property, overlap } = dated.growing
  return Number(asText(readMember(row, property)) ?? 0) > reached.journal - overlap
}

/** A checkpoint for all changes since a moment, by date. Misses entries that were posted later with an earlier date. */
export function checkpointOfMoment({ table }: DatedTable, moment: Date): Checkpoint {
  const reached: CompanyProgress = { from: null, until: dayOf(moment.getTime()), journal: null }
  return checkpointOf({
    companies: new Map([...table.setNames.keys()].map((company) => [company, reached])),
    isWhole: false,
  })
}

/** Reads the keys of all current rows, numbered as in a complete read. */
export async function* readDatedKeys(dated: DatedTable): AsyncGenerator<RowBatch> {
  const { api, table } = dated
  for await (const rows of readEveryRow(dated, { days: keyDays, selection: await findSelection(api, table) }))
    if (rows.length > 0) yield encodeKeys(table.shape, rows)
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
  dated: DatedTable,
  options: Pick<WindowedRead, 'days' | 'selection'>,
): AsyncGenerator<readonly JsonObject[]> {
  const { api, table, numbered } = dated
  const isDeleted = deletionTestOf(table.description)
  for (const company of table.setNames.keys()) {
    const occurrences = new Occurrences()
    const numbering = { described: api.described, table, company, occurrences }
    for await (const step of walkWindows({ ...dated, company, from: null, ...options })) {
      if (step.is === 'page')
        yield numberRows(
          numbering,
          step.rows.filter((row) => !isDeleted(row)),
        )
      else if (step.is === 'begun') occurrences.drop()
      else occurrences.keep()
    }
    if (occurrences.repeated !== null && !numbered.has(table.name))
      throw duplicateKeyFault(dated, company, occurrences.repeated)
  }
}

/** A recent row has the key of an older one, which only a comparison of all keys shows. */
function duplicateKeyFault({ api, table }: DatedTable, company: string, repeated: string): Fault {
  return new Fault('data', {
    code: `${api.described.code}.key_not_unique`,
    notice: `${describeDuplicateKey(table, company, repeated)} To fix this, load the whole table once (‘One table alone’ next to ‘Refresh’): an older row has the same key as a newer one and is missing in the target.`,
  })
}
