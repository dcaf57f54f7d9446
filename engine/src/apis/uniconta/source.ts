/** Uniconta as a source: every company of a login in the same tables, whose columns are found out at run time. */
import { runChecks } from '../../ports/connection-test.ts'
import { asFault } from '../../ports/faults.ts'
import type { Fault } from '../../ports/faults.ts'
import type { ConnectionTestResult } from '../../ports/settings.ts'
import type { OpenSource, ReadRequest, Source, Stream, ConnectionContext } from '../../ports/source.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import { openUniconta } from './api.ts'
import type { UnicontaApi } from './api.ts'
import { listCompanies, readCatalogue } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { progressOf } from './dated-progress.ts'
import { parseMetadata } from './edmx.ts'
import { knownSet, unicontaBundles } from './known-sets.ts'
import { checkpointOfMoment, readDated, readDatedByKey, readDatedKeys } from './read-dated.ts'
import type { DatedTable } from './read-dated.ts'
import { readWhole, readWholeKeys } from './read-whole.ts'
import { parseUniconta, unicontaSection } from './settings.ts'
import type { UnicontaSettings } from './settings.ts'
import type { UnicontaTable } from './tables.ts'

export const unicontaSource: Source<UnicontaSettings> = {
  type: 'uniconta',
  title: 'Uniconta',
  needs: 'The user name and password of a Uniconta user that may read, best a server user of Tributary’s own.',
  description:
    'Ledger, customers, vendors, items, orders, invoices and stock of your Uniconta companies, with your own fields.',
  guide: [
    'Ask whoever manages Uniconta for a server user for Tributary alone, with the right to read the companies to be moved.',
    'Companies of a Univisor need Uniconta’s Integration or Automation package before the API answers.',
    'Leave the companies empty to move all that the user sees, or name some.',
  ],
  bundles: unicontaBundles,
  sections: [unicontaSection],
  parse: parseUniconta,
  open: async (settings, around) => new OpenUniconta(settings, around),
}

class OpenUniconta implements OpenSource {
  readonly #settings: UnicontaSettings
  readonly #around: ConnectionContext
  readonly #api: UnicontaApi
  #catalogue: Promise<Catalogue> | null = null
  #hasTold = false
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
    const { tables } = await this.#read()
    return tables.map(asStream)
  }

  async *read(stream: Stream, request: ReadRequest): AsyncGenerator<RowBatch> {
    const table = await this.#table(stream)
    await this.#tellOnce(request.log)
    const dated = this.#dated(table)
    yield* dated === null ? readWhole(this.#api, table, request.log) : readDated(dated, request)
    const warning = this.#api.warning()
    if (warning !== null) request.log(warning)
  }

  async *keys(stream: Stream): AsyncGenerator<RowBatch> {
    const table = await this.#table(stream)
    const dated = this.#dated(table)
    yield* dated === null ? readWholeKeys(this.#api, table) : readDatedKeys(dated)
  }

  async *readByKey(stream: Stream, keys: Uint8Array): AsyncGenerator<RowBatch> {
    const dated = this.#dated(await this.#table(stream))
    // What is read whole with every run needs no comparison of keys.
    if (dated !== null) yield* readDatedByKey(dated, keys)
  }

  /** A company may be hidden for a time, or its right to a table be withdrawn. */
  async seesAllRows(stream: Stream, checkpoint: Checkpoint): Promise<boolean> {
    const { places } = await this.#table(stream)
    return [...progressOf(checkpoint).companies.keys()].every((company) => places.has(company))
  }

  async checkpointAt(stream: Stream, moment: Date): Promise<ReturnType<typeof checkpointOfMoment> | null> {
    const dated = this.#dated(await this.#table(stream))
    return dated === null ? null : checkpointOfMoment(dated, moment)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#api[Symbol.dispose]()
  }

  /** Found out once for as long as the source is open; a failure is tried again when it is next asked for. */
  #read(): Promise<Catalogue> {
    this.#catalogue ??= listCompanies(this.#api, this.#settings)
      .then((companies) => readCatalogue(this.#api, companies, this.#settings.tables))
      .catch((error: unknown) => {
        this.#catalogue = null
        throw error
      })
    return this.#catalogue
  }

  async #table({ name }: Stream): Promise<UnicontaTable> {
    const found = (await this.#read()).tables.find((table) => table.name === name)
    if (found === undefined) throw new Error(`Uniconta has no stream ${name}.`)
    return found
  }

  #dated(table: UnicontaTable): DatedTable | null {
    return table.dated === null
      ? null
      : { api: this.#api, clock: this.#around.clock, table, dated: table.dated, numbered: this.#numbered }
  }

  async #tellOnce(tell: ReadRequest['log']): Promise<void> {
    const { leftOut } = await this.#read()
    if (this.#hasTold || leftOut.length === 0) return
    this.#hasTold = true
    tell(
      `The Uniconta user may not read ${leftOut.join(', ')}. These tables are left out; grant it the right to read if they are wanted.`,
    )
  }
}

/** A window that is read again in parts gives its rows twice, so nothing is distinct. */
function asStream({ name, shape, dated }: UnicontaTable): Stream {
  const children = shape.children.map(({ table }) => table)
  const told = { name, table: shape.table, children, bundle: knownSet(name).bundle, hasDistinctKeys: false }
  if (dated !== null) return { ...told, reads: 'since', keyComparison: 'daily' }
  return { ...told, reads: 'whole', wholeReason: 'Uniconta does not tell which of these rows have changed.' }
}

function checkAll(api: UnicontaApi, settings: UnicontaSettings): Promise<readonly ConnectionTestResult[]> {
  const companies = once(() => listCompanies(api, settings, 'once'))
  const wait = async (): Promise<void> => void (await companies())
  const unless = (isOther: (fault: Fault) => boolean) => () =>
    wait().catch((error: unknown) => (isOther(asFault(error)) ? undefined : Promise.reject(error)))
  return runChecks([
    {
      name: 'Reach Uniconta',
      run: unless(({ kind, code }) => kind === 'signIn' || kind === 'busy' || code === 'uniconta.companies'),
    },
    { name: 'Sign in', run: unless(({ kind }) => kind !== 'signIn') },
    { name: 'Find the companies', run: wait },
    {
      name: 'Find the tables',
      run: async () => {
        const [first] = await companies()
        if (first !== undefined) parseMetadata(await api.metadata(first.id, 'once'))
      },
    },
  ])
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => (running ??= work())
}
