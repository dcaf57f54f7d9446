/** Removes the files that dead writers have left: no snapshot refers to them, and no commit of theirs can succeed any more. */
import type { LoadedTable } from '../catalog/catalog.ts'
import { fenceOfFile, type LakeContext } from '../table/lake-context.ts'

const deletedAtOnce = 500

/**
 * @param table after the writer has claimed it, so that commits of lower fences fail
 * @param since the lowest fence of a writer that may have left files
 * @returns how many files were removed
 */
export async function removeOrphans(context: LakeContext, table: LoadedTable, since: number): Promise<number> {
  const candidates = await listCandidates(context, table, since)
  if (candidates.size === 0) return 0
  const { metadata, storage } = table
  for (const snapshot of metadata.snapshots ?? [])
    for (const path of await context.manifests.listPaths(storage, snapshot)) candidates.delete(path)
  const orphans = [...candidates]
  for (let start = 0; start < orphans.length; start += deletedAtOnce)
    await storage.delete(orphans.slice(start, start + deletedAtOnce))
  return orphans.length
}

async function listCandidates({ writer }: LakeContext, table: LoadedTable, since: number): Promise<Set<string>> {
  const { location, properties } = table.metadata
  const root = location.replace(/\/$/u, '')
  const folders = [properties?.['write.data.path']?.replace(/\/$/u, '') ?? `${root}/data`, `${root}/metadata`]
  const candidates = new Set<string>()
  for (const folder of folders)
    for await (const { location: path } of table.storage.list(`${folder}/tributary-`)) {
      const fence = fenceOfFile(path)
      if (fence !== null && fence >= since && fence < writer.fence) candidates.add(path)
    }
  return candidates
}
