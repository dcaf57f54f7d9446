/** What is loaded and into what, from the first look at the sheet to the load that the server has begun. */
import type { Use } from '@tributary/contract/assignments'
import type { ColumnType } from '@tributary/contract/column-types'
import type { Load, LoadTable } from '@tributary/contract/loads'
import type { Cell } from '@tributary/contract/cells'
import { Refusal } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { findPlace, type Place, readRows, type Source } from '../host/sheet.ts'
import { type Column, columnsOf, likelyHeadingRow, type Plane, problemOf, rowsInSight, textOf } from './headings.ts'

/** The first rows of what would be loaded, titles and headings included. */
export interface Sight {
  readonly source: Source
  readonly place: Place
  readonly rows: readonly (readonly Cell[])[]
}

export interface Plan {
  readonly organisationId: string
  readonly table: LoadTable
  readonly sight: Sight
  /** Counts from 0, from the first row of the place. */
  readonly headingRow: number
  readonly columns: readonly Column[]
  /** For what no column tells. */
  readonly names: Partial<Record<Plane, string>>
  /** Chosen for new columns, by heading. Most cells decide where none was chosen. */
  readonly types: Readonly<Record<string, ColumnType>>
}

export async function lookAt(source: Source): Promise<Sight> {
  return sightOf(source, await findPlace(source))
}

async function sightOf(source: Source, place: Place): Promise<Sight> {
  return { source, place, rows: await readRows(place, 0, Math.min(rowsInSight, place.rows)) }
}

export function headingRowOf({ rows }: Sight, wanted: number | null): number {
  return wanted !== null && wanted < rows.length ? wanted : likelyHeadingRow(rows)
}

/** Of the rows alone, which follow the headings. */
export function rowsPlace({ sight: { place }, headingRow }: Pick<Plan, 'sight' | 'headingRow'>): Place {
  return { ...place, row: place.row + headingRow + 1, rows: place.rows - headingRow - 1 }
}

const fields = { Entity: 'entity', Area: 'area', Subarea: 'subarea', Milestone: 'milestone' } as const

/** Excel allows longer names of workbooks on the web than the receipt keeps. */
const workbookMax = 260

export function beginLoad(
  { organisationId, table, sight, headingRow, columns, names, types }: Plan,
  signal: AbortSignal,
): Promise<Load> {
  const { place } = sight
  const body = {
    comOrganisationId: organisationId,
    ...(table.Kind === 'version' ? { versionId: table.Id } : { helperTableId: table.Id }),
    source: 'addin' as const,
    workbook: place.workbook.slice(0, workbookMax),
    sheet: place.sheet,
    firstRow: place.row + headingRow + 1,
    firstColumn: place.column + 1,
    columns: columns.map(({ heading }) => heading),
    types: columns.flatMap(({ heading }) => {
      const type = types[heading]
      return type === undefined ? [] : [{ column: heading, type }]
    }),
    ...Object.fromEntries(Object.entries(names).map(([plane, name]) => [fields[plane as Plane], name])),
  }
  return call('POST /loads', { body, signal })
}

/** Whether the same cells are to be sent under the same headings as when the plan was made. */
export async function isAsPlanned({ sight: former, headingRow, columns }: Plan): Promise<boolean> {
  const { place, rows } = await lookAgain(former)
  const headings = columns.map(({ heading }) => heading)
  return isEqual(place, former.place) && isEqual((rows[headingRow] ?? []).map(textOf), headings)
}

/** Gives the load up and begins it anew with the sheet as it is now. */
export async function beginAgain(plan: Plan, load: Load, signal: AbortSignal): Promise<{ plan: Plan; load: Load }> {
  await giveUp(load.Id)
  const renewed = renew(plan, await lookAgain(plan.sight))
  return { plan: renewed, load: await beginLoad(renewed, signal) }
}

/** Selected cells are those that were selected before. */
async function lookAgain({ source, place }: Sight): Promise<Sight> {
  return sightOf(source, source === 'sheet' ? await findPlace(source, place.worksheetId) : place)
}

/** Whoever mends a sheet may move its headings, or correct some of them. */
function renew(plan: Plan, sight: Sight): Plan {
  const former = new Set(plan.columns.map(({ heading }) => heading).filter((heading) => heading !== ''))
  const known = sight.rows.map((row) => row.filter((cell) => former.has(textOf(cell))).length)
  const headingRow = known.indexOf(Math.max(...known))
  if (known[headingRow] === 0)
    throw new Refusal('The headings are not there any more. Choose ‘Cancel’, and then the row that holds them.')
  const columns = columnsOf(sight.rows, headingRow)
  const problem = problemOf(columns, rowsPlace({ sight, headingRow }).rows)
  if (problem !== null) throw new Refusal(problem)
  return { ...plan, sight, headingRow, columns }
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** What is left of it goes by itself after some days, so nobody has to wait for this to succeed. */
export async function giveUp(loadId: string): Promise<void> {
  await call('DELETE /loads/:loadId', { params: { loadId } }).catch(() => undefined)
}

/** Only what the person may use; the subareas are those of the chosen area, or of any where the sheet tells the area. */
export function optionsOf(
  plane: Plane,
  { use, table, area }: { use: Use; table: LoadTable; area: string },
): readonly string[] {
  const names = {
    Entity: () => use.Entities.map(({ Name }) => Name),
    Area: () => use.Pairs.map(({ Area }) => Area),
    Subarea: () => use.Pairs.filter(({ Area }) => area === '' || Area === area).map(({ Subarea }) => Subarea),
    Milestone: () => table.Milestones.filter(({ MayWrite }) => MayWrite).map(({ Name }) => Name),
  }
  return [...new Set(names[plane]())].toSorted((a, b) => a.localeCompare(b))
}
