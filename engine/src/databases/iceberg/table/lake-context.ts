/** What every operation on the tables of a writer needs. */
import type { ConnectionContext } from '../../../ports/source.ts'
import type { Writer } from '../../../ports/target.ts'
import { Fault } from '../../../ports/faults.ts'
import type { IcebergCatalog, LoadedTable, Namespace, TableIdentifier } from '../catalog/catalog.ts'
import type { PositionDeletionRule } from './position-deletions.ts'
import type { ManifestCache } from './table-files.ts'

export interface LakeContext {
  readonly catalog: IcebergCatalog
  readonly namespace: Namespace
  readonly writer: Writer
  readonly around: Pick<ConnectionContext, 'clock' | 'signal'>
  readonly manifests: ManifestCache
  /** Columns whose months partition the tables that have them. */
  readonly partitionBy: readonly string[]
  /** When rows are deleted by their positions; null: files are always written again. */
  readonly deletionRule: PositionDeletionRule | null
}

export function identify({ namespace }: Pick<LakeContext, 'namespace'>, name: string): TableIdentifier {
  return { namespace, name }
}

/** @throws Fault `settings` if the table is missing, or of a format version that Tributary does not write */
export async function loadTable(
  context: Pick<LakeContext, 'catalog' | 'namespace'>,
  name: string,
): Promise<LoadedTable> {
  const table = await context.catalog.loadTable(identify(context, name))
  if (table !== null) return withKnownFormat(table, name)
  throw new Fault('settings', {
    code: 'iceberg.table_missing',
    notice: `The table ‘${name}’ has been dropped or renamed while the run was writing to it. Start the run again; it creates the table and fills it.`,
  })
}

const formatVersionMax = 2

/**
 * Another program can upgrade a table to version 3, in which every snapshot assigns ids to rows and deletions are vectors. A snapshot of
 * version 2 would break its row lineage.
 *
 * @throws Fault `settings` for a later version
 */
export function withKnownFormat(table: LoadedTable, name: string): LoadedTable {
  const version = table.metadata['format-version']
  if (version <= formatVersionMax) return table
  throw new Fault('settings', {
    code: 'iceberg.format_version',
    notice: `Another program has upgraded the table ‘${name}’ to format version ${version} of Iceberg; Tributary reads and writes version 2. The table was left as it is. Rename or drop it in that program, then start a run: it creates the table again and fills it.`,
  })
}

/** Begins the names of a writer's files, so that a later writer recognises those of a dead one. */
export function filePrefix({ fence }: Writer): string {
  return `tributary-${fence}-`
}

/** The fence of the writer of a file; null if another program has written it. */
export function fenceOfFile(location: string): number | null {
  const [, fence] = /\/tributary-(\d+)-[^/]*$/u.exec(location) ?? []
  return fence === undefined ? null : Number(fence)
}

/** What a snapshot has of its writer. */
export function signature({ writer, around }: LakeContext): { readonly filePrefix: string; readonly now: number } {
  return { filePrefix: filePrefix(writer), now: around.clock.now() }
}
