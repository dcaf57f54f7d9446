/** Tributary's properties of a table. They are set by the commit that changes the rows, and every other program keeps them. */
import { FencedError, assertNewerFence, type Writer } from '../../../ports/target.ts'
import { emptyState, type StoredState } from '../../sql-target/stored-state.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { Properties } from '../catalog/metadata.ts'

export const propertyNames = {
  connector: 'tributary.connector',
  stream: 'tributary.stream',
  sourceTable: 'tributary.source-table',
  key: 'tributary.key',
  fence: 'tributary.fence',
  commit: 'tributary.commit',
  state: 'tributary.state',
  /** The lowest fence whose writer may have left files that no snapshot refers to. */
  uncleanSince: 'tributary.unclean-since',
  freshAt: 'tributary.fresh-at',
  comparedAt: 'tributary.compared-at',
  run: 'tributary.run-id',
  rowsMoved: 'tributary.rows-moved',
  tables: 'tributary.tables',
} as const

type TableWithProperties = Pick<LoadedTable, 'metadata'>

export function readProperty({ metadata }: TableWithProperties, name: keyof typeof propertyNames): string | null {
  return metadata.properties?.[propertyNames[name]] ?? null
}

type FenceOfWriter = Pick<Writer, 'fence' | 'runId'>

export function readFence(table: TableWithProperties): FenceOfWriter | null {
  const text = readProperty(table, 'fence')
  return text === null ? null : (JSON.parse(text) as FenceOfWriter)
}

/** @throws FencedError if a newer writer has claimed the table */
export function assertMayClaim(table: TableWithProperties, writer: Writer): void {
  const seen = readFence(table)
  if (seen !== null) assertNewerFence(seen, writer)
}

export function holdsFence(table: TableWithProperties, { fence, runId }: Writer): boolean {
  const seen = readFence(table)
  return seen?.fence === fence && seen.runId === runId
}

/** @throws FencedError unless this writer has claimed the table, and no other since */
export function assertHoldsFence(table: TableWithProperties, writer: Writer): void {
  if (!holdsFence(table, writer)) throw new FencedError(readFence(table)?.fence ?? null)
}

export function fenceProperties({ fence, runId }: Writer): Properties {
  return { [propertyNames.fence]: JSON.stringify({ fence, runId }) }
}

export function readStreamState(table: TableWithProperties): StoredState {
  const text = readProperty(table, 'state')
  return text === null ? emptyState : { ...emptyState, ...(JSON.parse(text) as Partial<StoredState>) }
}

export function stateProperties(state: StoredState): Properties {
  return { [propertyNames.state]: JSON.stringify(state) }
}
