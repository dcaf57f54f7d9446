/** Uniconta as a source: all companies of a login in the same tables, whose columns are discovered at run time. */
import { runChecks } from '../../ports/connection-test.ts'
import { asFault, type Fault } from '../../ports/faults.ts'
import type { ConnectionTestResult } from '../../ports/settings.ts'
import type { ConnectionContext, KeysRequest, OpenSource, ReadRequest, Source, Stream } from '../../ports/source.ts'
import type { DocumentSample, NoSample, SampleRequest } from '../../ports/document-sample.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import { openUniconta, type UnicontaApi } from './api.ts'
import { listCompanies, readCatalogue, type UnicontaCatalogue } from './catalogue.ts'
import { progressFromCheckpoint } from './dated-progress.ts'
import { describeUnicontaShape } from './dictionary/dictionary.ts'
import { parseMetadata } from './edmx.ts'
import { findKnownSet, unicontaBundles } from './known-entity-sets.ts'
import { checkpointOfMoment, type DatedTable, readDated, readDatedByKey, readDatedKeys } from './read-dated.ts'
import { readWhole, readWholeKeys } from './read-whole.ts'
import { sampleDated, sampleWhole } from './sample.ts'
import { parseUniconta, unicontaSection, type UnicontaSettings } from './settings.ts'
import type { UnicontaTable } from './tables.ts'

export const unicontaSource: Source<UnicontaSettings> = {
  type: 'uniconta',
  title: 'Uniconta',
  needs: 'The user name and password of a Uniconta user that may read, preferably a server user created for Tributary.',
  description:
    'Ledger, customers, vendors, items, orders, invoices and stock of your Uniconta companies, with your own fields.',
  guide: [
    'Ask your Uniconta administrator for a separate server user for Tributary that may read the companies to be moved.',
    'Companies of a Univisor need Uniconta’s Integration or Automation package before the API answers.',
    'Leave the companies empty to move all that the user sees, or name some.',
  ],
  bundles: unicontaBundles,
  // For each user. Beyond it Uniconta delays every call.
  callLimit: { calls: 5_000, per: 'day' },
  sections: [unicontaSection],
  parse: parseUniconta,
  open: async (settings, around) => new OpenUniconta(settings, around),
}

class OpenUniconta implements OpenSource {
  readonly keysWithColumns = true
  readonly #settings: UnicontaSettings
  readonly #around: ConnectionContext
  readonly #api: UnicontaApi
  #catalogue: Promise<UnicontaCatalogue> | null = null
  #hasReportedLeftOut = false
  readonly #numbered = new Set<string>()

  constructor(settings: UnicontaSettings, around: ConnectionContext) {
    this.#settings = settings
    this.#around = around
    this.#api = openUniconta(settings, around)
  }

