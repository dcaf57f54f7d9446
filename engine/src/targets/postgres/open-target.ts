/** A PostgreSQL database, open for one writer. */
import type pg from 'pg'
import { postgresFault } from '../../postgres/faults.ts'
import { openSessions, transaction, type Session, type Sessions } from '../../postgres/sessions.ts'
import { fingerprint } from '../../postgres/types.ts'
import type { Batch, Encoding } from '../../model.ts'
import { shapeOf } from '../../placement.ts'
import type { CheckResult } from '../../settings.ts'
import type { Stream, Surroundings } from '../../source.ts'
import { type Refresh, streamState } from '../../stored-state.ts'
import type { Load, LoadMode, OpenTarget, SchemaChange, ShrinkGuard, StreamState, SweepResult, Writer } from '../../target.ts'
import { dropBeside, nameBeside, openBeside } from './beside.ts'
import { checkTarget } from './check.ts'
import { facts } from './facts.ts'
import { openLoad } from './load.ts'
import { placeStream, readColumns, type Placement } from './placement.ts'
import { createRecords, holdFence, markSession, readState, recordsIn, takeFence, unfit, type Records } from './records.ts'
import type { PostgresTargetSettings } from './settings.ts'
import { sweepStream } from './sweep.ts'

/** Nothing may cut a long load short; text means UTF-8; indexes of whole tables are built in memory. */
const sessionSettings = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s';
  SET client_encoding = 'UTF8'; SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601';
  SET synchronous_commit = off; SET maintenance_work_mem = '256MB'; SET work_mem = '64MB'; SET temp_buffers = '64MB';
  SET search_path = pg_catalog, pg_temp`

export class OpenPostgres implements OpenTarget {
  readonly facts = facts
  readonly #settings: PostgresTargetSettings
  readonly #around: Surroundings
  readonly #sessions: Sessions
  readonly #records: Records
  readonly #placements = new Map<string, readonly Placement[]>()
  #writer: Writer | null = null

  constructor(settings: PostgresTargetSettings, around: Surroundings) {
    this.#settings = settings
    this.#around = around
    this.#records = recordsIn(settings.schema)
    this.#sessions = openSessions({ address: settings.address, around, side: 'target', setUp: (client) => this.#setUp(client) })
  }

  async #setUp(client: pg.Client): Promise<void> {
    await client.query(sessionSettings)
    if (this.#writer !== null) await markSession(client, this.#writer)
  }

  check(): Promise<readonly CheckResult[]> {
    return checkTarget(this.#sessions, this.#settings.schema)
  }

  begin(writer: Writer): Promise<void> {
    return this.#sessions.use(async (client) => {
      const encoding = await client.query<{ server_encoding: string }>('SHOW server_encoding')
      if (encoding.rows[0]?.server_encoding !== 'UTF8')
        throw unfit(
          'The target database does not use UTF-8, so it cannot hold every text. Create a database with ENCODING ‘UTF8’ and choose that.',
        )
      await transaction(client, () => createRecords(client, this.#records))
      await takeFence(client, this.#records, writer)
      this.#writer = writer
      await markSession(client, writer)
    })
  }

  state(stream: Stream): Promise<StreamState> {
    const writer = this.#begun()
    return this.#sessions.use(async (client) => {
      const stored = await readState(client, this.#records, { connectorId: writer.connectorId, stream: stream.name })
      return streamState(stored, writer, stored.refresh !== null && (await this.#isUsable(client, stream, stored.refresh)))
    })
  }

  /** A half-loaded refresh is of use only while its tables are there and the stream has not changed its shape. */
  async #isUsable(client: pg.Client, stream: Stream, refresh: Refresh): Promise<boolean> {
    const placements = this.#placed(stream)
    if (refresh.shape !== shapeOf(placements)) return false
    for (const placement of placements) {
      if ((await readColumns(client, { schema: placement.schema, name: nameBeside(placement, refresh.fence) })).length === 0) return false
    }
    return true
  }

  prepare(stream: Stream): Promise<readonly SchemaChange[]> {
    const writer = this.#begun()
    return this.#sessions.use(async (client) => {
      const changes: SchemaChange[] = []
      const placements = await transaction(client, async () => {
        const placed = await placeStream({ client, records: this.#records, writer, stream, changes })
        await holdFence(client, this.#records, writer)
        return placed
      })
      this.#placements.set(stream.name, placements)
      return changes
    })
  }

  async load(stream: Stream, mode: LoadMode): Promise<Load> {
    const writer = this.#begun()
    const placements = this.#placed(stream)
    const session = await this.#sessions.take()
    const common = {
      session,
      records: this.#records,
      writer,
      stream,
      placements,
      around: this.#around,
      encoding: encodingFor(stream, placements),
    }
    try {
      // What lies beside may be a successor's by now, and is not to be dropped then.
      await transaction(session.client, () => holdFence(session.client, this.#records, writer))
      if (mode.kind === 'merge') {
        await dropBeside(session.client, placements)
        return await openLoad(common, null)
      }
      const stored = await readState(session.client, this.#records, { connectorId: writer.connectorId, stream: stream.name })
      const beside = await openBeside({
        client: session.client,
        writer,
        stream,
        placements,
        refresh: mode.resume ? stored.refresh : null,
        around: this.#around,
      })
      return await openLoad(common, beside)
    } catch (error) {
      throw this.#abandon(session, error)
    }
  }

  async sweep(stream: Stream, keys: AsyncIterable<Batch>, guard: ShrinkGuard): Promise<SweepResult> {
    const writer = this.#begun()
    const placements = this.#placed(stream)
    const now = this.#around.clock.now()
    return await this.#sessions.use((client) =>
      sweepStream({ client, records: this.#records, writer, stream, placements, keys, guard, now }),
    )
  }

  #abandon(session: Session, error: unknown): unknown {
    session.destroy()
    return this.#around.signal.aborted ? this.#around.signal.reason : postgresFault(error, 'target')
  }

  #begun(): Writer {
    if (this.#writer === null) throw new Error('Begin comes before anything else.')
    return this.#writer
  }

  #placed(stream: Stream): readonly Placement[] {
    const placements = this.#placements.get(stream.name)
    if (placements === undefined) throw new Error(`The stream ‘${stream.name}’ must be prepared first.`)
    return placements
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sessions[Symbol.asyncDispose]()
  }
}

/** Binary where the columns are the very types that the source reads from. */
function encodingFor(stream: Stream, placements: readonly Placement[]): Encoding {
  const [main, ...children] = placements
  if (main === undefined || children.length > 0 || stream.binaryFingerprint === undefined) return 'text'
  return stream.binaryFingerprint === fingerprint(main.columns.map((column) => column.type)) ? 'binary' : 'text'
}
