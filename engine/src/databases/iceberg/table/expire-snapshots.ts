/** Removes old snapshots of a table, and the files that only they refer to. */
import type { LoadedTable } from '../catalog/catalog.ts'
import type { Snapshot } from '../catalog/metadata.ts'
import { commitChange } from './commit-loop.ts'
import type { LakeContext } from './lake-context.ts'
import { propertyNames } from './table-properties.ts'

export interface SnapshotRetention {
  /** Snapshots above this number may be removed before their age is reached. */
  readonly count: number
  /** Younger ones stay if they are among the newest. */
  readonly ageMs: number
  /** Younger ones always stay, because queries may be reading them. */
  readonly readingMs: number
  /** Removing fewer at once would cost more commits than it saves. */
  readonly expiredMin: number
}

const hourMs = 60 * 60_000

export const rowRetention: SnapshotRetention = { count: 100, ageMs: 24 * hourMs, readingMs: 4 * hourMs, expiredMin: 10 }
/** The connector's own table changes several times a run, and no one reads how it was. */
export const runRetention: SnapshotRetention = { count: 10, ageMs: hourMs, readingMs: 10 * 60_000, expiredMin: 10 }

/**
 * Until the caller's next commit says otherwise, the table counts as one that may have orphans, so that the next writer finds the files
 * if this one is killed before it has deleted them.
 */
export async function expireSnapshots(
  context: LakeContext,
  name: string,
  retention: SnapshotRetention,
): Promise<number> {
  let expired: readonly Snapshot[] = []
  const table = await commitChange(context, {
    name,
    fence: 'hold',
    build: async (loaded) => {
      expired = findExpired(loaded, retention, context.around.clock.now())
      if (expired.length < retention.expiredMin) {
        expired = []
        return null
      }
      const ids = expired.map((snapshot) => snapshot['snapshot-id'])
      return {
        updates: [{ action: 'remove-snapshots', 'snapshot-ids': ids }],
        properties: { [propertyNames.uncleanSince]: '0' },
        written: [],
      }
    },
  })
  if (expired.length > 0) await deleteUnused(context, table, expired)
  return expired.length
}

/** Never the snapshot of a branch or tag. */
function findExpired({ metadata }: LoadedTable, retention: SnapshotRetention, now: number): readonly Snapshot[] {
  const referenced = new Set(Object.values(metadata.refs ?? {}).map((ref) => ref['snapshot-id']))
  const newestFirst = (metadata.snapshots ?? []).toSorted(
    (left, right) => right['sequence-number'] - left['sequence-number'],
  )
  return newestFirst.filter((snapshot, at) => {
    const ageMs = now - snapshot['timestamp-ms']
    const isOld = ageMs > retention.ageMs || (at >= retention.count && ageMs > retention.readingMs)
    return isOld && !referenced.has(snapshot['snapshot-id'])
  })
}

async function deleteUnused(
  { manifests }: LakeContext,
  { metadata, storage }: LoadedTable,
  expired: readonly Snapshot[],
): Promise<void> {
  const unused = new Set<string>()
  for (const snapshot of expired) for (const path of await manifests.listPaths(storage, snapshot)) unused.add(path)
  for (const snapshot of metadata.snapshots ?? [])
    for (const path of await manifests.listPaths(storage, snapshot)) unused.delete(path)
  await storage.delete([...unused])
}
