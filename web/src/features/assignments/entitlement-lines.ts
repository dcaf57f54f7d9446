/** Formats a user's entitlements as lines with their reasons. */
import type { Use } from '@tributary/contract/assignments'

export interface EntitlementLine {
  readonly id: string
  readonly name: string
  /** Its version, milestone or helper table is locked. */
  readonly isReadOnly: boolean
  readonly why: string
}

export interface EntitlementSection {
  readonly title: string
  readonly lines: readonly EntitlementLine[]
  /** Number of lines without the search. */
  readonly total: number
  /** The server has sent only the first lines; its search finds the others. */
  readonly hasMore?: boolean
}

/** Keeps the lines whose name or reason contains the term. */
export function entitlementSections(
  { Pairs, MorePairs, Milestones, HelperTables, Entities }: Use,
  term: string,
): readonly EntitlementSection[] {
  return [
    {
      ...filteredSection(
        'Areas and subareas',
        term,
        Pairs.map(({ AreaId, SubareaId, Area, Subarea, Why: EntitlementReasons }) =>
          entitlementLine(`${AreaId} ${SubareaId}`, `${Area} / ${Subarea}`, EntitlementReasons),
        ),
      ),
      hasMore: MorePairs,
    },
    filteredSection(
      'Versions and milestones',
      term,
      Milestones.map(({ MilestoneId, Version, Milestone, MayWrite, Why }) => ({
        ...entitlementLine(MilestoneId, `${Version} / ${Milestone}`, Why),
        isReadOnly: !MayWrite,
      })),
    ),
    filteredSection(
      'Helper Tables',
      term,
      HelperTables.map(({ Id, Name, MayWrite, Why }) => ({ ...entitlementLine(Id, Name, Why), isReadOnly: !MayWrite })),
    ),
    filteredSection(
      'Entities',
      term,
      Entities.map(({ Id, Name, Why }) => entitlementLine(Id, Name, Why)),
    ),
  ]
}

function filteredSection(title: string, term: string, lines: readonly EntitlementLine[]): EntitlementSection {
  const searched = term.trim().toLowerCase()
  return {
    title,
    lines: lines.filter(({ name, why }) => `${name} ${why}`.toLowerCase().includes(searched)),
    total: lines.length,
  }
}

type Why = Use['Entities'][number]['Why']

function entitlementLine(id: string, name: string, reasons: Why): EntitlementLine {
  const why = reasons.map(({ Group, Because }) => (Group === null ? Because : `${Group}: ${Because}`)).join('; ')
  return { id, name, isReadOnly: false, why }
}
