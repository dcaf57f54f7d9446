/** The files of a snapshot, by the manifests that list them. */
import { Fault } from '../../../ports/faults.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { Snapshot } from '../catalog/metadata.ts'
import {
  type DataFile,
  type Manifest,
  type ManifestContents,
  type ManifestEntry,
  readManifest,
  readManifestList,
  referencedFile,
} from '../format/manifest.ts'
import type { ObjectStorage } from '../storage/storage.ts'

export interface ListedManifest extends ManifestContents {
  readonly manifest: Manifest
}

/** Null where nothing is written yet. */
export type SnapshotOrNone = Snapshot | null

/** The snapshot of a branch; null if the branch has none. */
export function snapshotOf({ metadata }: Pick<LoadedTable, 'metadata'>, branch = 'main'): SnapshotOrNone {
  const id = metadata.refs?.[branch]?.['snapshot-id']
  return metadata.snapshots?.find((snapshot) => snapshot['snapshot-id'] === id) ?? null
}

const cachedMax = 500

/** A manifest never changes, so what was read of it is kept while a table is open. */
export class ManifestCache {
  readonly #contents = new Map<string, ManifestContents>()

  /** @throws Fault `settings` if rows are deleted in a way that Tributary does not read */
  async readAll(storage: ObjectStorage, snapshot: SnapshotOrNone): Promise<readonly ListedManifest[]> {
    const listed = await this.readListed(storage, snapshot)
    assertReadable(listed)
    return listed
  }

  /** Without that check, for changes that keep or remove every file. */
  async readListed(storage: ObjectStorage, snapshot: SnapshotOrNone): Promise<readonly ListedManifest[]> {
    const listed: ListedManifest[] = []
    for (const manifest of await readList(storage, snapshot))
      listed.push({ manifest, ...(await this.#read(storage, manifest)) })
    return listed
  }

  /** Every file that the snapshot refers to, its manifests and their list included. */
  async listPaths(storage: ObjectStorage, snapshot: Snapshot): Promise<readonly string[]> {
    const paths = [snapshot['manifest-list']]
    for (const manifest of await readList(storage, snapshot)) {
      const { entries } = await this.#read(storage, manifest)
      paths.push(manifest.path, ...entries.filter(isLive).map(({ file }) => file.path))
    }
    return paths
  }

  async #read(storage: ObjectStorage, manifest: Manifest): Promise<ManifestContents> {
    const known = this.#contents.get(manifest.path)
    if (known !== undefined) return known
    const contents = readManifest(await storage.read(manifest.path), manifest)
    if (this.#contents.size >= cachedMax) this.#contents.clear()
    this.#contents.set(manifest.path, contents)
    return contents
  }
}

/**
 * Read are positions in Parquet, one file of them for each data file, as Tributary writes them. Rows that another program has deleted in
 * another way would come back when their file is written again.
 */
function assertReadable(listed: readonly ListedManifest[]): void {
  const deletions = liveDeletions(listed)
  const referenced = deletions.map(readableReference)
  const isReadable = !referenced.includes(null) && new Set(referenced).size === deletions.length
  if (isReadable) return
  throw new Fault('settings', {
    code: 'iceberg.delete_files',
    notice:
      'Another program has deleted rows of the table by delete files that Tributary does not read. Compact the table in that program (rewrite_data_files), or run a full refresh.',
  })
}

/** The data file that the positions are of; null if they are of several, or are stored in another way. */
function readableReference(file: DataFile): string | null {
  const isReadable = file.content === 'positions' && file.record['file_format'] === 'PARQUET'
  return isReadable ? referencedFile(file) : null
}

function liveDeletions(listed: readonly ListedManifest[]): readonly DataFile[] {
  return liveEntries(listed, 'deletes').map(({ file }) => file)
}

function liveEntries(listed: readonly ListedManifest[], content: Manifest['content']): readonly ManifestEntry[] {
  return listed.flatMap(({ manifest, entries }) => (manifest.content === content ? entries.filter(isLive) : []))
}

async function readList(storage: ObjectStorage, snapshot: SnapshotOrNone): Promise<readonly Manifest[]> {
  return snapshot === null ? [] : readManifestList(await storage.read(snapshot['manifest-list']))
}

export function isLive({ status }: ManifestEntry): boolean {
  return status !== 'deleted'
}

/** The data files, each with the deletions of its rows. */
export function liveFiles(listed: readonly ListedManifest[]): readonly DataFile[] {
  const deletions = new Map(liveDeletions(listed).map((file) => [readableReference(file), file]))
  return liveEntries(listed, 'data').map(({ file }) => {
    const ofFile = deletions.get(file.path)
    return ofFile === undefined ? file : { ...file, deletions: ofFile }
  })
}

/** Of data files, and of delete files, whether rows that they refer to are still there or not. */
export function livePaths(listed: readonly ListedManifest[]): ReadonlySet<string> {
  return new Set(listed.flatMap(({ entries }) => entries.filter(isLive).map(({ file }) => file.path)))
}

export function liveRows({ rows, deletions }: DataFile): number {
  return rows - (deletions?.rows ?? 0)
}

export function countRows(files: readonly DataFile[]): number {
  return files.reduce((sum, file) => sum + liveRows(file), 0)
}
