/** An OData service as a source: the tables of its companies, whose columns are discovered at run time. */
import { runChecks } from '../../../ports/connection-test.ts'
import type { DocumentSample, NoSample, SampleRequest } from '../../../ports/document-sample.ts'
import { asFault, type Fault } from '../../../ports/faults.ts'
import type { Checkpoint, RowBatch } from '../../../ports/model.ts'
import type { ConnectionTestResult } from '../../../ports/settings.ts'
import type { KeysRequest, OpenSource, ReadRequest, Stream } from '../../../ports/source.ts'
import type { DescribedApi } from '../calls.ts'
import type { EntitySetDescription, ODataDescription } from '../description/schema-odata.ts'
import { readOrigin } from '../origin.ts'
import type { DescribedSettings } from '../settings.ts'
import { type ODataApi, openODataApi } from './api.ts'
import { type ODataCatalogue, readCatalogue } from './catalogue.ts'
import { listCompanies } from './companies.ts'
import { companyCheckpoints } from './company-reads.ts'
import type { DatedTable } from './dated/date-windows.ts'
import { problemOf } from './problems.ts'
import { describeODataShape } from './dictionary.ts'
import { readMonthly, readRowsOf } from './monthly/read-monthly.ts'
import { parseMetadata } from './metadata/edmx.ts'
import { readingNoteOf } from './reading-note.ts'
import { checkpointOfChanges, isChangedSince, readSetChanges } from './read-set-changes.ts'
import { checkpointOfMoment, readDated, readDatedByKey, readDatedKeys } from './dated/read-dated.ts'
import { readWhole, readWholeByKey, readWholeKeys } from './read-whole.ts'
import { sampleDated, sampleWhole } from './sample.ts'
import type { ODataTable } from './metadata/tables.ts'
import type { StreamTables } from '../tie-out/source-tables.ts'
import { reportReason } from '../months/monthly-columns.ts'
import { tieOutOf } from '../tie-out/tie-out.ts'
import type { TieOutDefinition } from '../../../ports/tie-out.ts'

export function openOData(description: ODataDescription, api: DescribedApi, settings: DescribedSettings): OpenSource {
  return new OpenOData(openODataApi(description, api), settings)
}

class OpenOData implements OpenSource {
  readonly keysWithColumns = true
  readonly #settings: DescribedSettings
  readonly #api: ODataApi
  #catalogue: Promise<ODataCatalogue> | null = null
  #hasReportedLeftOut = false
  readonly #numbered = new Set<string>()
  readonly tieOut?: TieOutDefinition
  #tables: readonly StreamTables[] = []
  /** Undefined until tables are known, and if the keys of the rows identify their company. */
  origin: string | undefined

