/** Reads rows of a service again, to be compared with their copies: a short table whole, otherwise as many pages as allowed. */
import type { DocumentSample, NoSample, SampleRequest } from '../../../ports/document-sample.ts'
import { encodeDocuments, keyOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import type { ODataApi } from './api.ts'
import { progressFromCheckpoint } from './dated/company-progress.ts'
import { selectionOf } from './conditions.ts'
import {
  type CalendarDay,
  type DatedTable,
  dayOf,
  earliestDay,
  firstDays,
  plusDays,
  walkWindows,
} from './dated/date-windows.ts'
import { deletionTestOf } from './deletions.ts'
import { Occurrences } from './duplicate-keys.ts'
import { isReadNext } from './dated/read-dated.ts'
import { readNumberedRows } from './read-whole.ts'
import { numberRows } from './rows.ts'
import { companyProperty, type ODataTable } from './metadata/tables.ts'

interface SampledRows {
  readonly rows: readonly JsonObject[]
  readonly isComplete: boolean
}

/** Posted entries up to this number are read whole: their windows grow while they hold few. */
const readAllMax = 5_000

/** @param isChanged whether the next run reads a row anyway; null: nothing reports which rows have changed since */
export async function sampleWhole(
  api: ODataApi,
  table: ODataTable,
  { calls }: SampleRequest,
  isChanged: ((row: JsonObject) => boolean) | null,
): Promise<DocumentSample | NoSample> {
  const rows: JsonObject[] = []
  let isComplete = true
  let pages = 0
  for (const company of table.setNames.keys()) {
    const numbering = { described: api.described, table, company, occurrences: new Occurrences() }
    const companyPages = Math.max(1, Math.floor(calls / table.setNames.size))
    const companyStart = rows.length
    const reading = readNumberedRows(api, numbering, selectionOf(table))
    for (pages = 0; pages < companyPages; pages += 1) {
      const { value, done } = await reading.next()
      if (done === true) break
      if (value.isRestart) rows.length = companyStart
      rows.push(...value.rows)
    }
    if (pages === companyPages && (await reading.next()).done !== true) isComplete = false
    await reading.return(undefined)
  }
  if (table.shape.table.key.length === 0 && !isComplete)
    return { reason: 'Its rows have no key, and there are too many to read all of them again.' }
  const changed = isChanged === null ? null : new Set(rows.filter(isChanged).map((row) => keyOf(table.shape, row)))
  return await sampleOf(table, { rows, isComplete }, changed)
}

/** All entries of a short table; otherwise those from some day on. */
export async function sampleDated(dated: DatedTable, request: SampleRequest): Promise<DocumentSample | NoSample> {
  const { table } = dated
  const { companies, isWhole } = progressFromCheckpoint(request.checkpoint)
  if (companies.size === 0) return { reason: 'No run has read this table yet.' }
  const isShort = request.rows <= readAllMax
  if (isWhole && !isShort)
    return { reason: 'Its keys are not unique, and there are too many rows to read all of them again.' }
  const rows: JsonObject[] = []
  let isComplete = isShort
  for (const company of table.setNames.keys()) {
    const from = isShort ? null : await chooseDay(dated, company, request.position)
    const read = await readFrom(dated, { company, from, pagesMax: isShort ? 4 * request.calls : request.calls })
    rows.push(...read.rows)
    isComplete &&= read.isComplete
  }
  const changed = rows.filter((row) => isReadNext(dated, companies.get(String(row[companyProperty])), row))
  return await sampleOf(table, { rows, isComplete }, new Set(changed.map((row) => keyOf(table.shape, row))))
}

async function sampleOf(
  { shape }: ODataTable,
  { rows, isComplete }: SampledRows,
  changed: ReadonlySet<string> | null,
): Promise<DocumentSample> {
  return {
    batches: await encodeDocuments(shape, rows),
    listed: shape.table.key.length === 0 ? [] : rows.map((row) => keyOf(shape, row)),
    isComplete,
    count: isComplete ? { rows: rows.length } : null,
    changed,
  }
}

async function chooseDay(dated: DatedTable, company: string, position: number): Promise<CalendarDay | null> {
  const first = await earliestDay({ ...dated, company }, null)
  const days = first === null ? 0 : (dated.api.described.now() - Date.parse(first)) / 86_400_000
  return first === null || first < '1900' ? null : plusDays(dayOf(Date.parse(first)), Math.floor(position * days))
}

interface SampledCompany {
  readonly company: string
  readonly from: CalendarDay | null
  readonly pagesMax: number
}

async function readFrom(dated: DatedTable, { company, from, pagesMax }: SampledCompany): Promise<SampledRows> {
  const { api, table } = dated
  const isDeleted = deletionTestOf(table.description)
  const occurrences = new Occurrences()
  const rows: JsonObject[] = []
  let window: JsonObject[] = []
  let pages = 0
  const numbering = { described: api.described, table, company, occurrences }
  for await (const step of walkWindows({ ...dated, company, from, days: firstDays })) {
    if (step.is === 'begun') {
      occurrences.drop()
      window = []
    } else if (step.is === 'page') {
      pages += 1
      const present = step.rows.filter((row) => !isDeleted(row))
      window.push(...numberRows(numbering, present))
    } else {
      occurrences.keep()
      rows.push(...window)
      window = []
      if (step.before !== null && pages >= pagesMax) return { rows, isComplete: false }
    }
  }
  return { rows, isComplete: from === null }
}
