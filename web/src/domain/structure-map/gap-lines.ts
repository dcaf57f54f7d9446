/** What is missing in the planning structure, in words, each with the place where it is fixed. */
import type { StructureGap, StructureGapKind, StructureMap } from '@tributary/contract/structure-map'
import { newSubject, editParameter, subjectPath, unlinkedSubjectsPath } from '../link-editor/editor-search-params.ts'
import { paths } from '../../paths.ts'
import { formatCount, formatList } from '../../ui/formats.ts'
import { recordDescriptions } from './record-descriptions.ts'

export interface GapLine {
  readonly key: string
  /** 'Budget 2027 has no table', '2 versions have no table' or 'Add areas'. */
  readonly text: string
  /** The names of the first of several records and the number of the others, or what such a record is. */
  readonly note: string | null
  readonly to: string
}

/** How the first record of each kind is added. */
export const firstRecordLines = {
  Areas: { key: 'Areas', text: 'Add areas', note: recordDescriptions.area, to: paths.areas },
  Subareas: { key: 'Subareas', text: 'Add subareas', note: recordDescriptions.subarea, to: paths.subareas },
  Versions: { key: 'Versions', text: 'Add versions', note: recordDescriptions.version, to: paths.versions },
  Groups: { key: 'Groups', text: 'Create a security group', note: recordDescriptions.group, to: paths.securityGroups },
  Entities: { key: 'Entities', text: 'Add entities', note: recordDescriptions.entity, to: paths.entities },
} as const satisfies Partial<Record<keyof StructureMap, GapLine>>

interface GapWording {
  readonly one: (name: string) => string
  readonly many: (count: string) => string
  /** The place where one of them is fixed. */
  readonly toOne: (record: StructureGap['Records'][number]) => string
  readonly toMany: string
  /** The records that it is fixed with. Until there are some, adding them is what is missing. */
  readonly waitsFor?: keyof typeof firstRecordLines
}

const newAssignment = `${paths.userGroups}?${new URLSearchParams({ [editParameter]: newSubject })}`

const wordings: Readonly<Record<StructureGapKind, GapWording>> = {
  areasWithoutSubareas: {
    one: (name) => `${name} has no subareas`,
    many: (count) => `${count} areas have no subareas`,
    toOne: ({ Id }) => subjectPath(paths.areaLinks, Id),
    toMany: unlinkedSubjectsPath(paths.areaLinks),
    waitsFor: 'Subareas',
  },
  subareasWithoutAreas: {
    one: (name) => `${name} is in no area`,
    many: (count) => `${count} subareas in no area`,
    toOne: ({ Id }) => subjectPath(paths.subareaLinks, Id),
    toMany: unlinkedSubjectsPath(paths.subareaLinks),
    waitsFor: 'Areas',
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
    waitsFor: 'Groups',
  },
  versionsWithoutGroup: {
    one: (name) => `${name} is in no group`,
    many: (count) => `${count} versions in no group`,
    toOne: () => paths.securityGroups,
    toMany: paths.securityGroups,
    waitsFor: 'Groups',
  },
  peopleWithoutGroup: {
    one: (name) => `${name} is in no group`,
    many: (count) => `${count} people in no group`,
    toOne: ({ Id }) => subjectPath(paths.userGroups, Id),
    toMany: unlinkedSubjectsPath(paths.userGroups),
    waitsFor: 'Groups',
  },
  peopleWithoutEntity: {
    one: (name) => `${name} has no entity`,
    many: (count) => `${count} people have no entity`,
    toOne: ({ Id }) => subjectPath(paths.userEntities, Id),
    toMany: unlinkedSubjectsPath(paths.userEntities),
    waitsFor: 'Entities',
  },
}

/** What is missing of these kinds. */
export function listGapLines(map: StructureMap, kinds: readonly StructureGapKind[]): readonly GapLine[] {
  const lines = map.Gaps.filter(({ Kind }) => kinds.includes(Kind)).map((gap) => describeGap(map, gap))
  // Several kinds may wait for the same record.
  return [...new Set(lines)]
}

function describeGap(map: StructureMap, { Kind, Count, Records }: StructureGap): GapLine {
  const { one, many, toOne, toMany, waitsFor } = wordings[Kind]
  if (waitsFor !== undefined && map[waitsFor] === 0) return firstRecordLines[waitsFor]
  const [first] = Records
  if (Count === 1 && first !== undefined) return { key: Kind, text: one(first.Name), note: null, to: toOne(first) }
  return { key: Kind, text: many(formatCount(Count)), note: listNames(Records, Count), to: toMany }
}

function listNames(records: StructureGap['Records'], count: number): string {
  const names = records.map(({ Name }) => Name)
  const others = count - names.length
  return formatList(others === 0 ? names : [...names, `${formatCount(others)} more`])
}
