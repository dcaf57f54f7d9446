/** Schema changes of the source: applied, held for a decision, or a reason to stop the run. */
import { asFault, Fault } from '../ports/faults.ts'
import type { Table } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import {
  FencedError,
  type PlannedSchemaChange,
  removedAtSource,
  type OpenTarget,
  type TargetSchemaChange,
} from '../ports/target.ts'
import { findRemovedColumns } from './checkpoint-validity.ts'
import type { SchemaDecision, SchemaChangeRules, SyncRunRequest } from './sync-request.ts'
import { concernsEveryStream } from './stream-faults.ts'

/** A stream that may be moved: read as described, written without its rejected columns and tables. */
export interface ClearedStream {
  /** As the source describes and sends it. */
  readonly described: Stream
  /** As it is written to the target. */
  readonly stream: Stream
}

export interface ClearStreamsInput {
  readonly streams: readonly Stream[]
  /** Names of streams that earlier runs have moved and the source no longer has. */
  readonly removedStreams: readonly string[]
  readonly hasCompleted: boolean
}

interface PendingStream {
  readonly stream: string
  readonly changes: readonly TargetSchemaChange[]
}

/**
 * Returns the streams that may be moved now.
 * @throws Fault `settings` if the policy is `stop` and a change is undecided
 */
export async function clearStreams(
  request: SyncRunRequest,
  { streams, removedStreams, hasCompleted }: ClearStreamsInput,
): Promise<readonly ClearedStream[]> {
  const { schemaRules, log } = request
  const held: PendingStream[] = await reviewRemovedTables(request, removedStreams)
  if (schemaRules === undefined || acceptsEverything(schemaRules))
    return streams.map((stream) => ({ described: stream, stream }))
  const cleared: ClearedStream[] = []
  for (const stream of streams) {
    const changes = await previewStreamChanges(request, stream)
    const newTables = new Set(changes.flatMap(({ table, column }) => (column === null ? [table] : [])))
    const needsDecision = ({ table, column }: TargetSchemaChange): boolean =>
      column === null ? hasCompleted : !newTables.has(table)
    const decided = Map.groupBy(
      changes,
      (change) => findDecision(change, schemaRules) ?? (needsDecision(change) ? 'pending' : 'accepted'),
    )
    const { pending = [], rejected = [] } = Object.fromEntries(decided)
    const left = withoutRejected(stream, rejected)
    if (pending.length > 0) held.push({ stream: stream.name, changes: pending })
    else if (left === null)
      log(`${stream.name} is left alone, because its table, its key or the loss of a column was rejected.`)
    else cleared.push({ described: stream, stream: left })
  }
  for (const { stream, changes } of held) {
    schemaRules.reportChanges(stream, changes, 'pending')
    log(`${stream} waits for a decision. ${changes.map(describePlannedChange).join(' ')}`)
  }
  if (held.length > 0 && schemaRules.policy === 'stop') throw schemaChangedFault(held.flatMap(({ changes }) => changes))
  return cleared
}

/**
 * Reports tables that the source no longer has, and asks for a decision if that is the policy. No stream exists to hold
 * back.
 */
async function reviewRemovedTables(
  { target, schemaRules, log }: SyncRunRequest,
  removedStreams: readonly string[],
): Promise<PendingStream[]> {
  const held: PendingStream[] = []
  for (const stream of removedStreams) {
    const changes = (await target.listTables(stream)).map(({ name }) => ({
      table: name,
      column: null,
      before: 'table',
      after: removedAtSource,
    }))
    // A decision has no effect in the target, so it never expires.
    const undecided = changes.filter(
      ({ table }) =>
        schemaRules?.decisions.some(
          (each) => each.table === table && each.column === null && each.after === removedAtSource,
        ) !== true,
    )
    const needsDecision = schemaRules !== undefined && schemaRules.policy !== 'take'
    for (const change of needsDecision ? changes.filter((each) => !undecided.includes(each)) : changes)
      log(describeChange(change))
    if (undecided.length === 0) continue
    if (needsDecision) held.push({ stream, changes: undecided })
    else schemaRules?.reportChanges(stream, undecided, 'applied')
  }
  return held
}

/** The changes that the target would make, and the columns that the source no longer has. */
async function previewStreamChanges(
  { target, signal }: SyncRunRequest,
  stream: Stream,
): Promise<readonly PlannedSchemaChange[]> {
  if (stream.fault !== undefined) return []
  try {
    return [...(await target.previewChanges(stream)), ...(await findRemovedInTarget(target, stream))]
  } catch (error) {
    return ignoreStreamFault(error, signal)
  }
}

