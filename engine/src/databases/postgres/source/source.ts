/** PostgreSQL as a source: rows come by COPY and pass through as they are. */
import type pg from 'pg'
import { connectionSteps, runChecks } from '../../../ports/connection-test.ts'
import { ColumnChoice } from '../../sql-source/column-selection.ts'
import { countRows, decodeRows } from '../../../encoding/copy-text.ts'
import { Fault, unreadable, withRemedy } from '../../../ports/faults.ts'
import type { Batch } from '../../../ports/model.ts'
import { originOf } from '../../../ports/origin.ts'
import { countBinaryRows } from '../binary-rows.ts'
import { copyOut, release } from '../copy-out.ts'
import { openSessions, type Sessions } from '../sessions.ts'
import { columnType, quote } from '../types.ts'
import type { CheckResult } from '../../../ports/settings.ts'
import type {
  KeyedRequest,
  Lacking,
  OpenSource,
  ReadRequest,
  Source,
  Stream,
  Surroundings,
} from '../../../ports/source.ts'
import { lackingOf } from '../../../ports/table-selection.ts'
import { discover, rediscover, type Relation } from './discover.ts'
import { hiddenAmong, hiddenTables } from './rights.ts'
import { parseSettings, sections, type PostgresSourceSettings } from './settings.ts'
import { changedSince, checkpointOf, takeSnapshot } from './since.ts'

export const postgresSource: Source<PostgresSourceSettings> = {
  type: 'postgres',
  title: 'PostgreSQL',
  needs: 'The address of the server and a user that may read.',
  description:
    'Tables and views of a PostgreSQL database, kept up to date by the transactions that wrote their rows, or read whole.',
  guide: [
    "Ask the database’s owner for a user that may read: CREATE ROLE tributary LOGIN PASSWORD '…'; GRANT USAGE ON SCHEMA public TO tributary; GRANT SELECT ON ALL TABLES IN SCHEMA public TO tributary.",
    'Host and port are those that your other programs use; the port is 5432 unless somebody changed it.',
    'Move every table that the user may read, or only those that you choose.',
  ],
  sections,
  parse: parseSettings,
  open: async (settings, around) => new OpenPostgresSource(settings, around),
}

/** These make the server write the canonical text of every type by itself. */
const sessionSettings = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET client_encoding = 'UTF8';
  SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601'; SET extra_float_digits = 1; SET bytea_output = 'hex'`

class OpenPostgresSource implements OpenSource {
  readonly origin: string
  readonly #settings: PostgresSourceSettings
  readonly #sessions: Sessions
  readonly #choice: ColumnChoice
  #streams: readonly Stream[] | undefined

  constructor(settings: PostgresSourceSettings, around: Surroundings) {
    this.#settings = settings
    this.origin = originOf(settings.address)
    this.#choice = new ColumnChoice(settings.leftOut)
    this.#sessions = openSessions({
      address: settings.address,
      around,
      side: 'source',
      setUp: (client) => client.query(sessionSettings),
    })
  }

  check(): Promise<readonly CheckResult[]> {
    return runChecks([
      ...connectionSteps(() => this.#sessions.borrow(), 'postgres.'),
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

  async lacking(moved: readonly string[] = []): Promise<readonly Lacking[]> {
    const chosen = await this.#lackingOf(this.#streams ?? (await this.streams()))
    if (this.#settings.tables.length > 0 || moved.length === 0) return chosen
    const streams = this.#streams ?? []
    const unseen = moved.filter((name) => ![...streams, ...chosen].some((each) => each.name === name))
    const hidden = unseen.length === 0 ? [] : await this.hidden()
    return [
      ...chosen,
      ...unseen.map((name) => hidden.find((each) => each.name === name) ?? ({ name, isGone: true } as const)),
    ]
  }

  async hidden(): Promise<readonly Lacking[]> {
    if (this.#settings.tables.length > 0) return []
    return await this.#sessions.use((client) => hiddenTables(client, this.#settings.schemas))
  }

  /** Where a name alone stands for tables of several schemas, each of them is to be read. */
  async #lackingOf(streams: readonly Stream[]): Promise<readonly Lacking[]> {
    const hidden = await this.#sessions.use((client) => hiddenAmong(client, this.#settings))
    const gone = lackingOf(this.#settings, [...streams, ...hidden])
    return [...hidden, ...gone.map((name) => ({ name }))]
  }

  /** At least one. */
  async #discover(): Promise<readonly Stream[]> {
    const relations = await this.#sessions.use((client) => discover(client, this.#settings, this.#choice))
    if (relations.length > 0) return relations.map(({ stream }) => stream)
    throw unseen(
      'The user may read none of the tables chosen. Grant it USAGE on the schema and SELECT on its tables, or choose other tables.',
      await this.#sessions.use((client) => hiddenAmong(client, this.#settings)),
    )
  }

  async *read(stream: Stream, request: ReadRequest): AsyncGenerator<Batch> {
    const choice = this.#choice
    choice.tellUnknown(request.tell)
    yield* this.#inSnapshot(stream, async function* (client) {
      const moment = await takeSnapshot(client)
      const relation = await find(client, stream, choice)
      const condition = changedSince(relation, request.since, moment)
      if (request.since !== null && condition === null)
        request.tell(
          `${stream.name} has changed its columns or its server, or was last read too long ago: it is read again from the beginning.`,
        )
      if (relation.heirs.length > 0) request.tell(`${stream.name}: ${heirWords(relation.heirs)}`)
      const query = `${selecting(relation, request.encoding)}${condition === null ? '' : ` WHERE ${condition}`}`
      yield* copied(client, { stream, query, encoding: request.encoding })
      if (stream.reads === 'since')
        yield { table: stream.table.name, bytes: Buffer.alloc(0), rows: 0, checkpoint: checkpointOf(relation, moment) }
    })
  }

  async *readByKey(stream: Stream, keys: Uint8Array, { encoding }: KeyedRequest): AsyncGenerator<Batch> {
    const choice = this.#choice
    yield* this.#inSnapshot(stream, async function* (client) {
      const relation = await find(client, stream, choice)
      yield* copied(client, {
        stream,
        query: `${selecting(relation, encoding)} WHERE ${haveKeys(client, relation, keys)}`,
        encoding,
      })
    })
  }

  async *keys(stream: Stream): AsyncGenerator<Batch> {
    const choice = this.#choice
    yield* this.#inSnapshot(stream, async function* (client) {
      const relation = await find(client, stream, choice)
      yield* copied(client, {
        stream,
        query: `SELECT ${keyExpressions(relation).join(', ')} FROM ${relation.from}`,
        encoding: 'text',
      })
    })
  }

  /** One picture of the database from the first statement to the last. A reader that leaves early closes the session. */
  async *#inSnapshot(stream: Stream, work: (client: pg.Client) => AsyncGenerator<Batch>): AsyncGenerator<Batch> {
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
    if (!(fault instanceof Fault) || fault.code !== 'postgres.not_allowed') return unreadable(fault, 'postgres')
    return withRemedy(
      fault,
      statementsOf(await this.#sessions.use((client) => hiddenAmong(client, { schemas: [], tables: [stream.name] }))),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]()
  }
}

