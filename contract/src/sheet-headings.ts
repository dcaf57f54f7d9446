/** Headings of a sheet, compared with the columns that its table has. Pure, and free of zod: browsers import it. */
import type { LoadTargetTable } from './loads.ts'

/** What every row of a version belongs to: named by a column of that heading, or chosen for the whole sheet. */
export const sliceHeadings = ['Entity', 'Area', 'Subarea', 'Milestone'] as const

/** Names as people write them: capitals, surrounding blanks and the way accents are stored make no difference. */
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
