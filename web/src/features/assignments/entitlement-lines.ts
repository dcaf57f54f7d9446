/** What a person may use as lines to read, each with its reasons. */
import type { Use } from '@tributary/contract/assignments'

export interface UseLine {
  readonly id: string
  readonly name: string
  /** Its version, milestone or helper table is locked. */
  readonly isReadOnly: boolean
  readonly why: string
}

export interface UsePart {
  readonly title: string
  readonly lines: readonly UseLine[]
  /** Without the search. */
  readonly total: number
  /** The server has told the first of them only; its search finds the others. */
  readonly hasMore?: boolean
}

/** Those lines whose name or reason holds the term. */
export function partsOf(
  { Pairs, MorePairs, Milestones, HelperTables, Entities }: Use,
  term: string,
): readonly UsePart[] {
  return [
    {
      ...part(
        'Areas and subareas',
        term,
        Pairs.map(({ AreaId, SubareaId, Area, Subarea, Why }) =>
          line(`${AreaId} ${SubareaId}`, `${Area} / ${Subarea}`, Why),
        ),
      ),
      hasMore: MorePairs,
    },
    part(
      'Versions and milestones',
      term,
      Milestones.map(({ MilestoneId, Version, Milestone, MayWrite, Why }) => ({
        ...line(MilestoneId, `${Version} / ${Milestone}`, Why),
        isReadOnly: !MayWrite,
      })),
    ),
    part(
      'Helper Tables',
      term,
      HelperTables.map(({ Id, Name, MayWrite, Why }) => ({ ...line(Id, Name, Why), isReadOnly: !MayWrite })),
    ),
    part(
      'Entities',
      term,
      Entities.map(({ Id, Name, Why }) => line(Id, Name, Why)),
    ),
  ]
}

function part(title: string, term: string, lines: readonly UseLine[]): UsePart {
  const wanted = term.trim().toLowerCase()
  return {
    title,
    lines: lines.filter(({ name, why }) => `${name} ${why}`.toLowerCase().includes(wanted)),
    total: lines.length,
  }
}

type Why = Use['Entities'][number]['Why']

function line(id: string, name: string, reasons: Why): UseLine {
  const why = reasons.map(({ Group, Because }) => (Group === null ? Because : `${Group}: ${Because}`)).join('; ')
  return { id, name, isReadOnly: false, why }
}
