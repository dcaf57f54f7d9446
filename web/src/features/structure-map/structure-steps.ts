/** The steps of the map from areas to people: their figures, what each still needs, and what is missing. */
import type { StructureMap } from '@tributary/contract/structure-map'
import { firstRecordLines, type GapLine, listGapLines } from '../../domain/structure-map/gap-lines.ts'
import { paths } from '../../paths.ts'
import { formatCount } from '../../ui/formats.ts'

export interface StructureStep {
  readonly key: 'areas' | 'subareas' | 'links' | 'versions' | 'tables' | 'groups' | 'people'
  readonly title: string
  readonly figures: readonly StepFigure[]
  /** Why the step cannot begin yet. Null if it can. */
  readonly needs: string | null
  /** What is missing in it, or the first record to add. Empty if the step cannot begin. */
  readonly gaps: readonly GapLine[]
}

interface StepFigure {
  /** '12' */
  readonly count: string
  /** 'areas' */
  readonly noun: string
  readonly to: string
}

export function listSteps(map: StructureMap): readonly StructureStep[] {
  return [...listPlanSteps(map), ...listAccessSteps(map)]
}

function listPlanSteps(map: StructureMap): readonly StructureStep[] {
  const { Areas, Subareas, Links, Versions, Milestones, HelperTables, Tables } = map
  const planned = Versions + HelperTables
  return [
    {
      key: 'areas',
      title: 'Areas',
      figures: [figure(Areas, 'area', 'areas', paths.areas)],
      needs: null,
      gaps: Areas === 0 ? [firstRecordLines.Areas] : [],
    },
    {
      key: 'subareas',
      title: 'Subareas',
      figures: [figure(Subareas, 'subarea', 'subareas', paths.subareas)],
      needs: null,
      gaps: Subareas === 0 ? [firstRecordLines.Subareas] : [],
    },
    withNeeds(Areas === 0 || Subareas === 0 ? 'Needs areas and subareas first.' : null, {
      key: 'links',
      title: 'Links',
      figures: [figure(Links, 'link', 'links', paths.areaLinks)],
      gaps: listGapLines(map, ['areasWithoutSubareas', 'subareasWithoutAreas']),
    }),
    {
      key: 'versions',
      title: 'Versions',
      figures: [
        figure(Versions, 'version', 'versions', paths.versions),
        figure(Milestones, 'milestone', 'milestones', paths.versions),
        figure(HelperTables, 'helper table', 'helper tables', paths.helperTables),
      ],
      needs: null,
      gaps: Versions === 0 ? [firstRecordLines.Versions] : listGapLines(map, ['versionsWithoutMilestones']),
    },
    withNeeds(planned === 0 ? 'Needs versions or helper tables first.' : null, {
      key: 'tables',
      title: 'Tables',
      figures: [
        {
          count: `${formatCount(Tables)} of ${formatCount(planned)}`,
          noun: planned === 1 ? 'table' : 'tables',
          to: paths.tableSync,
        },
      ],
      gaps: listGapLines(map, ['versionsWithoutTable', 'helperTablesWithoutTable']),
    }),
  ]
}

const groupGaps = ['groupsWithoutGrants', 'groupsWithoutMembers', 'areasWithoutGroup', 'versionsWithoutGroup'] as const

function listAccessSteps(map: StructureMap): readonly StructureStep[] {
  const { Links, Versions, Groups, Entities, People } = map
  return [
    withNeeds(Links === 0 && Versions === 0 ? 'Needs links or versions first.' : null, {
      key: 'groups',
      title: 'Groups',
      figures: [figure(Groups, 'security group', 'security groups', paths.securityGroups)],
      gaps: Groups === 0 ? [firstRecordLines.Groups] : listGapLines(map, groupGaps),
    }),
    withNeeds(Groups === 0 ? 'Needs a security group first.' : null, {
      key: 'people',
      title: 'People',
      figures: [
        figure(People, 'person', 'people', paths.userGroups),
        figure(Entities, 'entity', 'entities', paths.entities),
      ],
      gaps: [
        ...listGapLines(map, ['peopleWithoutGroup']),
        ...(Entities === 0 ? [firstRecordLines.Entities] : listGapLines(map, ['peopleWithoutEntity'])),
      ],
    }),
  ]
}

export function findNextGap(steps: readonly StructureStep[]): GapLine | undefined {
  return steps.flatMap(({ gaps }) => gaps)[0]
}

function withNeeds(needs: string | null, step: Omit<StructureStep, 'needs'>): StructureStep {
  return { ...step, needs, gaps: needs === null ? step.gaps : [] }
}

function figure(count: number, one: string, many: string, to: string): StepFigure {
  return { count: formatCount(count), noun: count === 1 ? one : many, to }
}
