/** The data files of a snapshot, by the manifests that list them. */
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

  /** @throws Fault `settings` if rows are deleted by delete files */
  async readAll(storage: ObjectStorage, snapshot: SnapshotOrNone): Promise<readonly ListedManifest[]> {
    for (const manifest of await readList(storage, snapshot))
      if (manifest.content === 'deletes') await this.#assertNoDeletes(storage, manifest)
    return await this.readData(storage, snapshot)
  }

  /** The data files, whether rows of them are deleted or not. */
  async readData(storage: ObjectStorage, snapshot: SnapshotOrNone): Promise<readonly ListedManifest[]> {
    const listed: ListedManifest[] = []
    for (const manifest of await readList(storage, snapshot))
      if (manifest.content === 'data') listed.push({ manifest, ...(await this.#read(storage, manifest)) })
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

  /** Rows that another program has deleted without rewriting their files would come back when a file is rewritten. */
  async #assertNoDeletes(storage: ObjectStorage, manifest: Manifest): Promise<void> {
    if (!(await this.#read(storage, manifest)).entries.some(isLive)) return
    throw new Fault('settings', {
      code: 'iceberg.delete_files',
      notice:
        'Another program has deleted rows of the table by delete files, which Tributary does not read. Compact the table in that program (rewrite_data_files), or run a full refresh.',
    })
  }
}

async function readList(storage: ObjectStorage, snapshot: SnapshotOrNone): Promise<readonly Manifest[]> {
  return snapshot === null ? [] : readManifestList(await storage.read(snapshot['manifest-list']))
}

export function isLive({ status }: ManifestEntry): boolean {
  return status !== 'deleted'
}

export function liveFiles(listed: readonly ListedManifest[]): readonly DataFile[] {
  return listed.flatMap(({ entries }) => entries.filter(isLive).map(({ file }) => file))
}

export function countRows(files: readonly DataFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0)
}
