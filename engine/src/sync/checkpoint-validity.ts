/** What a checkpoint holds for: the columns that came with its rows, the definition of their table, and the company or database that they are of. */
import type { Checkpoint } from '../ports/model.ts'
import { cameFrom } from '../ports/origin.ts'
import type { OpenSource, Stream } from '../ports/source.ts'
import type { StreamState } from '../ports/target.ts'

/** Kept with every checkpoint, in the target. */
const covered = 'tributary_columns'
const defined = 'tributary_definition'

/** What is read now. */
interface Reading {
  readonly stream: Stream
  readonly source: Pick<OpenSource, 'origin'>
}

/** The checkpoint as it is stored. */
export function covering({ stream, source: { origin } }: Reading, checkpoint: Checkpoint): Checkpoint {
  return {
    ...checkpoint,
    [covered]: JSON.stringify(columnsOf(stream)),
    ...(stream.definition !== undefined && { [defined]: stream.definition }),
    ...(origin !== undefined && { [cameFrom]: origin }),
  }
}

/** What is stored at the end of a read, though there be no checkpoint to go on from: a table that is always read whole is of somebody, too. */
export function ending(reading: Reading, end: Checkpoint | null): Checkpoint | null {
  return end === null && reading.source.origin === undefined ? null : covering(reading, end ?? {})
}

/** The state with its checkpoints as the source gave them, but for those that were reached elsewhere or without a column that is moved now. */
export function usable(reading: Reading, state: StreamState): UsableState {
  const checkpoint = state.checkpoint === null ? null : reached(reading, state.checkpoint)
  const refresh = state.refresh === null ? null : reached(reading, state.refresh.checkpoint)
  const isElsewhere = state.checkpoint !== null && !isOf(reading, state.checkpoint)
  const hasEnded = state.checkpoint !== null && withoutMarks(state.checkpoint) === null
  return {
    ...state,
    checkpoint,
    isElsewhere,
    lacksValues: state.checkpoint !== null && checkpoint === null && !isElsewhere && !hasEnded,
    isRedefined: state.checkpoint !== null && !isDefinedAs(reading, state.checkpoint),
    refresh: state.refresh === null || refresh === null ? null : { ...state.refresh, checkpoint: refresh },
  }
}

export interface UsableState extends StreamState {
  /** The rows are of another company or database. */
  readonly isElsewhere: boolean
  /** The rows are there, but not their values of every column. */
  readonly lacksValues: boolean
  /** The rows were read before the definition of their table changed. */
  readonly isRedefined: boolean
}

/** Columns, as `[table, column]`, whose values came when the stream was last read and that the source does not have any more. */
export function lostColumns(
  { table, children, leftOut = [] }: Stream,
  stored: Checkpoint | null,
): readonly (readonly [string, string])[] {
  const came = stored?.[covered]
  if (typeof came !== 'string') return []
  const tables = [table, ...children].toSorted((a, b) => b.name.length - a.name.length)
  const there = new Set(columnsOf({ table, children }))
  return (JSON.parse(came) as readonly string[]).flatMap((name) => {
    // The longest, for a name may hold a point.
    const of = tables.find((each) => name.startsWith(`${each.name}.`))
    const column = name.slice((of?.name.length ?? 0) + 1)
    return of === undefined || there.has(name) || leftOut.includes(column) ? [] : [[of.name, column] as const]
  })
}

function reached(reading: Reading, stored: Checkpoint): Checkpoint | null {
  if (!isOf(reading, stored) || !isDefinedAs(reading, stored)) return null
  const checkpoint = withoutMarks(stored)
  const { [covered]: columns } = stored
  // One that an earlier version stored does not tell.
  if (typeof columns !== 'string') return checkpoint
  const came = new Set(JSON.parse(columns) as readonly string[])
  return columnsOf(reading.stream).every((column) => came.has(column)) ? checkpoint : null
}

/** As the source gave it; null where it gave none. */
function withoutMarks(stored: Checkpoint): Checkpoint | null {
  const own = Object.entries(stored).filter(([name]) => name !== covered && name !== defined && name !== cameFrom)
  return own.length === 0 ? null : Object.fromEntries(own)
}

/** One that an earlier version stored is taken to be of what is read now. */
function isOf({ source: { origin } }: Reading, { [cameFrom]: from }: Checkpoint): boolean {
  return origin === undefined || from === undefined || from === origin
}

/** One that an earlier version stored is taken to be of the present definition. */
function isDefinedAs({ stream: { definition } }: Reading, { [defined]: stored }: Checkpoint): boolean {
  return definition === undefined || stored === undefined || stored === definition
}

function columnsOf({ table, children }: Pick<Stream, 'table' | 'children'>): readonly string[] {
  return [table, ...children].flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
}
