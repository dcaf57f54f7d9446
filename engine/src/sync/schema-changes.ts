/** What becomes of changes of the source's tables: they are taken, asked about, or a reason to stop. */
import { asFault, Fault } from '../ports/faults.ts'
import type { Table } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import { Fenced, type ForeseenChange, gone, type OpenTarget, type SchemaChange } from '../ports/target.ts'
import { lostColumns } from './checkpoint-validity.ts'
import type { DecidedChange, SchemaRule, SyncRequest } from './sync-request.ts'
import { concernsEveryStream } from './stream-faults.ts'

/** A stream that may be moved. */
export interface Cleared {
  /** As the source described it: so it is read. */
  readonly described: Stream
  /** Without what was rejected: so it is written. */
  readonly stream: Stream
}

export interface Clearing {
  readonly streams: readonly Stream[]
  /** Names of streams that earlier runs have moved and that are there no more. */
  readonly gone: readonly string[]
  readonly hasCompleted: boolean
}

interface Waiting {
  readonly stream: string
  readonly changes: readonly SchemaChange[]
}

/** The streams that may be moved now. Throws a `settings` Fault where the policy is to stop and something is undecided. */
export async function clearStreams(
  request: SyncRequest,
  { streams, gone: lost, hasCompleted }: Clearing,
): Promise<readonly Cleared[]> {
  const { schema, tell } = request
  const waiting: Waiting[] = await lostTables(request, lost)
  if (schema === undefined || isEverythingTaken(schema)) return streams.map((stream) => ({ described: stream, stream }))
  const cleared: Cleared[] = []
  for (const stream of streams) {
    const changes = await foreseen(request, stream)
    const newTables = new Set(changes.flatMap(({ table, column }) => (column === null ? [table] : [])))
    const isAsked = ({ table, column }: SchemaChange): boolean =>
      column === null ? hasCompleted : !newTables.has(table)
    const decided = Map.groupBy(
      changes,
      (change) => decisionOn(change, schema) ?? (isAsked(change) ? 'pending' : 'accepted'),
    )
    const { pending = [], rejected = [] } = Object.fromEntries(decided)
    const left = withoutRejected(stream, rejected)
    if (pending.length > 0) waiting.push({ stream: stream.name, changes: pending })
    else if (left === null)
      tell(`${stream.name} is left alone, because its table, its key or the loss of a column was rejected.`)
    else cleared.push({ described: stream, stream: left })
  }
  for (const { stream, changes } of waiting) {
    schema.found(stream, changes, 'pending')
    tell(`${stream} waits for a decision. ${changes.map(describeForeseen).join(' ')}`)
  }
  if (waiting.length > 0 && schema.policy === 'stop') throw stopped(waiting.flatMap(({ changes }) => changes))
  return cleared
}

/** Tables that are gone have no stream that could wait: they are told of, and where that is the policy asked about. */
async function lostTables({ target, schema, tell }: SyncRequest, lost: readonly string[]): Promise<Waiting[]> {
  const waiting: Waiting[] = []
  for (const stream of lost) {
    const changes = (await target.listTables(stream)).map(({ name }) => ({
      table: name,
      column: null,
      before: 'table',
      after: gone,
    }))
    // Nothing is made of a decision, so it stands.
    const undecided = changes.filter(
      ({ table }) =>
        schema?.decided.some((each) => each.table === table && each.column === null && each.after === gone) !== true,
    )
    const isAsked = schema !== undefined && schema.policy !== 'take'
    for (const change of isAsked ? changes.filter((each) => !undecided.includes(each)) : changes)
      tell(describeChange(change))
    if (undecided.length === 0) continue
    if (isAsked) waiting.push({ stream, changes: undecided })
    else schema?.found(stream, undecided, 'applied')
  }
  return waiting
}

/** What would be changed in the target, and columns that would get no more values. */
async function foreseen({ target, signal }: SyncRequest, stream: Stream): Promise<readonly ForeseenChange[]> {
  if (stream.fault !== undefined) return []
  try {
    return [...(await target.foresee(stream)), ...(await lostIn(target, stream))]
  } catch (error) {
    return noChanges(error, signal)
  }
}

