/** What the commits of a load write into the properties of its tables. */
import type { Checkpoint } from '../../../ports/model.ts'
import type { ReplacedPart } from '../../../ports/row-scope.ts'
import type { StoredState } from '../../sql-target/stored-state.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { Properties } from '../catalog/metadata.ts'
import type { LakeContext } from '../table/lake-context.ts'
import { propertyNames, readStreamState, stateProperties } from '../table/table-properties.ts'
import type { PropertiesOf } from './load-changes.ts'

export interface LoadIdentity {
  /** When reading began, ISO 8601. */
  readonly beganAt: string
  /** Identifies the columns. */
  readonly shape: string
  readonly kind: 'merge' | 'replace' | 'resume'
}

export interface LoadEnd {
  readonly checkpoint: Checkpoint | null
  readonly part: ReplacedPart | undefined
}

export class LoadStates {
  readonly #context: LakeContext
  readonly #load: LoadIdentity

  constructor(context: LakeContext, load: LoadIdentity) {
    this.#context = context
    this.#load = load
  }

  /** Of the main table, after a commit of a merge. */
  merged(checkpoint: Checkpoint): PropertiesOf {
    return withState((state, rows) => ({ ...state, checkpoint, refresh: null, rows }))
  }

  /** Of the main table, while a replacement is partly loaded. */
  refreshed(checkpoint: Checkpoint): PropertiesOf {
    const { runId, fence } = this.#context.writer
    const { shape, beganAt } = this.#load
    return withState((state) => ({ ...state, refresh: { checkpoint, runId, fence, shape, beganAt } }))
  }

  /** Of the main table at the end of the load. @param moved rows of it that the load has changed */
  ended(end: LoadEnd, moved: number): PropertiesOf {
    return (table, rows) => {
      const state = this.#endState(readStreamState(table), end, rows)
      return { ...stateProperties(state), ...this.#freshness(state, moved) }
    }
  }

  /** Of a child, which has no state. */
  childEnded({ part }: LoadEnd, moved: number): PropertiesOf {
    const isWhole = this.#load.kind === 'replace' && part === undefined
    return (table) => {
      const comparedAt = isWhole ? this.#now : (table.metadata.properties?.[propertyNames.comparedAt] ?? null)
      return this.#freshness({ freshAt: this.#load.beganAt, sweptAt: comparedAt }, moved)
    }
  }

  get #now(): string {
    return new Date(this.#context.around.clock.now()).toISOString()
  }

  #endState(before: StoredState, { checkpoint, part }: LoadEnd, rows: number): StoredState {
    const { kind, beganAt } = this.#load
    const ended = { refresh: null, finishedRun: this.#context.writer.runId, freshAt: beganAt, rows }
    if (kind === 'merge') return { ...before, ...ended, checkpoint: checkpoint ?? before.checkpoint }
    // Rows loaded before a break may have been deleted in the source since: only an unbroken refresh counts as a key comparison.
    const end = { ...ended, checkpoint, sweptAt: kind === 'resume' ? null : this.#now }
    if (part === undefined) return end
    const { finishedRun, freshAt, sweptAt } = before
    return part.keepsEnd === true ? { ...end, finishedRun, freshAt, sweptAt } : { ...end, sweptAt }
  }

  #freshness({ freshAt, sweptAt }: Pick<StoredState, 'freshAt' | 'sweptAt'>, moved: number): Properties {
    return {
      [propertyNames.freshAt]: freshAt ?? this.#load.beganAt,
      ...(sweptAt !== null && { [propertyNames.comparedAt]: sweptAt }),
      [propertyNames.run]: this.#context.writer.runId,
      [propertyNames.rowsMoved]: String(moved),
    }
  }
}

/** The next state of a stream, from the one that its main table has. */
export function withState(change: (before: StoredState, rows: number) => StoredState): PropertiesOf {
  return (table: LoadedTable, rows) => stateProperties(change(readStreamState(table), rows))
}
