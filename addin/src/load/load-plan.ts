/** What is loaded into which table, from the preview of the sheet to the load that the server has begun. */
import type { Use } from '@tributary/contract/assignments'
import type { ColumnType } from '@tributary/contract/column-types'
import type { Load, LoadTargetTable } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { call } from '../api/call.ts'
import { PaneError } from '../api/pane-error.ts'
import { findRange, readRows, type SheetRange, type SheetSource } from '../host/sheet.ts'
import { findHeadingProblem, type HeadedColumn, inferColumns, previewedRows } from './headings.ts'
import { cellText, likelyHeadingRow, type RowDimension } from '@tributary/contract/sheet-preview'

/** The first rows of the range, with titles and headings. */
export interface SourcePreview {
  readonly source: SheetSource
  readonly range: SheetRange
  readonly rows: readonly (readonly SheetCell[])[]
}

export interface LoadPlan {
  readonly organisationId: string
  readonly table: LoadTargetTable
  readonly preview: SourcePreview
  /** Counts from 0, from the first row of the range. */
  readonly headingRow: number
  readonly columns: readonly HeadedColumn[]
  /** For the dimensions that have no column. */
  readonly names: Partial<Record<RowDimension, string>>
  /** Chosen for new columns, by heading. Without a choice, the type of most cells counts. */
  readonly types: Readonly<Record<string, ColumnType>>
}

export async function previewSource(source: SheetSource): Promise<SourcePreview> {
  return readPreview(source, await findRange(source))
}

async function readPreview(source: SheetSource, range: SheetRange): Promise<SourcePreview> {
  return { source, range, rows: await readRows(range, 0, Math.min(previewedRows, range.rows)) }
}

/** @param chosen ignored if the preview has fewer rows */
export function chooseHeadingRow({ rows }: SourcePreview, chosen: number | null): number {
  return chosen !== null && chosen < rows.length ? chosen : likelyHeadingRow(rows)
}

/** The range of the rows below the headings. */
export function rowsBelowHeadings({ preview: { range }, headingRow }: Pick<LoadPlan, 'preview' | 'headingRow'>) {
  return { ...range, row: range.row + headingRow + 1, rows: range.rows - headingRow - 1 } satisfies SheetRange
}

const fieldOf = { Entity: 'entity', Area: 'area', Subarea: 'subarea', Milestone: 'milestone' } as const

/** Excel on the web allows longer workbook names than a load stores. */
const workbookMax = 260

export function beginLoad(
  { organisationId, table, preview, headingRow, columns, names, types }: LoadPlan,
  signal: AbortSignal,
): Promise<Load> {
  const { range } = preview
  const body = {
    comOrganisationId: organisationId,
    ...(table.Kind === 'version' ? { versionId: table.Id } : { helperTableId: table.Id }),
    source: 'addin' as const,
    workbook: range.workbook.slice(0, workbookMax),
    sheet: range.sheet,
    firstRow: range.row + headingRow + 1,
    firstColumn: range.column + 1,
    columns: columns.map(({ heading }) => heading),
    types: columns.flatMap(({ heading }) => {
      const type = types[heading]
      return type === undefined ? [] : [{ column: heading, type }]
    }),
    ...Object.fromEntries(Object.entries(names).map(([dimension, name]) => [fieldOf[dimension as RowDimension], name])),
  }
  return call('POST /loads', { body, signal })
}

/** Whether the range and its headings are the same as when the plan was made. */
export async function isUnchanged({ preview, headingRow, columns }: LoadPlan): Promise<boolean> {
  const { range, rows } = await repeatPreview(preview)
  const headings = columns.map(({ heading }) => heading)
  return isEqual(range, preview.range) && isEqual((rows[headingRow] ?? []).map(cellText), headings)
}

/** Cancels the load and begins another one with the current sheet. */
export async function restartLoad(
  plan: LoadPlan,
  load: Load,
  signal: AbortSignal,
): Promise<{ plan: LoadPlan; load: Load }> {
  await cancelLoad(load.Id)
  const updated = updatePlan(plan, await repeatPreview(plan.preview))
  return { plan: updated, load: await beginLoad(updated, signal) }
}

/** A selection is not searched again: its range stays the same. */
async function repeatPreview({ source, range }: SourcePreview): Promise<SourcePreview> {
  return readPreview(source, source === 'sheet' ? await findRange(source, range.worksheetId) : range)
}

/** The user may have moved the headings, or corrected some of them: the row with the most known headings counts. */
function updatePlan(plan: LoadPlan, preview: SourcePreview): LoadPlan {
  const headings = new Set(plan.columns.map(({ heading }) => heading).filter((heading) => heading !== ''))
  const matches = preview.rows.map((row) => row.filter((cell) => headings.has(cellText(cell))).length)
  const headingRow = matches.indexOf(Math.max(...matches))
  if (matches[headingRow] === 0)
    throw new PaneError('The headings are not there any more. Choose ‘Cancel’, and then the row that holds them.')
  const columns = inferColumns(preview.rows, headingRow)
  const problem = findHeadingProblem(columns, rowsBelowHeadings({ preview, headingRow }).rows)
  if (problem !== null) throw new PaneError(problem)
  return { ...plan, preview, headingRow, columns }
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Ignores failures: the server removes an unfinished load after some days. */
export async function cancelLoad(loadId: string): Promise<void> {
  await call('DELETE /loads/:loadId', { params: { loadId } }).catch(() => undefined)
}

/**
 * The names that the user may use. Subareas are those of the chosen area, or all if the sheet has a column for the
 * area.
 */
export function listNames(
  dimension: RowDimension,
  { use, table, area }: { use: Use; table: LoadTargetTable; area: string },
): readonly string[] {
  const names = {
    Entity: () => use.Entities.map(({ Name }) => Name),
    Area: () => use.Pairs.map(({ Area }) => Area),
    Subarea: () => use.Pairs.filter(({ Area }) => area === '' || Area === area).map(({ Subarea }) => Subarea),
    Milestone: () => table.Milestones.filter(({ MayWrite }) => MayWrite).map(({ Name }) => Name),
  }
  return [...new Set(names[dimension]())].toSorted((a, b) => a.localeCompare(b))
}
