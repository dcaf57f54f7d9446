/**
 * Checkpoint validity. A stored checkpoint records the columns, the table definition and the origin of the rows it
 * describes, and the rules that filtered and masked them. It is used only if all four still apply.
 */
import type { Checkpoint } from '../ports/model.ts'
import { originKey, rulesKey } from '../ports/origin.ts'
import type { OpenSource, Stream } from '../ports/source.ts'
import type { StreamState } from '../ports/target.ts'

/** Keys that annotate every checkpoint stored in the target. */
const columnsKey = 'tributary_columns'
const definitionKey = 'tributary_definition'

interface ReadContext {
  readonly stream: Stream
  readonly source: Pick<OpenSource, 'origin'>
}

/** The checkpoint with its annotations, as it is stored. */
export function annotateCheckpoint({ stream, source: { origin } }: ReadContext, checkpoint: Checkpoint): Checkpoint {
  return {
    ...checkpoint,
    [columnsKey]: JSON.stringify(columnsOf(stream)),
    ...(stream.definition !== undefined && { [definitionKey]: stream.definition }),
    ...(origin !== undefined && { [originKey]: origin }),
    ...(stream.rules !== undefined && { [rulesKey]: stream.rules }),
  }
}

/**
 * The checkpoint to store at the end of a read. A table that is always read whole has none, but its origin is recorded,
 * too, and so are its rules.
 */
export function annotateFinalCheckpoint(reading: ReadContext, end: Checkpoint | null): Checkpoint | null {
  const isPlain = reading.source.origin === undefined && reading.stream.rules === undefined
  return end === null && isPlain ? null : annotateCheckpoint(reading, end ?? {})
}

/** The state with its annotations removed, and without checkpoints that do not apply to the stream as it is now. */
export function validateState(reading: ReadContext, state: StreamState): ValidatedState {
  const checkpoint = state.checkpoint === null ? null : validCheckpoint(reading, state.checkpoint)
  const isOtherOrigin = state.checkpoint !== null && !hasSameOrigin(reading, state.checkpoint)
  const hasOtherRules = readByOtherRules(reading, state)
  const hasOnlyAnnotations = state.checkpoint !== null && withoutAnnotations(state.checkpoint) === null
  return {
    ...state,
    checkpoint,
    isOtherOrigin,
    hasOtherRules,
    needsBackfill:
      state.checkpoint !== null && checkpoint === null && !isOtherOrigin && !hasOtherRules && !hasOnlyAnnotations,
    isRedefined: state.checkpoint !== null && !hasSameDefinition(reading, state.checkpoint),
    replacement: resumableReplacement(reading, state),
  }
}

function resumableReplacement(reading: ReadContext, { replacement }: StreamState): StreamState['replacement'] {
  if (replacement === null) return null
  const checkpoint = validCheckpoint(reading, replacement.checkpoint)
  return checkpoint === null ? null : { ...replacement, checkpoint }
}

/** A table without a checkpoint was read without rules, if it was read at all. */
function readByOtherRules(reading: ReadContext, { checkpoint, freshAt }: StreamState): boolean {
  const isLoaded = checkpoint !== null || freshAt !== null
  return isLoaded && !hasSameRules(reading, checkpoint ?? {})
}

export interface ValidatedState extends StreamState {
  /** The stored rows come from another company or database. */
  readonly isOtherOrigin: boolean
  /** The stored rows were filtered or masked by other rules. */
  readonly hasOtherRules: boolean
  /** Rows are stored, but lack the values of at least one column. */
  readonly needsBackfill: boolean
  /** The rows were read before the table's definition changed. */
  readonly isRedefined: boolean
}

/** Columns, as `[table, column]`, that the last read contained and the source no longer has. */
export function findRemovedColumns(
  { table, children, excludedColumns = [] }: Stream,
  stored: Checkpoint | null,
): readonly (readonly [string, string])[] {
  const storedColumns = stored?.[columnsKey]
  if (typeof storedColumns !== 'string') return []
  const tables = [table, ...children].toSorted((a, b) => b.name.length - a.name.length)
  const present = new Set(columnsOf({ table, children }))
  return (JSON.parse(storedColumns) as readonly string[]).flatMap((name) => {
    // The longest matching table name wins, because names may contain a dot.
    const of = tables.find((each) => name.startsWith(`${each.name}.`))
    const column = name.slice((of?.name.length ?? 0) + 1)
    return of === undefined || present.has(name) || excludedColumns.includes(column) ? [] : [[of.name, column] as const]
  })
}

function validCheckpoint(reading: ReadContext, stored: Checkpoint): Checkpoint | null {
  if (!hasSameOrigin(reading, stored) || !hasSameDefinition(reading, stored) || !hasSameRules(reading, stored))
    return null
  const checkpoint = withoutAnnotations(stored)
  const { [columnsKey]: columns } = stored
  // Checkpoints of earlier releases have no columns.
  if (typeof columns !== 'string') return checkpoint
  const included = new Set(JSON.parse(columns) as readonly string[])
  return columnsOf(reading.stream).every((column) => included.has(column)) ? checkpoint : null
}

/** The source's own checkpoint; null if it yielded none. */
function withoutAnnotations(stored: Checkpoint): Checkpoint | null {
  const own = Object.entries(stored).filter(
    ([name]) => name !== columnsKey && name !== definitionKey && name !== originKey && name !== rulesKey,
  )
  return own.length === 0 ? null : Object.fromEntries(own)
}

/** Checkpoints of earlier releases have no origin and are assumed to match. */
function hasSameOrigin({ source: { origin } }: ReadContext, { [originKey]: from }: Checkpoint): boolean {
  return origin === undefined || from === undefined || from === origin
}

/** Checkpoints of earlier releases have no definition and are assumed to match. */
function hasSameDefinition({ stream: { definition } }: ReadContext, { [definitionKey]: stored }: Checkpoint): boolean {
  return definition === undefined || stored === undefined || stored === definition
}

function hasSameRules({ stream: { rules } }: ReadContext, { [rulesKey]: stored }: Checkpoint): boolean {
  return stored === rules
}

function columnsOf({ table, children }: Pick<Stream, 'table' | 'children'>): readonly string[] {
  return [table, ...children].flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
}
