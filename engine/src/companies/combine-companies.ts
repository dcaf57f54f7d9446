/**
 * One source of several companies: each is opened and read like a connector with one company, and its rows get a column with the company.
 * A company that fails stops no other.
 */
import { encodeRows } from '../encoding/copy-text.ts'
import { companyCheckpoints, companiesCheckpoint, CompanyInterrupted, type NamedCompany } from '../ports/companies.ts'
import { type CompanyColumn, isCompanyId } from '../ports/company-names.ts'
import { asFault, Fault } from '../ports/faults.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../ports/model.ts'
import type { KeysRequest, OpenSource, ReadRequest, Stream } from '../ports/source.ts'
import type { ConnectionTestResult } from '../ports/settings.ts'
import { CompanyFaults } from './company-faults.ts'
import { companyKeys, splitKeys } from './company-keys.ts'
import { companyList, type ListedCompany } from './company-list.ts'
import { CompanyRows } from './company-rows.ts'
import { questionsByCompany } from './company-questions.ts'
import { sampleCompanies } from './company-sample.ts'
import { type CompanyNames, companiesStream, companyNames, type SharedStream, shareStreams } from './company-streams.ts'

export interface CompanyToCombine extends ListedCompany {
  /** @throws Fault if the company cannot be opened, which concerns it alone */
  open(): Promise<OpenSource>
}

export interface CompaniesToCombine {
  /** At least one. */
  readonly companies: readonly CompanyToCombine[]
  /** Companies that were taken off, and whose rows stay. */
  readonly kept: readonly ListedCompany[]
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/** The source takes over; closing it closes the sources of the companies. */
export async function combineCompanies(options: CompaniesToCombine): Promise<OpenSource> {
  const faults = new CompanyFaults(options)
  const open = new Map<string, OpenSource>()
  for (const company of options.companies) {
    if (!isCompanyId(company.id)) throw strangeIdFault(company)
    const source = await faults.attempt(company, () => company.open())
    if (source !== null) open.set(company.id, source)
  }
  faults.assertAnyLeft()
  const [first] = open.values()
  if (first === undefined) throw new Error('A source has at least one company.')
  const combined = new CombinedCompanies(options, open, faults)
  return combined.asSource(first)
}

function strangeIdFault({ name }: NamedCompany): Fault {
  return new Fault('settings', {
    code: 'companies.strange_id',
    notice: `The source identifies ‘${name}’ by a text that no key can hold. Connect it with a schema of its own.`,
  })
}

class CombinedCompanies {
  readonly #options: CompaniesToCombine
  readonly #open: ReadonlyMap<string, OpenSource>
  readonly #faults: CompanyFaults
  #names: CompanyNames = companyNames([])
  #shared: ReadonlyMap<string, SharedStream> = new Map()

  constructor(options: CompaniesToCombine, open: ReadonlyMap<string, OpenSource>, faults: CompanyFaults) {
    this.#options = options
    this.#open = open
    this.#faults = faults
  }

