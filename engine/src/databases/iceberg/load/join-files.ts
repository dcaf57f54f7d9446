/** Joins small files, so that readers open few. Many commits of few rows leave them. */
import type { DataFile } from '../format/manifest.ts'
import { partitionKey, partitionOfFile } from '../table/partitions.ts'
import type { StagedFiles } from './staged-files.ts'
import { visitRows } from './visit-rows.ts'

const smallBytes = 16 * 1_048_576
/** Below this number joining costs more than it saves. */
const filesMin = 8

/** Writes the small files of each partition again as one, to be committed with the rows of the load. */
export async function joinSmallFiles(files: StagedFiles): Promise<void> {
  const small = files.files.filter(({ size }) => size < smallBytes)
  for (const group of Map.groupBy(small, (file) => partitionKey(partitionOfFile(file))).values())
    if (group.length >= filesMin) await join(files, group)
}

async function join(files: StagedFiles, small: readonly DataFile[]): Promise<void> {
  const { table, shape } = files
  const writer = files.openWriter()
  try {
    await visitRows({ storage: table.storage, files: small, fields: shape.fields }, (row) => writer.add(row))
    files.replace(small, await writer.finish())
  } catch (error) {
    await writer.cancel()
    throw error
  }
}
