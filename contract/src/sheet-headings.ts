/** Matches the headings of a sheet with the columns of its table. Pure, and free of zod, because browsers import it. */
import type { LoadTargetTable } from './loads.ts'

/** The dimensions of every row of a version: from a column with that heading, or selected for the whole sheet. */
export const sliceHeadings = ['Entity', 'Area', 'Subarea', 'Milestone'] as const

/** Canonicalises a name: case, surrounding blanks and Unicode normalisation do not matter. */
export function plainName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase()
}

/** Positions, from 0, of the columns that the table gets with a load of this sheet. */
export function newColumns(
  headings: readonly string[],
  { Kind, Columns }: Pick<LoadTargetTable, 'Kind' | 'Columns'>,
): readonly number[] {
  const known = new Set(
    [...Columns.map(({ Name }) => Name), ...(Kind === 'version' ? sliceHeadings : [])].map(plainName),
  )
  return headings.flatMap((heading, at) => (plainName(heading) === '' || known.has(plainName(heading)) ? [] : [at]))
}