  constructor(api: ODataApi, settings: DescribedSettings) {
    this.#api = api
    this.#settings = settings
    const { tieOut } = tieOutOf(api.description, () => this.#tables)
    if (tieOut !== undefined) this.tieOut = tieOut
  }

  check(): Promise<readonly ConnectionTestResult[]> {
    return checkAll(this.#api, this.#settings)
  }

  async streams(): Promise<readonly Stream[]> {
    const { tables } = await this.#readCatalogue()
    const streams = tables.map((table) => asStream(this.#api, table))
    this.#tables = streams
    return streams
  }

  async *read(stream: Stream, request: ReadRequest): AsyncGenerator<RowBatch> {
    const table = await this.#findTable(stream)
    await this.#reportLeftOut(request.log)
    const dated = this.#dated(table)
    const { changes } = table.description
    if (changes?.kind === 'months') yield* readMonthly(this.#api, table, changes, request)
    else if (request.months !== undefined) yield* this.#readMonthsOf(table, request.months, request.log)
    else if (dated !== null) yield* readDated(dated, request)
    else if (isReadByChanges(table)) yield* readSetChanges(this.#api, table, request)
    else yield* readWhole(this.#api, table, request.log)
    const warning = this.#api.described.warning()
    if (warning !== null) request.log(warning)
  }

  async *keys(stream: Stream, { columns }: Partial<KeysRequest> = {}): AsyncGenerator<RowBatch> {
    const table = await this.#findTable(stream)
    const dated = this.#dated(table)
    yield* dated === null ? readWholeKeys(this.#api, table, columns) : readDatedKeys(dated, columns)
  }

  async *readByKey(stream: Stream, keys: Uint8Array): AsyncGenerator<RowBatch> {
    const table = await this.#findTable(stream)
    const dated = this.#dated(table)
    if (dated !== null) yield* readDatedByKey(dated, keys)
    // A table that every run reads whole needs no key comparison.
    else if (isReadByChanges(table)) yield* readWholeByKey(this.#api, table, keys)
  }

  async sample(stream: Stream, request: SampleRequest): Promise<DocumentSample | NoSample> {
    const table = await this.#findTable(stream)
    if (table.description.changes?.kind === 'months') return { reason: reportReason }
    const dated = this.#dated(table)
    if (dated !== null) return await sampleDated(dated, request)
    return await sampleWhole(this.#api, table, request, isChangedSince(this.#api, table, request.checkpoint))
  }

  /** False if a company is currently hidden, or its right to the table was revoked. */
  async seesAllRows(stream: Stream, checkpoint: Checkpoint): Promise<boolean> {
    const { setNames } = await this.#findTable(stream)
    return [...companyCheckpoints(checkpoint).keys()].every((company) => setNames.has(company))
  }

  async checkpointAt(stream: Stream, moment: Date): Promise<Checkpoint | null> {
    const table = await this.#findTable(stream)
    const dated = this.#dated(table)
    return dated === null ? checkpointOfChanges(table, moment) : checkpointOfMoment(dated, moment)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#api.described[Symbol.dispose]()
  }

  /** Memoised while the source is open; a failed read is retried on the next call. */
  #readCatalogue(): Promise<ODataCatalogue> {
    this.#catalogue ??= this.#findOrigin()
      .then(() => listCompanies(this.#api, this.#settings))
      .then((companies) => readCatalogue(this.#api, companies, this.#settings))
      .catch((error: unknown) => {
        this.#catalogue = null
        throw error
      })
    return this.#catalogue
  }

  /** Without companies, rows of another address are those of another company. */
  async #findOrigin(): Promise<void> {
    const { described, description } = this.#api
    const origin = await readOrigin(description, described)
    this.origin = origin ?? (description.companies === undefined ? this.#settings.base.href : undefined)
  }

  async #findTable({ name }: Stream): Promise<ODataTable> {
    const match = (await this.#readCatalogue()).tables.find((table) => table.name === name)
    if (match === undefined) throw new Error(`${this.#api.described.title} has no stream ${name}.`)
    return match
  }

  /** Rows that a tie-out reads again. Without a date, all of them. */
  async *#readMonthsOf(
    table: ODataTable,
    months: readonly string[],
    log: ReadRequest['log'],
  ): AsyncGenerator<RowBatch> {
    const entries = this.#api.description.tieOut?.entries.find(({ stream }) => stream === table.name)
    const date = table.properties.find(({ name }) => name === entries?.date)
    if (date === undefined) yield* readWhole(this.#api, table, log)
    else yield* readRowsOf(this.#api, table, date, months)
  }

  #dated(table: ODataTable): DatedTable | null {
    return table.dated === null ? null : { api: this.#api, table, dated: table.dated, numbered: this.#numbered }
  }

  async #reportLeftOut(log: ReadRequest['log']): Promise<void> {
    const { leftOut } = await this.#readCatalogue()
    if (this.#hasReportedLeftOut || leftOut.length === 0) return
    this.#hasReportedLeftOut = true
    log(
      `The ${this.#api.described.title} user may not read ${leftOut.join(', ')}. These tables are left out; to move them, grant the user the right to read them.`,
    )
  }
}

function isReadByChanges({ description: { changes } }: ODataTable): boolean {
  return changes?.kind === 'cursor' || changes?.kind === 'feed'
}

/** A row that changes while it is read, or a window that is read again in halves, returns rows twice, so no stream is distinct. */
function asStream(api: ODataApi, table: ODataTable): Stream {
  const { description, described } = api
  const { bundle } = table.description
  const fault = problemOf(api, table)
  const common = {
    name: table.name,
    ...describeODataShape(description, table),
    ...(bundle !== undefined && { bundle }),
    hasDistinctKeys: false,
    ...(fault !== null && { fault }),
  }
  const readingNote = readingNoteOf(api, table)
  if (readingNote === null)
    return {
      ...common,
      reads: 'whole',
      wholeReason: `${described.title} does not report which of these rows have changed.`,
    }
  const changedAt = changedAtColumn(table)
  return {
    ...common,
    reads: 'since',
    readingNote,
    keyComparison: reportsDeletions(table.description) ? 'never' : 'daily',
    ...(changedAt !== null && { changedAtColumn: changedAt }),
  }
}

/** Rows that a feed has lost, because its token was too old, are found by a comparison of keys. */
function reportsDeletions({ changes, deletes }: EntitySetDescription): boolean {
  if (deletes?.kind === 'never' || changes?.kind === 'months') return true
  return changes?.kind === 'cursor' && changes.maxAgeDays === undefined && deletes?.kind === 'status'
}

function changedAtColumn({ description: { changes }, shape }: ODataTable): string | null {
  if (changes?.kind !== 'cursor') return null
  return shape.fields.find(({ column }) => column.sourceField === changes.property)?.column.name ?? null
}

function checkAll(api: ODataApi, settings: DescribedSettings): Promise<readonly ConnectionTestResult[]> {
  const { described, description } = api
  const { title, code } = described
  const companies = memoise(() => listCompanies(api, settings, 'once'))
  const sets = memoise(async () => {
    const [first] = await companies()
    const company = description.service.metadata.includes('{company}') ? (first?.id ?? null) : null
    return parseMetadata(described, await api.metadata(company, 'once'))
  })
  const isOpen = description.companies !== undefined
  const reach = async (): Promise<void> => void (isOpen ? await companies() : await sets())
  const reportsOnly = (isOther: (fault: Fault) => boolean) => () =>
    reach().catch((error: unknown) => (isOther(asFault(error)) ? undefined : Promise.reject(error)))
  const findCompanies = { name: 'Find the companies', run: async () => void (await companies()) }
  return runChecks([
    {
      name: `Reach ${title}`,
      run: reportsOnly(
        (fault) => fault.kind === 'signIn' || fault.kind === 'busy' || fault.code === `${code}.companies`,
      ),
    },
    { name: 'Sign in', run: reportsOnly(({ kind }) => kind !== 'signIn') },
    ...(isOpen ? [findCompanies] : []),
    { name: 'Find the tables', run: async () => void (await sets()) },
  ])
}

function memoise<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => (running ??= work())
}