function unseen(notice: string, lacking: readonly Lacking[]): Fault {
  return withRemedy(new Fault('settings', { code: 'postgres.no_tables', notice }), statementsOf(lacking))
}

function statementsOf(lacking: readonly Lacking[]): string | null {
  const statements = new Set(lacking.flatMap(({ remedy }) => remedy?.split('\n') ?? []))
  return statements.size === 0 ? null : [...statements].join('\n')
}

/** Found anew in the snapshot of the read, so that columns and rows belong together. */
async function find(client: pg.Client, stream: Stream, choice: ColumnChoice): Promise<Relation> {
  const relation = await rediscover(client, stream, choice)
  const namesOf = (each: Stream): string => each.table.columns.map((column) => column.name).join('\n')
  if (relation === undefined || namesOf(relation.stream) !== namesOf(stream)) throw changed(stream)
  return relation
}

function changed(stream: Stream): Fault {
  return new Fault('passing', {
    code: 'postgres.changed',
    notice: `The table ‘${stream.name}’ of the source database has just changed. Trying again with what is there now.`,
  })
}

/** PostgreSQL keeps no key over a table and its heirs together, so two of their rows may look the same. */
function heirWords(heirs: readonly string[]): string {
  const tables = heirs.length === 1 ? `The table ${heirs[0]} inherits` : `The tables ${heirs.join(', ')} inherit`
  return `${tables} from it. Their rows are moved as tables of their own, not in this one: no key of PostgreSQL tells them apart from its own rows. A view SELECT * FROM it would hold them all.`
}

function selecting(relation: Relation, encoding: ReadRequest['encoding']): string {
  const expressions = encoding === 'plain' ? plainExpressions(relation) : relation.expressions
  return `SELECT ${expressions.join(', ')} FROM ${relation.from}`
}

function keyExpressions({ stream: { table }, expressions }: Relation): readonly string[] {
  return table.key.map((name) => expressions[table.columns.findIndex((column) => column.name === name)] ?? quote(name))
}

/** One statement whatever their number, for a binary COPY has one beginning. */
function haveKeys(client: pg.Client, relation: Relation, keys: Uint8Array): string {
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

/** A database that writes its values so spares the other one an expression for each. */
function plainExpressions({ stream, expressions }: Relation): readonly string[] {
  const casts: { readonly [kind: string]: string | undefined } = { boolean: '::int', instant: '::timestamp' }
  return expressions.map((expression, at) => `${expression}${casts[stream.table.columns[at]?.type.kind ?? ''] ?? ''}`)
}

interface Copying {
  readonly stream: Stream
  readonly query: string
  readonly encoding: ReadRequest['encoding']
}

async function* copied(client: pg.Client, { stream, query, encoding }: Copying): AsyncGenerator<Batch> {
  const isBinary = encoding === 'binary'
  const count = isBinary ? countBinaryRows() : countRows
  for await (const bytes of copyOut(client, `COPY (${query}) TO STDOUT${isBinary ? ' (FORMAT binary)' : ''}`)) {
    yield { table: stream.table.name, bytes, rows: count(bytes), release: () => release(bytes) }
  }
}
