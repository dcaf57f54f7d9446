/** PostgreSQL as a source: COPY delivers rows in the encoding of batches. */
import type pg from 'pg'
import { loginChecks, runChecks } from '../../../ports/connection-test.ts'
import { ColumnSelection } from '../../sql-source/column-selection.ts'
import { countRows, decodeRows } from '../../../encoding/copy-text.ts'
import { Fault, toUnreadableFault, withRemedy } from '../../../ports/faults.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import { databaseOrigin } from '../../../ports/origin.ts'
import { countBinaryRows } from '../binary-rows.ts'
import { copyOut, release } from '../copy-out.ts'
import { openSessionPool, type SessionPool } from '../session-pool.ts'
import { columnType, quote } from '../types.ts'
import type { ConnectionTestResult } from '../../../ports/settings.ts'
import type {
  KeyReadRequest,
  KeysRequest,
  MissingSelection,
  OpenSource,
  ReadRequest,
  Source,
  Stream,
  ConnectionContext,
} from '../../../ports/source.ts'
import { findMissingTables } from '../../../ports/table-selection.ts'
import { discover, findRelation as find, type SourceRelation } from './discover.ts'
import { hiddenAmong, hiddenTables } from './rights.ts'
import { parseSettings, sections, type PostgresSourceSettings } from './settings.ts'
import { earlyCondition, whereAll } from '../../sql-source/early-conditions.ts'
import { earlyWords } from './early-words.ts'
import { changedSince, checkpointOf, takeSnapshot } from './changes-since.ts'
import { openVerifiedSource } from './verified-source.ts'
import type { SourceTable } from '../../../ports/verified-table.ts'

export const postgresSource: Source<PostgresSourceSettings> = {
  type: 'postgres',
  title: 'PostgreSQL',
  needs: 'The address of the server and a user that may read.',
  description:
    'Tables and views of a PostgreSQL database, kept up to date by the transactions that wrote their rows, or read whole.',
  guide: [
    "Ask the database’s owner for a user that may read: CREATE ROLE tributary LOGIN PASSWORD '…'; GRANT USAGE ON SCHEMA public TO tributary; GRANT SELECT ON ALL TABLES IN SCHEMA public TO tributary.",
    'Host and port are those that your other programs use; the port is 5432 unless it was changed.',
    'Move every table that the user may read, or only those that you choose.',
  ],
  sections,
  parse: parseSettings,
  open: async (settings, around) => new OpenPostgresSource(settings, around),
}

/** With these settings the server writes canonical text for every type. */
const sessionSettings = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET client_encoding = 'UTF8';
  SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601'; SET extra_float_digits = 1; SET bytea_output = 'hex'`

class OpenPostgresSource implements OpenSource {
  readonly keysWithColumns = true
  readonly origin: string
  readonly #settings: PostgresSourceSettings
  readonly #sessions: SessionPool
  readonly #selection: ColumnSelection
  #streams: readonly Stream[] | undefined

