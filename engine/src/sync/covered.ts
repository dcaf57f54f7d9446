/** For which columns a checkpoint holds: rows that were read without a column lack its values, even where the table has it. */
import type { Checkpoint } from '../model.ts'
import type { Stream } from '../source.ts'
import type { StreamState } from '../target.ts'

const covered = 'tributary_columns'

/** The checkpoint as it is stored, with the columns that came with its rows. */
export function covering(stream: Stream, checkpoint: Checkpoint): Checkpoint {
  return { ...checkpoint, [covered]: JSON.stringify(columnsOf(stream)) }
}

/** The state with its checkpoints as the source gave them, but for those that were reached without a column that is moved now. */
export function usable(stream: Stream, state: StreamState): UsableState {
  const checkpoint = state.checkpoint === null ? null : reached(stream, state.checkpoint)
  const refresh = state.refresh === null ? null : reached(stream, state.refresh.checkpoint)
  return {
    ...state,
    checkpoint,
    lacksValues: state.checkpoint !== null && checkpoint === null,
    refresh: state.refresh === null || refresh === null ? null : { ...state.refresh, checkpoint: refresh },
  }
}

interface UsableState extends StreamState {
  /** The rows are there, but not their values of every column. */
  readonly lacksValues: boolean
}

function reached(stream: Stream, stored: Checkpoint): Checkpoint | null {
  const { [covered]: columns, ...checkpoint } = stored
  // One that an earlier version stored does not tell.
  if (typeof columns !== 'string') return checkpoint
  const came = new Set(JSON.parse(columns) as readonly string[])
  return columnsOf(stream).every((column) => came.has(column)) ? checkpoint : null
}

function columnsOf({ table, children }: Stream): readonly string[] {
  return [table, ...children].flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
}
