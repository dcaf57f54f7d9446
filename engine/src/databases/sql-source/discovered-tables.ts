/** Base of sources that discover the tables of a database when they open, and read each table over a separate connection. */
import { loginChecks, runChecks } from '../../ports/connection-test.ts'
import { ColumnSelection } from './column-selection.ts'
import { Fault, toUnreadableFault } from '../../ports/faults.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import type { ConnectionTestResult } from '../../ports/settings.ts'
import type {
  KeyReadRequest,
  KeysRequest,
  MissingSelection,
  OpenSource,
  ReadRequest,
  Stream,
} from '../../ports/source.ts'
import type { SourceTable } from '../../ports/verified-table.ts'
import { findMissingTables, type SourceTableSelection } from '../../ports/table-selection.ts'

/** The port of a SQL source: everything that differs between databases. `Plan` describes how to read one table. */
export interface SourceDialect<Connection extends AsyncDisposable, Plan extends { readonly stream: Stream }> {
  /** Prefix of its fault codes: `mysql`. */
  readonly code: string
  readonly origin: string
  connect(): Promise<Connection>
  discover(connection: Connection, wanted: readonly string[], selection: ColumnSelection): Promise<readonly Plan[]>
  read(plan: Plan, connection: Connection, request: ReadRequest): AsyncIterable<RowBatch>
  keys(plan: Plan, connection: Connection, request: KeysRequest): AsyncIterable<RowBatch>
  readByKey(plan: Plan, connection: Connection, asked: KeyedReadRequest): AsyncIterable<RowBatch>
  checkpointAt(plan: Plan, connection: Connection, moment: Date): Checkpoint | null | Promise<Checkpoint | null>
  /** The statement that grants the user to read these tables; without any, all tables. */
  grantReading(connection: Connection, tables: readonly string[]): string
  /** Whether the user lacks the right to read this table, where the server hides such tables. */
  isDenied(connection: Connection, table: string): Promise<boolean>
  openVerified(plan: Plan, since: Checkpoint | null): Promise<SourceTable>
}

/** @see OpenSource.readByKey */
export interface KeyedReadRequest extends KeyReadRequest {
  readonly keys: Uint8Array
}

export class DiscoveredTables<
  Connection extends AsyncDisposable,
  Plan extends { readonly stream: Stream },
