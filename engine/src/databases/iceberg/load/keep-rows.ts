/** Keeps the rows inside or outside of a part, such as those of one company. */
import type { RowScope } from '../../../ports/row-scope.ts'
import type { TargetTable } from '../../sql-target/table-layout.ts'
import { parserOf } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import { type CellRow } from '../table/data-writer.ts'
import { liveRows } from '../table/table-files.ts'
import { TupleSearch } from './file-search.ts'
import type { StagedFiles } from './staged-files.ts'
import { visitRows } from './visit-rows.ts'

/** Whether a row is in the part. */
export type IsInPart = (row: CellRow) => boolean

export function partOf({ shape }: Pick<StagedFiles, 'shape'>, { table }: TargetTable, part: RowScope): IsInPart {
  const position = partPosition({ shape }, { table }, part)
  const { formatters } = shape
  const values = new Set(part.values)
  return (row) => {
    const cell = row[position] ?? null
    return cell !== null && values.has(formatters[position]?.(cell) ?? '')
  }
}

function partPosition(
  { shape }: Pick<StagedFiles, 'shape'>,
  { table }: Pick<TargetTable, 'table'>,
  part: RowScope,
): number {
  const position = shape.columns[table.columns.findIndex(({ name }) => name === part.column)]
  if (position === undefined) throw new Error(`The table ‘${table.name}’ has no column ‘${part.column}’.`)
  return position
}

/** Rewrites the files that have rows of which `isKept` is false, without those rows. */
export async function keepRows(files: StagedFiles, isKept: IsInPart): Promise<void> {
  for (const file of files.files) await keepRowsOf(files, file, isKept)
}

/** The files that have rows of the part, as far as their bounds show. */
export function filesOfPart(files: StagedFiles, target: TargetTable, part: RowScope): readonly DataFile[] {
  const field = files.shape.fields[partPosition(files, target, part)]
  if (field === undefined) return files.files
  const parse = parserOf(field.type)
  const search = new TupleSearch(
    [field],
    part.values.map((value) => [parse(value) ?? null]),
  )
  return files.files.filter((file) => search.mayBeIn(file))
}

export async function keepRowsOf(files: StagedFiles, file: DataFile, isKept: IsInPart): Promise<void> {
  const { table, shape } = files
  const source = { storage: table.storage, files: [file], fields: shape.fields }
  let kept = 0
  await visitRows(source, (row) => {
    if (isKept(row)) kept++
    return undefined
  })
  if (kept === liveRows(file)) return
  const writer = files.openWriter()
  if (kept > 0) await visitRows(source, (row) => (isKept(row) ? writer.add(row) : undefined))
  files.replace([file], await writer.finish())
}