  check(): Promise<readonly ConnectionTestResult[]> {
    return checkAll(this.#api, this.#settings)
  }

  async streams(): Promise<readonly Stream[]> {
    const { tables } = await this.#readCatalogue()
    return tables.map(asStream)
  }

  async *read(stream: Stream, request: ReadRequest): AsyncGenerator<RowBatch> {
    const table = await this.#findTable(stream)
    await this.#reportLeftOut(request.log)
    const dated = this.#dated(table)
    yield* dated === null ? readWhole(this.#api, table, request.log) : readDated(dated, request)
    const warning = this.#api.warning()
    if (warning !== null) request.log(warning)
  }

  async *keys(stream: Stream, { columns }: Partial<KeysRequest> = {}): AsyncGenerator<RowBatch> {
    const table = await this.#findTable(stream)
    const dated = this.#dated(table)
    yield* dated === null ? readWholeKeys(this.#api, table, columns) : readDatedKeys(dated, columns)
  }

  async *readByKey(stream: Stream, keys: Uint8Array): AsyncGenerator<RowBatch> {
    const dated = this.#dated(await this.#findTable(stream))
    // A table that every run reads whole needs no key comparison.
    if (dated !== null) yield* readDatedByKey(dated, keys)
  }

  async sample(stream: Stream, request: SampleRequest): Promise<DocumentSample | NoSample> {
    const table = await this.#findTable(stream)
    const dated = this.#dated(table)
    return dated === null ? await sampleWhole(this.#api, table, request) : await sampleDated(dated, request)
  }

  /** False if a company is currently hidden, or its right to the table was revoked. */
  async seesAllRows(stream: Stream, checkpoint: Checkpoint): Promise<boolean> {
    const { setNames } = await this.#findTable(stream)
    return [...progressFromCheckpoint(checkpoint).companies.keys()].every((company) => setNames.has(company))
  }

  async checkpointAt(stream: Stream, moment: Date): Promise<ReturnType<typeof checkpointOfMoment> | null> {
    const dated = this.#dated(await this.#findTable(stream))
    return dated === null ? null : checkpointOfMoment(dated, moment)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#api[Symbol.dispose]()
  }

  /** Memoised while the source is open; a failed read is retried on the next call. */
  #readCatalogue(): Promise<UnicontaCatalogue> {
    this.#catalogue ??= listCompanies(this.#api, this.#settings)
      .then((companies) => readCatalogue(this.#api, companies, this.#settings.tables))
      .catch((error: unknown) => {
        this.#catalogue = null
        throw error
      })
    return this.#catalogue
  }

  async #findTable({ name }: Stream): Promise<UnicontaTable> {
    const match = (await this.#readCatalogue()).tables.find((table) => table.name === name)
    if (match === undefined) throw new Error(`Uniconta has no stream ${name}.`)
    return match
  }

  #dated(table: UnicontaTable): DatedTable | null {
    return table.dated === null
      ? null
      : { api: this.#api, clock: this.#around.clock, table, dated: table.dated, numbered: this.#numbered }
  }

  async #reportLeftOut(tell: ReadRequest['log']): Promise<void> {
    const { leftOut } = await this.#readCatalogue()
    if (this.#hasReportedLeftOut || leftOut.length === 0) return
    this.#hasReportedLeftOut = true
    tell(
      `The Uniconta user may not read ${leftOut.join(', ')}. These tables are left out; to move them, grant the user the right to read them.`,
    )
  }
}

/** A window that is read again in halves returns its rows twice, so no stream is distinct. */
function asStream({ name, shape, dated }: UnicontaTable): Stream {
  const bundle = findKnownSet(name).bundle
  const common = { name, ...describeUnicontaShape(name, shape), bundle, hasDistinctKeys: false }
  if (dated !== null) return { ...common, reads: 'since', keyComparison: 'daily' }
  return { ...common, reads: 'whole', wholeReason: 'Uniconta does not report which of these rows have changed.' }
}

function checkAll(api: UnicontaApi, settings: UnicontaSettings): Promise<readonly ConnectionTestResult[]> {
  const companies = memoise(() => listCompanies(api, settings, 'once'))
  const findCompanies = async (): Promise<void> => void (await companies())
  const reportsOnly = (isOther: (fault: Fault) => boolean) => () =>
    findCompanies().catch((error: unknown) => (isOther(asFault(error)) ? undefined : Promise.reject(error)))
  return runChecks([
    {
      name: 'Reach Uniconta',
      run: reportsOnly(({ kind, code }) => kind === 'signIn' || kind === 'busy' || code === 'uniconta.companies'),
    },
    { name: 'Sign in', run: reportsOnly(({ kind }) => kind !== 'signIn') },
    { name: 'Find the companies', run: findCompanies },
    {
      name: 'Find the tables',
      run: async () => {
        const [first] = await companies()
        if (first !== undefined) parseMetadata(await api.metadata(first.id, 'once'))
      },
    },
  ])
}

function memoise<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => (running ??= work())
}