> implements OpenSource {
  readonly origin: string
  readonly keysWithColumns = true
  readonly #database: SourceDialect<Connection, Plan>
  readonly #settings: SourceTableSelection
  readonly #selection: ColumnSelection
  #discovered: Promise<ReadonlyMap<string, Plan>> | undefined

  constructor(database: SourceDialect<Connection, Plan>, settings: SourceTableSelection) {
    this.origin = database.origin
    this.#database = database
    this.#settings = settings
    this.#selection = new ColumnSelection(settings.excludedColumns)
  }

  check(): Promise<readonly ConnectionTestResult[]> {
    return runChecks([
      ...loginChecks(() => this.#database.connect(), `${this.#database.code}.`),
      { name: 'Tables can be read', run: () => this.#mustSeeTables() },
    ])
  }

  async streams(): Promise<readonly Stream[]> {
    this.#discovered = this.#discover()
    return streamsOf(await this.#discovered)
  }

  async missingSelections(moved: readonly string[] = []): Promise<readonly MissingSelection[]> {
    const plans = await this.#plans()
    const chosen = findMissingTables(this.#settings, streamsOf(plans)).map((name) => ({ name }))
    const unseen = this.#settings.tables.length === 0 ? moved.filter((name) => !plans.has(name)) : []
    const denied = await this.#deniedAmong(unseen)
    const gone = unseen.filter((name) => !denied.some((each) => each.name === name))
    return [...chosen, ...denied, ...gone.map((name) => ({ name, isGone: true }) as const)]
  }

  /** Of tables that are not visible any more, those that the user may not read any more. */
  async #deniedAmong(tables: readonly string[]): Promise<readonly MissingSelection[]> {
    const { connect, isDenied, grantReading } = this.#database
    if (tables.length === 0) return []
    await using connection = await connect()
    const denied: MissingSelection[] = []
    for (const name of tables)
      if (await isDenied(connection, name)) denied.push({ name, remedy: grantReading(connection, [name]) })
    return denied
  }

  read(stream: Stream, request: ReadRequest): AsyncIterable<RowBatch> {
    this.#selection.reportUnknown(request.log)
    return this.#reading(stream, (plan, connection) => this.#database.read(plan, connection, request))
  }

  async checkpointAt(stream: Stream, moment: Date): Promise<Checkpoint | null> {
    const plan = await this.#planOf(stream)
    await using connection = await this.#database.connect()
    return await this.#database.checkpointAt(plan, connection, moment)
  }

  keys(stream: Stream, request: KeysRequest = { columns: [], conditions: [] }): AsyncIterable<RowBatch> {
    return this.#reading(stream, (plan, connection) => this.#database.keys(plan, connection, request))
  }

  readByKey(stream: Stream, keys: Uint8Array, request: KeyReadRequest): AsyncIterable<RowBatch> {
    return this.#reading(stream, (plan, connection) => this.#database.readByKey(plan, connection, { keys, ...request }))
  }

  async verifiedTable(stream: Stream, since: Checkpoint | null): Promise<SourceTable> {
    return await this.#database.openVerified(await this.#planOf(stream), since)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #mustSeeTables(): Promise<void> {
    const lacking = findMissingTables(this.#settings, streamsOf(await this.#discover()))
    if (lacking.length === 0) return
    await using connection = await this.#database.connect()
    throw this.#unseen(connection, lacking)
  }

  #plans(): Promise<ReadonlyMap<string, Plan>> {
    return (this.#discovered ??= this.#discover())
  }

  /** Plans by name of their stream; at least one. */
  async #discover(): Promise<ReadonlyMap<string, Plan>> {
    const { tables } = this.#settings
    await using connection = await this.#database.connect()
    const found = await this.#database.discover(connection, tables, this.#selection)
    if (found.length === 0) throw this.#unseen(connection, tables)
    return new Map(found.map((plan) => [plan.stream.name, this.#withColumns(plan)]))
  }

  /** A table without a readable column is listed with its fault, so that users see why it is not moved. */
  #withColumns(plan: Plan): Plan {
    const { stream } = plan
    if (stream.fault !== undefined || stream.table.columns.length > 0) return plan
    const fault = new Fault('settings', {
      code: `${this.#database.code}.object_unreadable`,
      notice:
        'The source shows no column of it, so nothing of it can be read. Correct it there, or take it off the list of tables.',
    })
    return { ...plan, stream: { ...stream, fault } }
  }

  #unseen(connection: Connection, lacking: readonly string[]): Fault {
    const { code, grantReading } = this.#database
    const notice =
      lacking.length > 0
        ? `The user cannot see the table ${lacking[0]}. Check its spelling, or grant SELECT on it.`
        : 'The user cannot see any table in this database. Grant SELECT on those to be moved.'
    return new Fault('settings', { code: `${code}.tables_missing`, notice, remedy: grantReading(connection, lacking) })
  }

  async #planOf({ name }: Stream): Promise<Plan> {
    const plan = (await this.#plans()).get(name)
    if (plan !== undefined) return plan
    throw new Fault('passing', {
      code: `${this.#database.code}.changed_meanwhile`,
      notice: `The table ${name} is gone from the source. Trying again with what is there now.`,
    })
  }

  async *#reading(
    stream: Stream,
    rows: (plan: Plan, connection: Connection) => AsyncIterable<RowBatch>,
  ): AsyncGenerator<RowBatch> {
    const plan = await this.#planOf(stream)
    await using connection = await this.#database.connect()
    try {
      yield* rows(plan, connection)
    } catch (error) {
      throw toUnreadableFault(error, this.#database.code)
    }
  }
}

function streamsOf(plans: ReadonlyMap<string, { readonly stream: Stream }>): readonly Stream[] {
  return [...plans.values()].map(({ stream }) => stream)
}