  /** @param one any of the companies, for what is the same in all of them */
  asSource(one: OpenSource): OpenSource {
    const { tieOut, questions, keysWithColumns } = one
    const { companies, kept } = this.#options
    const column = (): string => this.#names.column
    return {
      check: () => this.#check(),
      streams: () => this.#streams(),
      read: (stream, request) => this.#read(stream, request),
      companies: {
        get column() {
          return column()
        },
        chosen: companies,
        kept: kept.map(({ id }) => id),
        readable: (stream) => this.#readable(stream),
        failures: () => this.#faults.list(),
      },
      ...(one.isFreshEnough && {
        isFreshEnough: (stream: Stream, checkpoint: Checkpoint) => this.#isFreshEnough(stream, checkpoint),
      }),
      ...(one.checkpointAt && { checkpointAt: (stream: Stream, moment: Date) => this.#checkpointAt(stream, moment) }),
      ...(one.seesAllRows && {
        seesAllRows: (stream: Stream, checkpoint: Checkpoint) => this.#seesAllRows(stream, checkpoint),
      }),
      ...(one.keys && { keys: (stream: Stream, request?: KeysRequest) => this.#keys(stream, request) }),
      ...(keysWithColumns && { keysWithColumns }),
      ...(one.readByKey && {
        readByKey: (...[stream, keys, request]: Parameters<NonNullable<OpenSource['readByKey']>>) =>
          this.#readByKey(stream, keys, request),
      }),
      ...(one.sample && {
        sample: (...[stream, request]: Parameters<NonNullable<OpenSource['sample']>>) =>
          sampleCompanies(this.#sampled(stream), stream, request),
      }),
      ...(tieOut && { tieOut }),
      ...(questions && { questions: questionsByCompany(questions, () => this.#companyColumn()) }),
      [Symbol.asyncDispose]: () => this.#close(),
    }
  }

  #companyColumn(): CompanyColumn {
    const { companies, kept } = this.#options
    return { column: this.#names.column, ids: [...companies, ...kept].map(({ id }) => id) }
  }

  /** The checks of every company under its name. */
  async #check(): Promise<readonly ConnectionTestResult[]> {
    const results: ConnectionTestResult[] = []
    for (const company of this.#options.companies) {
      const checks = await this.#open.get(company.id)?.check()
      results.push(...(checks ?? []).map((one) => ({ ...one, name: `${company.name}: ${one.name}` })))
    }
    return results
  }

  async #streams(): Promise<readonly Stream[]> {
    const byCompany = new Map<string, readonly Stream[]>()
    for (const company of this.#options.companies) {
      const source = this.#open.get(company.id)
      const streams = source && (await this.#faults.attempt(company, () => source.streams()))
      if (streams != null) byCompany.set(company.id, streams)
    }
    this.#faults.assertAnyLeft()
    this.#names = companyNames([...byCompany.values()].flat())
    this.#shared = shareStreams(this.#names, byCompany)
    return [companiesStream(this.#names), ...[...this.#shared.values()].map(({ stream }) => stream)]
  }

  #sharedOf(stream: string): SharedStream {
    const shared = this.#shared.get(stream)
    if (shared === undefined) throw new Error(`The companies have no stream ‘${stream}’.`)
    return shared
  }

  #readable(stream: string): readonly NamedCompany[] {
    const { originals } = this.#sharedOf(stream)
    return this.#options.companies.filter(({ id }) => originals.has(id) && !this.#faults.hasFailed(id, stream))
  }

  /** What a company has of a stream. */
  #partOf(stream: Stream, id: string) {
    const shared = this.#sharedOf(stream.name)
    const source = this.#open.get(id)
    const original = shared.originals.get(id)
    if (source === undefined || original === undefined) throw new Error(`The company ${id} has no ‘${stream.name}’.`)
    return { id, source, original, rows: new CompanyRows(id, shared.places.get(id) ?? new Map()) }
  }

  #partsOf(stream: Stream) {
    return this.#readable(stream.name).map(({ id }) => this.#partOf(stream, id))
  }

  #sampled(stream: Stream) {
    const companies = stream.isByCompany === true ? this.#partsOf(stream) : []
    const { companies: chosen, kept } = this.#options
    return { companies, isAll: kept.length === 0 && companies.length === chosen.length }
  }

  async *#read(stream: Stream, request: ReadRequest): AsyncGenerator<RowBatch> {
    if (stream.isByCompany !== true) {
      const rows = companyList(this.#options)
      yield { table: stream.table.name, bytes: encodeRows(rows), rows: rows.length }
      return
    }
    const { since, companies } = request
    const reached = new Map(companyCheckpoints(since))
    const wanted = this.#readable(stream.name).filter(({ id }) => companies === undefined || companies.includes(id))
    for (const company of wanted) yield* this.#readCompany(stream, request, { company, reached })
    if (request.months === undefined) yield checkpointBatch(stream, companiesCheckpoint(reached))
  }

  async *#readCompany(
    stream: Stream,
    request: ReadRequest,
    { company, reached }: { company: NamedCompany; reached: Map<string, Checkpoint | null> },
  ): AsyncGenerator<RowBatch> {
    const { signal } = this.#options
    const { id } = company
    const { source, original, rows } = this.#partOf(stream, id)
    let isCommittable = true
    try {
      if (original.fault !== undefined) throw original.fault
      for await (const batch of source.read(original, this.#requestOf(request, reached.get(id) ?? null))) {
        const { checkpoint, ...rest } = rows.shape(batch)
        isCommittable = checkpoint !== undefined || (isCommittable && rest.rows === 0)
        if (checkpoint === undefined) yield rest
        else yield { ...rest, checkpoint: companiesCheckpoint(reached.set(id, checkpoint)) }
      }
      rows.assertComplete()
    } catch (error) {
      // Months are read for one company, by a caller that discards what it cannot have completely.
      if (signal.aborted || request.months !== undefined) throw error
      this.#faults.record(company, stream.name, asFault(error))
      if (!isCommittable) throw new CompanyInterrupted()
      return
    }
    this.#faults.succeeded(id)
    // A list without a checkpoint was read, too.
    reached.set(id, reached.get(id) ?? {})
  }

  #requestOf({ companies: _companies, conditions, ...request }: ReadRequest, since: Checkpoint | null): ReadRequest {
    const own = conditions?.filter(({ column }) => column !== this.#names.column)
    return { ...request, since, encoding: 'text', ...(own !== undefined && { conditions: own }) }
  }

  /** @param checkpoint of the companies in question */
  #isFreshEnough(stream: Stream, checkpoint: Checkpoint): boolean {
    if (stream.isByCompany !== true) return false
    return [...companyCheckpoints(checkpoint)].every(([id, own]) => {
      const { source, original } = this.#partOf(stream, id)
      return own !== null && source.isFreshEnough?.(original, own) === true
    })
  }

  async #checkpointAt(stream: Stream, moment: Date): Promise<Checkpoint | null> {
    if (stream.isByCompany !== true) return null
    const found = new Map<string, Checkpoint | null>()
    for (const { id, source, original } of this.#partsOf(stream)) {
      const checkpoint = (await source.checkpointAt?.(original, moment)) ?? null
      if (checkpoint === null) return null
      found.set(id, checkpoint)
    }
    return companiesCheckpoint(found)
  }

  /** @param checkpoint of the companies in question */
  async #seesAllRows(stream: Stream, checkpoint: Checkpoint): Promise<boolean> {
    for (const [id, own] of companyCheckpoints(checkpoint)) {
      const { source, original } = this.#partOf(stream, id)
      if (own === null || (await source.seesAllRows?.(original, own)) === false) return false
    }
    return true
  }

  async *#keys(stream: Stream, request?: KeysRequest): AsyncGenerator<RowBatch> {
    if (stream.isByCompany !== true) {
      const rows = companyList(this.#options).map(([id = null]) => [id])
      yield { table: stream.table.name, bytes: encodeRows(rows), rows: rows.length }
      return
    }
    for (const { id } of this.#options.companies) {
      if (request?.company !== undefined && request.company !== id) continue
      // It may have failed in another stream meanwhile. An empty list would delete its rows.
      if (!this.#readable(stream.name).some((company) => company.id === id)) throw new CompanyInterrupted()
      yield* this.#orInterrupted(id, stream, companyKeys(this.#partOf(stream, id), this.#names.column, request))
    }
  }

  async *#readByKey(
    stream: Stream,
    keys: Uint8Array,
    request: Parameters<NonNullable<OpenSource['readByKey']>>[2],
  ): AsyncGenerator<RowBatch> {
    for (const [id, own] of splitKeys(keys)) {
      if (!this.#readable(stream.name).some((company) => company.id === id)) continue
      const { source, original, rows } = this.#partOf(stream, id)
      if (source.readByKey === undefined) throw new Error(`The source cannot read rows of ${stream.name} by key.`)
      const batches = source.readByKey(original, own, { ...request, encoding: 'text' })
      for await (const batch of this.#orInterrupted(id, stream, batches)) yield rows.shape(batch)
      rows.assertComplete()
    }
  }

  /** A failure concerns this company only. Its caller leaves the company out. */
  async *#orInterrupted(id: string, stream: Stream, batches: AsyncIterable<RowBatch>): AsyncGenerator<RowBatch> {
    try {
      yield* batches
    } catch (error) {
      const company = this.#options.companies.find((each) => each.id === id)
      if (this.#options.signal.aborted || company === undefined) throw error
      this.#faults.record(company, stream.name, asFault(error))
      throw new CompanyInterrupted()
    }
  }

  async #close(): Promise<void> {
    for (const source of this.#open.values()) await source[Symbol.asyncDispose]()
  }
}
