/** The commits of a load: what changes in each table. */
import type { ReplacedPart } from '../../../ports/row-scope.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { TableUpdate } from '../catalog/commit.ts'
import type { Properties } from '../catalog/metadata.ts'
import type { ChangeOfTable, TableChange } from '../table/commit-loop.ts'
import { filePrefix, type LakeContext, signature } from '../table/lake-context.ts'
import { type SnapshotChange, writeSnapshot, type WrittenSnapshot } from '../table/snapshot-writer.ts'
import { countRows, livePaths, snapshotOf } from '../table/table-files.ts'
import { propertyNames } from '../table/table-properties.ts'
import { filesOfPart, keepRowsOf, partOf } from './keep-rows.ts'
import { StagedFiles } from './staged-files.ts'
import type { TableLoad } from './table-load.ts'

/** Has the rows of a replacement until they take the place of the table's. */
export const refreshBranch = 'tributary-refresh'

/** Properties of the commit, for the rows that the table then has. */
export type PropertiesOf = (table: LoadedTable, rows: number) => Properties

/** @param current the load as it is, or on top of what the table has become */
export function mergeChange(
  context: LakeContext,
  current: (table: LoadedTable) => Promise<TableLoad>,
  { name, properties, isEnd }: { readonly name: string; readonly properties: PropertiesOf; readonly isEnd: boolean },
): ChangeOfTable {
  return {
    name,
    fence: 'hold',
    build: async (table) => {
      const { files } = await current(table)
      files.offer()
      const { added, removed } = files.changes
      const isChanged = added.length > 0 || removed.size > 0
      const written = isChanged ? await writeChange(context, table, { files, branch: 'main' }) : null
      return {
        ...toChange(written, 'main'),
        updates: [...snapshotUpdates(written, 'main'), ...dropRefreshBranch(table)],
        properties: properties(table, files.rows),
        removedProperties: isEnd ? [propertyNames.uncleanSince] : [],
      }
    },
  }
}

/** Keeps the rows of a replacement that have been loaded so far in its branch. */
export function refreshChange(context: LakeContext, load: TableLoad, properties: PropertiesOf): ChangeOfTable {
  return {
    name: load.target.name,
    fence: 'hold',
    build: async (table) => {
      load.files.offer()
      const written = await writeChange(context, table, { files: load.files, branch: refreshBranch })
      return { ...toChange(written, refreshBranch), properties: properties(table, load.files.rows) }
    },
  }
}

/** Puts the loaded rows in the place of the table's, or of a part of them. */
export function replaceChange(
  context: LakeContext,
  load: TableLoad,
  { properties, part }: { readonly properties: PropertiesOf; readonly part: ReplacedPart | undefined },
): ChangeOfTable {
  // Until the parent has decided, an interrupted replacement must find the rows of the child again.
  const keepsBranch = context.catalog.commitTables === null && load.target.table.parentKey !== undefined
  return {
    name: load.target.name,
    fence: 'hold',
    build: async (table) => {
      load.files.offer()
      const { listed, added, removed, rows, written: keptFiles } = await replacedFiles(context, { table, load, part })
      const written = await writeUnlessEqual(context, table, { listed, added, removed })
      return {
        updates: [...snapshotUpdates(written, 'main'), ...(keepsBranch ? [] : dropRefreshBranch(table))],
        properties: properties(table, rows),
        removedProperties: [propertyNames.uncleanSince],
        written: [...(written?.paths ?? []), ...keptFiles],
      }
    },
  }
}

async function writeUnlessEqual(
  context: LakeContext,
  table: LoadedTable,
  change: Pick<SnapshotChange, 'listed' | 'added' | 'removed'>,
): Promise<WrittenSnapshot | null> {
  if (change.added.length === 0 && change.removed.size === 0) return null
  return await writeSnapshot(table, { ...change, branch: 'main', summary: {}, ...signature(context) })
}

interface Replacement {
  readonly table: LoadedTable
  readonly load: TableLoad
  readonly part: ReplacedPart | undefined
}

interface ReplacedFiles extends Pick<SnapshotChange, 'listed' | 'added' | 'removed'> {
  /** Of the table afterwards. */
  readonly rows: number
  /** Paths of files with rows outside of the part. */
  readonly written: readonly string[]
}

async function replacedFiles(context: LakeContext, replacement: Replacement): Promise<ReplacedFiles> {
  const { table, load, part } = replacement
  const loaded = load.files.files
  if (part !== undefined) return await withOtherRows(context, { table, load, part })
  const listed = await context.manifests.readListed(table.storage, snapshotOf(table))
  return { listed, added: loaded, removed: livePaths(listed), rows: countRows(loaded), written: [] }
}

async function withOtherRows(
  context: LakeContext,
  { table, load, part }: Replacement & { readonly part: ReplacedPart },
): Promise<ReplacedFiles> {
  const listed = await context.manifests.readAll(table.storage, snapshotOf(table))
  const kept = new StagedFiles({
    table,
    shape: load.shape,
    filePrefix: filePrefix(context.writer),
    listed,
    deletionRule: null,
  })
  const isInPart = partOf(kept, load.target, part)
  for (const file of filesOfPart(kept, load.target, part)) await keepRowsOf(kept, file, (row) => !isInPart(row))
  const { added, removed } = kept.changes
  const loaded = load.files.files
  const rows = countRows(loaded) + kept.rows
  return { listed, added: [...loaded, ...added], removed, rows, written: added.map(({ path }) => path) }
}

/** For a child whose catalog commits one table at a time, after its parent has decided. */
export function branchRemoval(name: string): ChangeOfTable {
  return {
    name,
    fence: 'hold',
    build: async (table) => {
      const updates = dropRefreshBranch(table)
      return updates.length === 0 ? null : { updates, written: [] }
    },
  }
}

function dropRefreshBranch({ metadata }: LoadedTable): readonly TableUpdate[] {
  return metadata.refs?.[refreshBranch] === undefined
    ? []
    : [{ action: 'remove-snapshot-ref', 'ref-name': refreshBranch }]
}

function writeChange(
  context: LakeContext,
  table: LoadedTable,
  { files, branch }: { readonly files: StagedFiles; readonly branch: string },
): Promise<WrittenSnapshot> {
  return writeSnapshot(table, {
    listed: files.listed,
    branch,
    ...files.changes,
    summary: {},
    ...signature(context),
  })
}

export function toChange(written: WrittenSnapshot | null, branch: string): TableChange {
  return { updates: snapshotUpdates(written, branch), written: written?.paths ?? [] }
}

export function snapshotUpdates(written: WrittenSnapshot | null, branch: string): readonly TableUpdate[] {
  if (written === null) return []
  const { snapshot } = written
  return [
    { action: 'add-snapshot', snapshot },
    { action: 'set-snapshot-ref', 'ref-name': branch, type: 'branch', 'snapshot-id': snapshot['snapshot-id'] },
  ]
}