  constructor(settings: PostgresSourceSettings, around: ConnectionContext) {
    this.#settings = settings
    this.origin = databaseOrigin(settings.address)
    this.#selection = new ColumnSelection(settings.excludedColumns)
    this.#sessions = openSessionPool({
      address: settings.address,
      around,
      side: 'source',
      setUp: (client) => client.query(sessionSettings),
    })
  }

  check(): Promise<readonly ConnectionTestResult[]> {
    return runChecks([
      ...loginChecks(() => this.#sessions.borrow(), 'postgres.'),
      { name: 'Tables can be read', run: () => this.#mustSeeTables() },
    ])
  }

  async #mustSeeTables(): Promise<void> {
    const lacking = await this.#lackingOf(await this.#discover())
    const [first] = lacking
    if (first === undefined) return
    const notice = this.#settings.schemas.includes(first.name)
      ? `The user cannot see the schema ${first.name}. Check its spelling, or grant USAGE on it.`
      : `The user cannot see the table ${first.name}. Check its spelling, or grant USAGE on its schema and SELECT on it.`
    throw unseen(notice, lacking)
  }

  async streams(): Promise<readonly Stream[]> {
    this.#streams = await this.#discover()
    return this.#streams
  }

  async missingSelections(moved: readonly string[] = []): Promise<readonly MissingSelection[]> {
    const chosen = await this.#lackingOf(this.#streams ?? (await this.streams()))
    if (this.#settings.tables.length > 0 || moved.length === 0) return chosen
    const streams = this.#streams ?? []
    const unseen = moved.filter((name) => ![...streams, ...chosen].some((each) => each.name === name))
    const hidden = unseen.length === 0 ? [] : await this.unreadableTables()
    return [
      ...chosen,
      ...unseen.map((name) => hidden.find((each) => each.name === name) ?? ({ name, isGone: true } as const)),
    ]
  }

  async unreadableTables(): Promise<readonly MissingSelection[]> {
    if (this.#settings.tables.length > 0) return []
    return await this.#sessions.use((client) => hiddenTables(client, this.#settings.schemas))
  }

  /** A name without a schema selects the tables of that name in all schemas. */
  async #lackingOf(streams: readonly Stream[]): Promise<readonly MissingSelection[]> {
    const hidden = await this.#sessions.use((client) => hiddenAmong(client, this.#settings))
    const gone = findMissingTables(this.#settings, [...streams, ...hidden])
    return [...hidden, ...gone.map((name) => ({ name }))]
  }

  /** Returns at least one stream. */
  async #discover(): Promise<readonly Stream[]> {
    const relations = await this.#sessions.use((client) => discover(client, this.#settings, this.#selection))
    if (relations.length > 0) return relations.map(({ stream }) => stream)
    throw unseen(
      'The user may read none of the tables chosen. Grant it USAGE on the schema and SELECT on its tables, or choose other tables.',
      await this.#sessions.use((client) => hiddenAmong(client, this.#settings)),
    )
  }

  async *read(stream: Stream, request: ReadRequest): AsyncGenerator<RowBatch> {
    const selection = this.#selection
    selection.reportUnknown(request.log)
    yield* this.#inSnapshot(stream, async function* (client) {
      const moment = await takeSnapshot(client)
      const relation = await find(client, stream, selection)
      const condition = changedSince(relation, request.since, moment)
      if (request.since !== null && condition === null)
        request.log(
          `${stream.name} has changed its columns or its server, or was last read too long ago: it is read again from the beginning.`,
        )
      if (relation.heirs.length > 0) request.log(`${stream.name}: ${inheritanceNotice(relation.heirs)}`)
      const where = whereAll([condition, earlyCondition(request.conditions, earlyWords(client, relation))])
      const query = `${selecting(relation, request.encoding)}${where}`
      yield* copyRows(client, { stream, query, encoding: request.encoding })
      if (stream.reads === 'since') yield checkpointBatch(stream, checkpointOf(relation, moment))
    })
  }

  async *readByKey(stream: Stream, keys: Uint8Array, { encoding }: KeyReadRequest): AsyncGenerator<RowBatch> {
    const selection = this.#selection
    yield* this.#inSnapshot(stream, async function* (client) {
      const relation = await find(client, stream, selection)
      yield* copyRows(client, {
        stream,
        query: `${selecting(relation, encoding)} WHERE ${keysCondition(client, relation, keys)}`,
        encoding,
      })
    })
  }

  async *keys(stream: Stream, request?: KeysRequest): AsyncGenerator<RowBatch> {
    const selection = this.#selection
    yield* this.#inSnapshot(stream, async function* (client) {
      const relation = await find(client, stream, selection)
      const list = [...keyExpressions(relation), ...expressionsOf(relation, request?.columns ?? [])]
      const where = whereAll([earlyCondition(request?.conditions, earlyWords(client, relation))])
      yield* copyRows(client, {
        stream,
        query: `SELECT ${list.join(', ')} FROM ${relation.from}${where}`,
        encoding: 'text',
      })
    })
  }

  verifiedTable(stream: Stream, since: Checkpoint | null): Promise<SourceTable> {
    return openVerifiedSource({ sessions: this.#sessions, selection: this.#selection }, stream, since)
  }

  /** Runs `work` in one snapshot of the database. Closes the session if the reader stops early. */
  async *#inSnapshot(stream: Stream, work: (client: pg.Client) => AsyncGenerator<RowBatch>): AsyncGenerator<RowBatch> {
    const session = await this.#sessions.take()
    let isDone = false
    try {
      await session.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      yield* work(session.client)
      await session.client.query('COMMIT')
      isDone = true
    } catch (error) {
      throw await this.#explain(error, stream)
    } finally {
      if (isDone) session.release()
      else session.destroy()
    }
  }

  async #explain(error: unknown, stream: Stream): Promise<unknown> {
    const fault = await this.#sessions.explain(error)
    if (!(fault instanceof Fault) || fault.code !== 'postgres.not_allowed') return toUnreadableFault(fault, 'postgres')
    return withRemedy(
      fault,
      statementsOf(await this.#sessions.use((client) => hiddenAmong(client, { schemas: [], tables: [stream.name] }))),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]()
  }
}

function unseen(notice: string, lacking: readonly MissingSelection[]): Fault {
  return withRemedy(new Fault('settings', { code: 'postgres.no_tables', notice }), statementsOf(lacking))
}

function statementsOf(lacking: readonly MissingSelection[]): string | null {
  const statements = new Set(lacking.flatMap(({ remedy }) => remedy?.split('\n') ?? []))
  return statements.size === 0 ? null : [...statements].join('\n')
}

/** PostgreSQL has no key over a table and its inheriting tables, so rows of both may have the same key. */
function inheritanceNotice(heirs: readonly string[]): string {
  const tables = heirs.length === 1 ? `The table ${heirs[0]} inherits` : `The tables ${heirs.join(', ')} inherit`
  return `${tables} from it. Their rows are moved as tables of their own, not in this one: no key of PostgreSQL tells them apart from its own rows. A view SELECT * FROM it would hold them all.`
}

function selecting(relation: SourceRelation, encoding: ReadRequest['encoding']): string {
  const expressions = encoding === 'plain' ? plainExpressions(relation) : relation.expressions
  return `SELECT ${expressions.join(', ')} FROM ${relation.from}`
}

function keyExpressions(relation: SourceRelation): readonly string[] {
  return expressionsOf(relation, relation.stream.table.key)
}

function expressionsOf(
  { stream: { table }, expressions }: SourceRelation,
  columns: readonly string[],
): readonly string[] {
  return columns.map((name) => expressions[table.columns.findIndex((column) => column.name === name)] ?? quote(name))
}

/** One condition for any number of keys, because a binary COPY cannot be split into several. */
function keysCondition(client: pg.Client, relation: SourceRelation, keys: Uint8Array): string {
  const { table } = relation.stream
  const rows = decodeRows(keys)
  const types = table.key
    .flatMap((name) => table.columns.filter((column) => column.name === name))
    .map(({ type }) => columnType(type))
  const lists = types.map((_, at) =>
    client.escapeLiteral(`{${rows.map((row) => arrayElement(row[at] ?? '')).join(',')}}`),
  )
  const names = types.map((_, at) => `key_${at}`)
  const values = types.map((type, at) => `key_${at}::${type}`)
  return `(${keyExpressions(relation).join(', ')}) IN (SELECT ${values.join(', ')} FROM unnest(${lists.map((list) => `${list}::text[]`).join(', ')}) AS wanted (${names.join(', ')}))`
}

function arrayElement(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** Values that the target takes without an expression for each. */
function plainExpressions({ stream, expressions }: SourceRelation): readonly string[] {
  const casts: { readonly [kind: string]: string | undefined } = { boolean: '::int', instant: '::timestamp' }
  return expressions.map((expression, at) => `${expression}${casts[stream.table.columns[at]?.type.kind ?? ''] ?? ''}`)
}

interface CopyQuery {
  readonly stream: Stream
  readonly query: string
  readonly encoding: ReadRequest['encoding']
}

async function* copyRows(client: pg.Client, { stream, query, encoding }: CopyQuery): AsyncGenerator<RowBatch> {
  const isBinary = encoding === 'binary'
  const count = isBinary ? countBinaryRows() : countRows
  for await (const bytes of copyOut(client, `COPY (${query}) TO STDOUT${isBinary ? ' (FORMAT binary)' : ''}`)) {
    yield { table: stream.table.name, bytes, rows: count(bytes), release: () => release(bytes) }
  }
}
