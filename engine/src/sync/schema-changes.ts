/** What becomes of changes of the source's tables: they are taken, asked about, or a reason to stop. */
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

/** A stream that may be moved. */
export interface ClearedStream {
  /** As the source described it: so it is read. */
  readonly described: Stream
  /** Without what was rejected: so it is written. */
  readonly stream: Stream
}

export interface ClearStreamsInput {
  readonly streams: readonly Stream[]
  /** Names of streams that earlier runs have moved and that are there no more. */
  readonly removedStreams: readonly string[]
  readonly hasCompleted: boolean
}

interface PendingStream {
  readonly stream: string
  readonly changes: readonly TargetSchemaChange[]
}

/** The streams that may be moved now. Throws a `settings` Fault where the policy is to stop and something is undecided. */
export async function clearStreams(
  request: SyncRunRequest,
  { streams, removedStreams: lost, hasCompleted }: ClearStreamsInput,
): Promise<readonly ClearedStream[]> {
  const { schemaRules, log } = request
  const waiting: PendingStream[] = await reviewRemovedTables(request, lost)
  if (schemaRules === undefined || acceptsEverything(schemaRules))
    return streams.map((stream) => ({ described: stream, stream }))
  const cleared: ClearedStream[] = []
  for (const stream of streams) {
    const changes = await previewStreamChanges(request, stream)
    const newTables = new Set(changes.flatMap(({ table, column }) => (column === null ? [table] : [])))
    const isAsked = ({ table, column }: TargetSchemaChange): boolean =>
      column === null ? hasCompleted : !newTables.has(table)
    const decided = Map.groupBy(
      changes,
      (change) => findDecision(change, schemaRules) ?? (isAsked(change) ? 'pending' : 'accepted'),
    )
    const { pending = [], rejected = [] } = Object.fromEntries(decided)
    const left = withoutRejected(stream, rejected)
    if (pending.length > 0) waiting.push({ stream: stream.name, changes: pending })
    else if (left === null)
      log(`${stream.name} is left alone, because its table, its key or the loss of a column was rejected.`)
    else cleared.push({ described: stream, stream: left })
  }
  for (const { stream, changes } of waiting) {
    schemaRules.reportChanges(stream, changes, 'pending')
    log(`${stream} waits for a decision. ${changes.map(describePlannedChange).join(' ')}`)
  }
  if (waiting.length > 0 && schemaRules.policy === 'stop')
    throw schemaChangedFault(waiting.flatMap(({ changes }) => changes))
  return cleared
}

/** Tables that are gone have no stream that could wait: they are told of, and where that is the policy asked about. */
async function reviewRemovedTables(
  { target, schemaRules, log }: SyncRunRequest,
  lost: readonly string[],
): Promise<PendingStream[]> {
  const waiting: PendingStream[] = []
  for (const stream of lost) {
    const changes = (await target.listTables(stream)).map(({ name }) => ({
      table: name,
      column: null,
      before: 'table',
      after: removedAtSource,
    }))
    // Nothing is made of a decision, so it stands.
    const undecided = changes.filter(
      ({ table }) =>
        schemaRules?.decisions.some(
          (each) => each.table === table && each.column === null && each.after === removedAtSource,
        ) !== true,
    )
    const isAsked = schemaRules !== undefined && schemaRules.policy !== 'take'
    for (const change of isAsked ? changes.filter((each) => !undecided.includes(each)) : changes)
      log(describeChange(change))
    if (undecided.length === 0) continue
    if (isAsked) waiting.push({ stream, changes: undecided })
    else schemaRules?.reportChanges(stream, undecided, 'applied')
  }
  return waiting
}

/** What would be changed in the target, and columns that would get no more values. */
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

/** Columns that the stream had when it was last read and has no more. */
export async function findRemovedInTarget(target: OpenTarget, stream: Stream): Promise<readonly PlannedSchemaChange[]> {
  const lost = findRemovedColumns(stream, (await target.state(stream)).checkpoint)
  if (lost.length === 0) return []
  const tables = await target.listTables(stream.name)
  return lost.map(([table, column]) => {
    const name = tables.find(({ sourceName }) => sourceName === table)?.name ?? table
    return { table: name, column, before: 'column', after: removedAtSource, sourceName: { table, column } }
  })
}

function acceptsEverything({ policy, decisions }: SchemaChangeRules): boolean {
  return policy === 'take' && decisions.every(({ decision }) => decision === 'accepted')
}

/** A table that cannot be placed is a fault of its stream, which meets it again when its turn comes. */
function ignoreStreamFault(error: unknown, signal: AbortSignal): readonly PlannedSchemaChange[] {
  if (error instanceof FencedError || signal.aborted || concernsEveryStream(asFault(error))) throw error
  return []
}

/**
 * A rejected column stays out whatever type it has meanwhile, unless that very change was accepted; that it may not be lost says nothing
 * of its coming back. Null: undecided.
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

/** Null where the stream cannot be moved without what was rejected. */
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
  // The rows come with columns that must not go in, so they cannot pass through as they are.
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
