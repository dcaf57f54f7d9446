/** Reads rows of Uniconta again, to be compared with their copies: a short table whole, otherwise as many pages as allowed. */
import { encodeDocuments, keyOf } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import type { DocumentSample, NoSample, SampleRequest } from '../../ports/document-sample.ts'
import type { UnicontaApi } from './api.ts'
import { dayOf, earliestDay, plusDays, type UnicontaDay, walkWindows } from './date-windows.ts'
import { progressFromCheckpoint } from './dated-progress.ts'
import { Occurrences } from './duplicate-keys.ts'
import { type DatedTable, firstDays, isReadNext } from './read-dated.ts'
import { readNumberedRows } from './read-whole.ts'
import { numberRows } from './rows.ts'
import { companyProperty, type UnicontaTable } from './tables.ts'

interface SampledRows {
  readonly rows: readonly JsonObject[]
  readonly isComplete: boolean
}

/** Posted entries up to this number are read whole: their windows grow while they hold few. */
const readAllMax = 5_000

/** Every run reads the table whole, and nothing reports which rows have changed since. */
export async function sampleWhole(
  api: UnicontaApi,
  table: UnicontaTable,
  { calls }: SampleRequest,
): Promise<DocumentSample | NoSample> {
  const rows: JsonObject[] = []
  let isComplete = true
  let pages = 0
  for (const company of table.setNames.keys()) {
    const numbering = { table, company, occurrences: new Occurrences() }
    const companyPages = Math.max(1, Math.floor(calls / table.setNames.size))
    const reading = readNumberedRows(api, numbering)
    for (pages = 0; pages < companyPages; pages += 1) {
      const { value, done } = await reading.next()
      if (done === true) break
      rows.push(...value)
    }
    if (pages === companyPages && (await reading.next()).done !== true) isComplete = false
    await reading.return(undefined)
  }
  if (table.shape.table.key.length === 0 && !isComplete)
    return { reason: 'Its rows have no key, and there are too many to read all of them again.' }
  return await sampleOf(table, { rows, isComplete }, null)
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
  { shape }: UnicontaTable,
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

async function chooseDay(
  { api, clock, table }: DatedTable,
  company: string,
  position: number,
): Promise<UnicontaDay | null> {
  const first = await earliestDay(
    { api, clock, company, set: table.setNames.get(company) ?? '', from: null, days: 1 },
    null,
  )
  const days = first === null ? 0 : (clock.now() - Date.parse(first)) / 86_400_000
  return first === null || first < '1900' ? null : plusDays(dayOf(Date.parse(first)), Math.floor(position * days))
}

interface SampledCompany {
  readonly company: string
  readonly from: UnicontaDay | null
  readonly pagesMax: number
}

async function readFrom(
  { api, clock, table }: DatedTable,
  { company, from, pagesMax }: SampledCompany,
): Promise<SampledRows> {
  const occurrences = new Occurrences()
  const rows: JsonObject[] = []
  let window: JsonObject[] = []
  let pages = 0
  const set = table.setNames.get(company) ?? ''
  for await (const step of walkWindows({ api, clock, company, set, from, days: firstDays })) {
    if (step.is === 'begun') {
      occurrences.drop()
      window = []
    } else if (step.is === 'page') {
      pages += 1
      window.push(...numberRows({ table, company, occurrences }, step.rows))
    } else {
      occurrences.keep()
      rows.push(...window)
      window = []
      if (step.before !== null && pages >= pagesMax) return { rows, isComplete: false }
    }
  }
  return { rows, isComplete: from === null }
}
