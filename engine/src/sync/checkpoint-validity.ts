/** What a checkpoint holds for: the columns that came with its rows, the definition of their table, and the company or database that they are of. */
import type { Checkpoint } from '../ports/model.ts'
import { originKey } from '../ports/origin.ts'
import type { OpenSource, Stream } from '../ports/source.ts'
import type { StreamState } from '../ports/target.ts'

/** Kept with every checkpoint, in the target. */
const columnsKey = 'tributary_columns'
const definitionKey = 'tributary_definition'

/** What is read now. */
interface ReadContext {
  readonly stream: Stream
  readonly source: Pick<OpenSource, 'origin'>
}

/** The checkpoint as it is stored. */
export function annotateCheckpoint({ stream, source: { origin } }: ReadContext, checkpoint: Checkpoint): Checkpoint {
  return {
    ...checkpoint,
    [columnsKey]: JSON.stringify(columnsOf(stream)),
    ...(stream.definition !== undefined && { [definitionKey]: stream.definition }),
    ...(origin !== undefined && { [originKey]: origin }),
  }
}

/** What is stored at the end of a read, though there be no checkpoint to go on from: a table that is always read whole is of somebody, too. */
export function annotateFinalCheckpoint(reading: ReadContext, end: Checkpoint | null): Checkpoint | null {
  return end === null && reading.source.origin === undefined ? null : annotateCheckpoint(reading, end ?? {})
}

/** The state with its checkpoints as the source gave them, but for those that were reached elsewhere or without a column that is moved now. */
export function validateState(reading: ReadContext, state: StreamState): ValidatedState {
  const checkpoint = state.checkpoint === null ? null : validCheckpoint(reading, state.checkpoint)
  const refresh = state.replacement === null ? null : validCheckpoint(reading, state.replacement.checkpoint)
  const isElsewhere = state.checkpoint !== null && !hasSameOrigin(reading, state.checkpoint)
  const hasEnded = state.checkpoint !== null && withoutAnnotations(state.checkpoint) === null
  return {
    ...state,
    checkpoint,
    isOtherOrigin: isElsewhere,
    needsBackfill: state.checkpoint !== null && checkpoint === null && !isElsewhere && !hasEnded,
    isRedefined: state.checkpoint !== null && !hasSameDefinition(reading, state.checkpoint),
    replacement: state.replacement === null || refresh === null ? null : { ...state.replacement, checkpoint: refresh },
  }
}

export interface ValidatedState extends StreamState {
  /** The rows are of another company or database. */
  readonly isOtherOrigin: boolean
  /** The rows are there, but not their values of every column. */
  readonly needsBackfill: boolean
  /** The rows were read before the definition of their table changed. */
  readonly isRedefined: boolean
}

/** Columns, as `[table, column]`, whose values came when the stream was last read and that the source does not have any more. */
export function findRemovedColumns(
  { table, children, excludedColumns = [] }: Stream,
  stored: Checkpoint | null,
): readonly (readonly [string, string])[] {
  const came = stored?.[columnsKey]
  if (typeof came !== 'string') return []
  const tables = [table, ...children].toSorted((a, b) => b.name.length - a.name.length)
  const there = new Set(columnsOf({ table, children }))
  return (JSON.parse(came) as readonly string[]).flatMap((name) => {
    // The longest, for a name may hold a point.
    const of = tables.find((each) => name.startsWith(`${each.name}.`))
    const column = name.slice((of?.name.length ?? 0) + 1)
    return of === undefined || there.has(name) || excludedColumns.includes(column) ? [] : [[of.name, column] as const]
  })
}

function validCheckpoint(reading: ReadContext, stored: Checkpoint): Checkpoint | null {
  if (!hasSameOrigin(reading, stored) || !hasSameDefinition(reading, stored)) return null
  const checkpoint = withoutAnnotations(stored)
  const { [columnsKey]: columns } = stored
  // One that an earlier version stored does not tell.
  if (typeof columns !== 'string') return checkpoint
  const came = new Set(JSON.parse(columns) as readonly string[])
  return columnsOf(reading.stream).every((column) => came.has(column)) ? checkpoint : null
}

/** As the source gave it; null where it gave none. */
function withoutAnnotations(stored: Checkpoint): Checkpoint | null {
  const own = Object.entries(stored).filter(
    ([name]) => name !== columnsKey && name !== definitionKey && name !== originKey,
  )
  return own.length === 0 ? null : Object.fromEntries(own)
}

/** One that an earlier version stored is taken to be of what is read now. */
function hasSameOrigin({ source: { origin } }: ReadContext, { [originKey]: from }: Checkpoint): boolean {
  return origin === undefined || from === undefined || from === origin
}

/** One that an earlier version stored is taken to be of the present definition. */
function hasSameDefinition({ stream: { definition } }: ReadContext, { [definitionKey]: stored }: Checkpoint): boolean {
  return definition === undefined || stored === undefined || stored === definition
}

function columnsOf({ table, children }: Pick<Stream, 'table' | 'children'>): readonly string[] {
  return [table, ...children].flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
}
