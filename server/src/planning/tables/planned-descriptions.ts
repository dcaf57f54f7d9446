/** What the tables that users load from Excel, and their columns, mean. Pure. */
import type { PlannedTable } from './planned-tables.ts'

/** @param name as people have given it */
export function plannedDescription(kind: PlannedTable['kind'], name: string): string {
  return kind === 'version'
    ? `Rows of the version ${name} that people have loaded from sheets. A load replaces the rows of its slices: of an entity, an area, a subarea and a milestone.`
    : `Rows of the helper table ${name} that people have loaded from sheets. A load replaces all rows.`
}

const ofEveryTable: Readonly<Record<string, string>> = {
  LoadedBy: 'The email address of the person who loaded the row.',
  LoadedAtUtc: 'When the row was loaded, in UTC.',
  LoadId: 'The load that brought the row, as in its receipt.',
  SliceId: 'The slice of the row. It stays the same if a part of the slice is renamed.',
}

const ofVersions: Readonly<Record<string, string>> = {
  Entity: 'The entity that the row plans for.',
  Area: 'The area of the row.',
  Subarea: 'The subarea of the row, one of those of its area.',
  Milestone: 'The milestone of the version that the row belongs to.',
}

export function plannedColumnDescription(kind: PlannedTable['kind'], column: string): string {
  const known = kind === 'version' ? { ...ofEveryTable, ...ofVersions } : ofEveryTable
  return known[column] ?? 'A column of the loaded sheets.'
}