/** Columns that the stream had when it was last read and no longer has, by their names in the target. */
export async function findRemovedInTarget(target: OpenTarget, stream: Stream): Promise<readonly PlannedSchemaChange[]> {
  const removed = findRemovedColumns(stream, (await target.state(stream)).checkpoint)
  if (removed.length === 0) return []
  const tables = await target.listTables(stream.name)
  return removed.map(([table, column]) => {
    const name = tables.find(({ sourceName }) => sourceName === table)?.name ?? table
    return { table: name, column, before: 'column', after: removedAtSource, sourceName: { table, column } }
  })
}

function acceptsEverything({ policy, decisions }: SchemaChangeRules): boolean {
  return policy === 'take' && decisions.every(({ decision }) => decision === 'accepted')
}

/** Ignores a fault of this stream only: it occurs again, and is recorded, when the stream is synced. */
function ignoreStreamFault(error: unknown, signal: AbortSignal): readonly PlannedSchemaChange[] {
  if (error instanceof FencedError || signal.aborted || concernsEveryStream(asFault(error))) throw error
  return []
}

/**
 * The decision on a change; null if undecided. A rejected column stays rejected if its type changes, unless that change
 * was accepted. A decision about its removal does not apply when the column returns.
 */
function findDecision(
  { table, column, after }: TargetSchemaChange,
  { policy, decisions }: SchemaChangeRules,
): SchemaDecision['decision'] | null {
  const about = decisions.filter(
    (each) =>
      each.table === table &&
      each.column === column &&
      (each.after === removedAtSource) === (after === removedAtSource),
  )
  const exact = about.find((each) => each.after === after)
  if (exact !== undefined) return exact.decision
  if (about.length > 0 && about.every(({ decision }) => decision === 'rejected')) return 'rejected'
  return policy === 'take' ? 'accepted' : null
}

/** The stream without what was rejected; null if it cannot be moved without it. */
function withoutRejected(stream: Stream, rejected: readonly PlannedSchemaChange[]): Stream | null {
  if (rejected.length === 0) return stream
  if (rejected.some(({ after }) => after === removedAtSource)) return null
  const isOut = (table: string, column: string | null): boolean =>
    rejected.some(({ sourceName }) => sourceName.table === table && sourceName.column === column)
  const kept = (table: Table): Table => ({
    ...table,
    columns: table.columns.filter(({ name }) => !isOut(table.name, name)),
  })
  const table = kept(stream.table)
  const children = stream.children.filter((child) => !isOut(child.name, null)).map(kept)
  if (isOut(table.name, null) || ![table, ...children].every(hasKeyColumns)) return null
  // Binary rows cannot be trimmed, so the stream is read as text.
  const { binaryFingerprint: _, ...rest } = stream
  return { ...rest, table, children }
}

function hasKeyColumns({ columns, key, parentKey = [] }: Table): boolean {
  return [...key, ...parentKey].every((name) => columns.some((column) => column.name === name))
}

function schemaChangedFault(changes: readonly TargetSchemaChange[]): Fault {
  return new Fault('settings', {
    code: 'engine.schema_changed',
    notice: `The source’s tables have changed, and nothing is moved until that is decided. ${changes.map(describePlannedChange).join(' ')} Accept or reject it, then run again.`,
  })
}

function describePlannedChange(change: TargetSchemaChange): string {
  const { table, column, before, after } = change
  if (after === removedAtSource) return describeChange(change)
  if (column === null) return `The table ${table} is new.`
  if (before === null) return `The table ${table} would get a column ${column} (${after}).`
  return `The column ${column} of the table ${table} would become ${after}; it is ${before}.`
}

export function describeChange({ table, column, before, after }: TargetSchemaChange): string {
  if (after === removedAtSource)
    return column === null
      ? describeRemovedTable(table)
      : `The column ${column} of the table ${table} is gone from the source. Its last values stay.`
  if (column === null) return `The table ${table} is new.`
  return before === null
    ? `The table ${table} has a new column ${column} (${after}).`
    : `The column ${column} of the table ${table} is now ${after}; it was ${before}.`
}

function describeRemovedTable(table: string): string {
  return `The source of the table ${table} is gone: dropped, or renamed. Its rows stay as they are.`
}