/** Columns that the stream had when it was last read and has no more. */
export async function lostIn(target: OpenTarget, stream: Stream): Promise<readonly ForeseenChange[]> {
  const lost = lostColumns(stream, (await target.state(stream)).checkpoint)
  if (lost.length === 0) return []
  const tables = await target.listTables(stream.name)
  return lost.map(([table, column]) => {
    const name = tables.find(({ sourceName }) => sourceName === table)?.name ?? table
    return { table: name, column, before: 'column', after: gone, of: { table, column } }
  })
}

function isEverythingTaken({ policy, decided }: SchemaRule): boolean {
  return policy === 'take' && decided.every(({ decision }) => decision === 'accepted')
}

/** A table that cannot be placed is a fault of its stream, which meets it again when its turn comes. */
function noChanges(error: unknown, signal: AbortSignal): readonly ForeseenChange[] {
  if (error instanceof Fenced || signal.aborted || concernsEveryStream(asFault(error))) throw error
  return []
}

/**
 * A rejected column stays out whatever type it has meanwhile, unless that very change was accepted; that it may not be lost says nothing
 * of its coming back. Null: undecided.
 */
function decisionOn(
  { table, column, after }: SchemaChange,
  { policy, decided }: SchemaRule,
): DecidedChange['decision'] | null {
  const about = decided.filter(
    (each) => each.table === table && each.column === column && (each.after === gone) === (after === gone),
  )
  const exact = about.find((each) => each.after === after)
  if (exact !== undefined) return exact.decision
  if (about.length > 0 && about.every(({ decision }) => decision === 'rejected')) return 'rejected'
  return policy === 'take' ? 'accepted' : null
}

/** Null where the stream cannot be moved without what was rejected. */
function withoutRejected(stream: Stream, rejected: readonly ForeseenChange[]): Stream | null {
  if (rejected.length === 0) return stream
  if (rejected.some(({ after }) => after === gone)) return null
  const isOut = (table: string, column: string | null): boolean =>
    rejected.some(({ of }) => of.table === table && of.column === column)
  const kept = (table: Table): Table => ({
    ...table,
    columns: table.columns.filter(({ name }) => !isOut(table.name, name)),
  })
  const table = kept(stream.table)
  const children = stream.children.filter((child) => !isOut(child.name, null)).map(kept)
  if (isOut(table.name, null) || ![table, ...children].every(hasItsKeys)) return null
  // The rows come with columns that must not go in, so they cannot pass through as they are.
  const { binaryFingerprint: _, ...rest } = stream
  return { ...rest, table, children }
}

function hasItsKeys({ columns, key, parentKey = [] }: Table): boolean {
  return [...key, ...parentKey].every((name) => columns.some((column) => column.name === name))
}

function stopped(changes: readonly SchemaChange[]): Fault {
  return new Fault('settings', {
    code: 'engine.schema_changed',
    notice: `The source’s tables have changed, and nothing is moved until that is decided. ${changes.map(describeForeseen).join(' ')} Accept or reject it, then run again.`,
  })
}

function describeForeseen(change: SchemaChange): string {
  const { table, column, before, after } = change
  if (after === gone) return describeChange(change)
  if (column === null) return `The table ${table} is new.`
  if (before === null) return `The table ${table} would get a column ${column} (${after}).`
  return `The column ${column} of the table ${table} would become ${after}; it is ${before}.`
}

export function describeChange({ table, column, before, after }: SchemaChange): string {
  if (after === gone)
    return column === null
      ? goneTable(table)
      : `The column ${column} of the table ${table} is gone from the source. Its last values stay.`
  if (column === null) return `The table ${table} is new.`
  return before === null
    ? `The table ${table} has a new column ${column} (${after}).`
    : `The column ${column} of the table ${table} is now ${after}; it was ${before}.`
}

function goneTable(table: string): string {
  return `The source of the table ${table} is gone: dropped, or renamed. Its rows stay as they are.`
}
