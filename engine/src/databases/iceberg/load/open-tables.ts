/** Opens the tables of a stream to stage rows for them. */
import type { Stream } from '../../../ports/source.ts'
import type { Rejects } from '../../sql-target/rejected-rows.ts'
import type { StreamTables } from '../../sql-target/table-layout.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { PrecisionLosses } from '../format/moments.ts'
import { filePrefix, type LakeContext, loadTable } from '../table/lake-context.ts'
import { type SnapshotOrNone, snapshotOf } from '../table/table-files.ts'
import { assertHoldsFence } from '../table/table-properties.ts'
import { refreshBranch } from './load-changes.ts'
import { StagedTables } from './staged-tables.ts'
import { TableLoad } from './table-load.ts'

export interface TablesToOpen {
  readonly stream: Stream
  readonly tables: StreamTables
  readonly rejects: Rejects
  readonly losses: PrecisionLosses
  /** Rows so far, by table. */
  readonly seen: readonly { count: number }[]
  /** What the staged rows are added to: the rows of the table, those of its half-loaded refresh, or none. */
  readonly base: 'rows' | 'refresh' | 'none'
  readonly isDirect: boolean
}

/** @throws FencedError unless the writer has claimed every table */
export async function openTables(context: LakeContext, options: TablesToOpen): Promise<StagedTables> {
  const loads: TableLoad[] = []
  for (const [at, { name }] of options.tables.entries()) {
    const table = await loadTable(context, name)
    assertHoldsFence(table, context.writer)
    loads.push(await openTable(context, { ...options, at, table }))
  }
  return new StagedTables(options.stream, atLeastOne(loads))
}

/** @param only the table whose staged rows get into files. It is `table`, as it is now */
export async function reopenTables(
  context: LakeContext,
  { only, table, ...options }: TablesToOpen & { readonly only: number; readonly table: LoadedTable },
): Promise<{ readonly staged: StagedTables; readonly load: TableLoad }> {
  const loads: TableLoad[] = []
  for (const [at, { name }] of options.tables.entries()) {
    const current = at === only ? table : await loadTable(context, name)
    loads.push(await openTable(context, { ...options, at, table: current }))
  }
  const [main, ...children] = atLeastOne(loads)
  const load = [main, ...children][only] ?? main
  return { staged: new StagedTables(options.stream, [main, ...children], load), load }
}

async function openTable(
  context: LakeContext,
  { tables, rejects, losses, seen, base, isDirect, at, table }: TablesToOpen & { at: number; table: LoadedTable },
): Promise<TableLoad> {
  return new TableLoad({
    target: tables[at] ?? tables[0],
    table,
    listed: await context.manifests.readAll(table.storage, baseOf(table, base)),
    filePrefix: filePrefix(context.writer),
    rejects,
    losses,
    seen: seen[at] ?? { count: 0 },
    isDirect,
    // A refresh has whole files only, which take the place of others.
    deletionRule: base === 'rows' ? context.deletionRule : null,
  })
}

function baseOf(table: LoadedTable, base: TablesToOpen['base']): SnapshotOrNone {
  if (base === 'none') return null
  return snapshotOf(table, base === 'rows' ? 'main' : refreshBranch)
}

function atLeastOne(loads: readonly TableLoad[]): readonly [TableLoad, ...TableLoad[]] {
  const [main, ...children] = loads
  if (main === undefined) throw new Error('A stream has at least one table.')
  return [main, ...children]
}
