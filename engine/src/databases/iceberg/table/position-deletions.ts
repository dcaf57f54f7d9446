/**
 * Rows of large files are deleted by listing their positions, where few of them change. A file has at most one list, which a later change
 * replaces, so that readers open few files.
 */
import type { LoadedTable } from '../catalog/catalog.ts'
import { type DataFile, dataFile } from '../format/manifest.ts'
import { readDeletedPositions } from '../format/parquet-reader.ts'
import { positionFields } from '../format/position-fields.ts'
import { DataWriter } from './data-writer.ts'
import { partitionOfFile } from './partitions.ts'
import { liveRows } from './table-files.ts'

/** When rows are deleted by their positions, instead of writing the file again without them. */
export interface PositionDeletionRule {
  /** Smaller files are written again. */
  readonly bytesMin: number
  /** A file is written again before a larger share of its rows is deleted. */
  readonly shareMax: number
}

/**
 * `npm run bench -- iceberg-update`: at 10 % positions are still faster, and readers take as long. Small files are joined with new rows
 * anyway.
 */
export const measuredRule: PositionDeletionRule = { bytesMin: 1_048_576, shareMax: 0.1 }

type TableOfFile = Pick<LoadedTable, 'metadata' | 'storage'>

/** @param deleted how many more rows of the file are deleted */
export function mayListPositions(
  { metadata }: Pick<TableOfFile, 'metadata'>,
  file: DataFile,
  { rule, deleted }: { readonly rule: PositionDeletionRule; readonly deleted: number },
): boolean {
  if (file.size < rule.bytesMin) return false
  const left = liveRows(file) - deleted
  if (left === 0 || file.rows - left > file.rows * rule.shareMax) return false
  // Partition values of other kinds are not written.
  const spec = metadata['partition-specs'].find((each) => each['spec-id'] === file.specId)
  return spec?.fields.every(({ transform }) => transform === 'month') ?? false
}

/** Writes the list of all deleted rows of a file. @param positions those that the file's list does not have */
export async function writePositions(
  table: TableOfFile,
  file: DataFile,
  { positions, path }: { readonly positions: readonly number[]; readonly path: string },
): Promise<DataFile> {
  const all = [...(await readDeletedPositions(table.storage, file)), ...positions].sort((left, right) => left - right)
  const output = new DataWriter({
    table,
    fields: [positionFields.path, positionFields.position],
    sortedBy: [],
    nextPath: () => path,
    partition: partitionOfFile(file),
  })
  try {
    for (const position of all) await output.add([file.path, BigInt(position)])
    const [written] = await output.finish()
    if (written === undefined) throw new Error('No row is deleted.')
    return asDeletions(written, file.path)
  } catch (error) {
    await output.cancel()
    throw error
  }
}

/** By whole bounds of the path readers know that the positions are of this file only. */
function asDeletions({ record, specId }: DataFile, path: string): DataFile {
  const { path: pathField, position } = positionFields
  const withPath = (bounds: 'lower_bounds' | 'upper_bounds') => {
    const written = record[bounds] as { readonly key: number; readonly value: Uint8Array }[]
    const ofPositions = written.filter(({ key }) => key === position.id)
    return [{ key: pathField.id, value: Buffer.from(path) }, ...ofPositions]
  }
  return dataFile(
    {
      ...record,
      content: 1,
      lower_bounds: withPath('lower_bounds'),
      upper_bounds: withPath('upper_bounds'),
      referenced_data_file: path,
    },
    specId,
  )
}
