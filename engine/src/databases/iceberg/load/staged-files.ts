/** The files of a table as they will be after the commit. Changes are made here until one commit makes them visible. */
import { randomUUID } from 'node:crypto'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { DataFile } from '../format/manifest.ts'
import type { CellRow } from '../table/data-writer.ts'
import { openRowWriter, type RowWriter } from '../table/partitioned-writer.ts'
import { partitionKey, partitionOfRow, partitionsOf } from '../table/partitions.ts'
import { mayListPositions, type PositionDeletionRule, writePositions } from '../table/position-deletions.ts'
import { countRows, type ListedManifest, liveFiles, livePaths } from '../table/table-files.ts'
import type { TableShape } from '../table/table-shape.ts'

export interface StagedFilesOptions {
  readonly table: LoadedTable
  readonly shape: TableShape
  readonly filePrefix: string
  /** The manifests to start from; empty for none. */
  readonly listed: readonly ListedManifest[]
  /** Null: files are always written again. */
  readonly deletionRule: PositionDeletionRule | null
}

export class StagedFiles {
  readonly table: LoadedTable
  readonly shape: TableShape
  readonly #filePrefix: string
  readonly #files: Map<string, DataFile>
  /** Files that were created here and are in no commit. */
  readonly #created = new Set<string>()
  /** Files of a commit that was sent: they must stay, whether its outcome is known or not. */
  readonly #offered = new Set<string>()
  readonly #listed: readonly ListedManifest[]
  readonly deletionRule: PositionDeletionRule | null

  constructor({ table, shape, filePrefix, listed, deletionRule }: StagedFilesOptions) {
    this.table = table
    this.shape = shape
    this.#filePrefix = filePrefix
    this.#listed = listed
    this.deletionRule = deletionRule
    this.#files = new Map(liveFiles(listed).map((file) => [file.path, file]))
  }

  get files(): readonly DataFile[] {
    return [...this.#files.values()]
  }

  get rows(): number {
    return countRows(this.files)
  }

  get listed(): readonly ListedManifest[] {
    return this.#listed
  }

  /** The files that a commit adds and removes. */
  get changes(): { readonly added: readonly DataFile[]; readonly removed: ReadonlySet<string> } {
    const before = livePaths(this.#listed)
    const after = this.#withDeletions
    return {
      added: [...after.values()].filter(({ path }) => !before.has(path)),
      removed: new Set([...before].filter((path) => !after.has(path))),
    }
  }

  /** Data files and their delete files, by path. */
  get #withDeletions(): ReadonlyMap<string, DataFile> {
    const all = this.files.flatMap(({ deletions, ...file }) => (deletions === undefined ? [file] : [file, deletions]))
    return new Map(all.map((file) => [file.path, file]))
  }

  /** The partitions, as `partitionKey` names them, that rows get into. */
  partitionsOf(rows: readonly CellRow[]): ReadonlySet<string> {
    const partitions = partitionsOf(this.table, this.shape.fields)
    return new Set(rows.map((row) => partitionKey(partitionOfRow(partitions, row))))
  }

  openWriter(): RowWriter {
    const { table, shape } = this
    return openRowWriter({ table, fields: shape.fields, sortedBy: shape.key, nextPath: () => this.#nextPath('') })
  }

  #nextPath(suffix: string): string {
    const path = `${dataFolder(this.table)}/${this.#filePrefix}${randomUUID()}${suffix}.parquet`
    this.#created.add(path)
    return path
  }

  /** Deletes rows by their positions. Returns false, and changes nothing, if the file should be written again instead. */
  async deletePositions(file: DataFile, positions: readonly number[]): Promise<boolean> {
    const rule = this.deletionRule
    if (rule === null || !mayListPositions(this.table, file, { rule, deleted: positions.length })) return false
    const deletions = await writePositions(this.table, file, { positions, path: this.#nextPath('-deletes') })
    this.#files.set(file.path, { ...file, deletions })
    return true
  }

  replace(removed: readonly DataFile[], added: readonly DataFile[]): void {
    for (const { path } of removed) this.#files.delete(path)
    for (const file of added) this.#files.set(file.path, file)
  }

  /** From now on the files may be part of the table. */
  offer(): void {
    for (const path of this.#withDeletions.keys()) if (this.#created.delete(path)) this.#offered.add(path)
  }

  /**
   * Deletes created files that no commit needs. `replaced`: those that were written again. `unsent`: all that no commit was sent with.
   * `all`: those of a commit that cannot be applied any more, too.
   */
  async deleteGarbage(which: 'replaced' | 'unsent' | 'all'): Promise<void> {
    const needed = this.#withDeletions
    const garbage = [...this.#created].filter((path) => which !== 'replaced' || !needed.has(path))
    if (which === 'all') garbage.push(...this.#offered)
    for (const path of garbage) this.#created.delete(path)
    if (garbage.length > 0) await this.table.storage.delete(garbage)
  }
}

function dataFolder({ metadata }: LoadedTable): string {
  const own = metadata.properties?.['write.data.path']
  return own?.replace(/\/$/u, '') ?? `${metadata.location.replace(/\/$/u, '')}/data`
}
