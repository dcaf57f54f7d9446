/** Joins small files, so that readers open few. Many commits of few rows leave them. */
import type { DataFile } from '../format/manifest.ts'
import { partitionKey, partitionOfFile } from '../table/partitions.ts'
import type { StagedFiles } from './staged-files.ts'
import { visitRows } from './visit-rows.ts'

const smallBytes = 16 * 1_048_576

export interface JoinLimits {
  /** Fewer small files of a partition stay as they are. */
  readonly filesMin: number
  /** The most that is read of all partitions together. */
  readonly bytesMax: number
}

/** Within a run: below this number joining costs more than it saves. */
const runLimits: JoinLimits = { filesMin: 8, bytesMax: Number.POSITIVE_INFINITY }

export interface JoinedFiles {
  readonly joined: number
  /** Small files that were left because of the limit. */
  readonly left: number
}

/** Writes the small files of each partition again as one, to be committed with the rows of the load. */
export async function joinSmallFiles(files: StagedFiles, limits = runLimits): Promise<JoinedFiles> {
  const small = files.files.filter(({ size }) => size < smallBytes)
  let bytes = 0
  let joined = 0
  let left = 0
  for (const group of Map.groupBy(small, (file) => partitionKey(partitionOfFile(file))).values()) {
    if (group.length < limits.filesMin) continue
    const fitting = group.filter(({ size }) => (bytes += size) <= limits.bytesMax)
    left += group.length - fitting.length
    if (fitting.length < 2) continue
    await join(files, fitting)
    joined += fitting.length
  }
  return { joined, left }
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
