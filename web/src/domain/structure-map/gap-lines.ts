/** What is missing in the planning structure, in words, each with the place where it is fixed. */
import type { StructureGap, StructureGapKind } from '@tributary/contract/structure-map'
import { newSubject, editParameter, subjectPath, unlinkedSubjectsPath } from '../link-editor/editor-search-params.ts'
import { paths } from '../../paths.ts'
import { formatCount, formatList } from '../../ui/formats.ts'

export interface GapLine {
  readonly kind: StructureGapKind
  /** 'Budget 2027 has no table', or '2 versions have no table'. */
  readonly text: string
  /** The names of the first of several, and the number of the others. */
  readonly names: string | null
  readonly to: string
}

interface GapWording {
  readonly one: (name: string) => string
  readonly many: (count: string) => string
  /** The place where one of them is fixed. */
  readonly toOne: (record: StructureGap['Records'][number]) => string
  readonly toMany: string
}

const newAssignment = `${paths.userGroups}?${new URLSearchParams({ [editParameter]: newSubject })}`

const wordings: Readonly<Record<StructureGapKind, GapWording>> = {
  areasWithoutSubareas: {
    one: (name) => `${name} has no subareas`,
    many: (count) => `${count} areas have no subareas`,
    toOne: ({ Id }) => subjectPath(paths.areaLinks, Id),
    toMany: unlinkedSubjectsPath(paths.areaLinks),
  },
  subareasWithoutAreas: {
    one: (name) => `${name} is in no area`,
    many: (count) => `${count} subareas in no area`,
    toOne: ({ Id }) => subjectPath(paths.subareaLinks, Id),
    toMany: unlinkedSubjectsPath(paths.subareaLinks),
  },
  versionsWithoutMilestones: {
    one: (name) => `${name} has no milestones`,
    many: (count) => `${count} versions have no milestones`,
    toOne: ({ Id, Name }) => `${paths.versions}?${new URLSearchParams({ search: Name.toLowerCase(), open: Id })}`,
    toMany: paths.versions,
  },
  versionsWithoutTable: {
    one: (name) => `${name} has no table`,
    many: (count) => `${count} versions have no table`,
    toOne: () => paths.tableSync,
    toMany: paths.tableSync,
  },
  helperTablesWithoutTable: {
    one: (name) => `${name} has no table`,
    many: (count) => `${count} helper tables have no table`,
    toOne: () => paths.tableSync,
    toMany: paths.tableSync,
  },
  groupsWithoutGrants: {
    one: (name) => `${name} grants nothing`,
    many: (count) => `${count} groups grant nothing`,
    toOne: ({ Id }) => `${paths.securityGroups}?${new URLSearchParams({ group: Id, step: 'area' })}`,
    toMany: paths.securityGroups,
  },
  groupsWithoutMembers: {
    one: (name) => `${name} has no people`,
    many: (count) => `${count} groups have no people`,
    toOne: () => newAssignment,
    toMany: newAssignment,
  },
  areasWithoutGroup: {
    one: (name) => `${name} is in no group`,
    many: (count) => `${count} areas in no group`,
    toOne: () => paths.securityGroups,
    toMany: paths.securityGroups,
  },
  versionsWithoutGroup: {
    one: (name) => `${name} is in no group`,
    many: (count) => `${count} versions in no group`,
    toOne: () => paths.securityGroups,
    toMany: paths.securityGroups,
  },
  peopleWithoutGroup: {
    one: (name) => `${name} is in no group`,
    many: (count) => `${count} people in no group`,
    toOne: ({ Id }) => subjectPath(paths.userGroups, Id),
    toMany: unlinkedSubjectsPath(paths.userGroups),
  },
  peopleWithoutEntity: {
    one: (name) => `${name} has no entity`,
    many: (count) => `${count} people have no entity`,
    toOne: ({ Id }) => subjectPath(paths.userEntities, Id),
    toMany: unlinkedSubjectsPath(paths.userEntities),
  },
}

export function describeGap({ Kind, Count, Records }: StructureGap): GapLine {
  const { one, many, toOne, toMany } = wordings[Kind]
  const [first] = Records
  if (Count === 1 && first !== undefined) return { kind: Kind, text: one(first.Name), names: null, to: toOne(first) }
  return { kind: Kind, text: many(formatCount(Count)), names: listNames(Records, Count), to: toMany }
}

function listNames(records: StructureGap['Records'], count: number): string {
  const names = records.map(({ Name }) => Name)
  const others = count - names.length
  return formatList(others === 0 ? names : [...names, `${formatCount(others)} more`])
}
