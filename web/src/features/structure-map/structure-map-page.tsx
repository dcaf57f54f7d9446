/** The planning structure as a map: seven steps from areas to people, with what is missing in each. */
import { Button } from '@mantine/core'
import {
  IconBuilding,
  IconCalendar,
  IconLayoutGrid,
  IconLink,
  IconShieldLock,
  IconTable,
  IconUsers,
} from '@tabler/icons-react'
import { IconCircleCheck, IconHourglass } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { structureMap } from '../../api/queries/planning-structure.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { GapList } from '../../domain/structure-map/gap-list.tsx'
import { paths } from '../../paths.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import css from './structure-map.module.css'
import { findNextGap, listSteps, type StructureStep } from './structure-steps.ts'

export function StructureMapPage() {
  const map = useQuery(structureMap(useOrganisationId()))
  return (
    <Page kind="board">
      <QueryResult query={map} loading={<SkeletonLines count={7} height={64} />}>
        {(found) => <StepMap steps={listSteps(found)} isFetching={map.isFetching} />}
      </QueryResult>
    </Page>
  )
}

function StepMap({ steps, isFetching }: { steps: readonly StructureStep[]; isFetching: boolean }) {
  return (
    <>
      {/* What was next before is not offered again while the map of a changed structure is fetched. */}
      {isFetching ? <SkeletonLines count={1} height={40} /> : <NextStep steps={steps} />}
      <div className={css.frame}>
        <ol className={css.map} aria-label="Steps from areas to people">
          {steps.map((step) => (
            <li key={step.key} className={css.place} data-step={step.key}>
              <StepCard step={step} />
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}

/** The first gap, because later ones often close with it. */
function NextStep({ steps }: { steps: readonly StructureStep[] }) {
  const next = findNextGap(steps)
  return (
    <div className={css.next}>
      <p id="next-step">
        {next === undefined ? 'Nothing is missing. Everyone in a group can load their sheets.' : `Next: ${next.text}.`}
      </p>
      <Button component={Link} to={next?.to ?? paths.loads} aria-describedby="next-step">
        {next === undefined ? 'Load a sheet' : 'Go to the next step'}
      </Button>
    </div>
  )
}

const icons = {
  areas: IconBuilding,
  subareas: IconLayoutGrid,
  links: IconLink,
  versions: IconCalendar,
  tables: IconTable,
  groups: IconShieldLock,
  people: IconUsers,
} as const

function StepCard({ step: { key, title, figures, needs, gaps } }: { step: StructureStep }) {
  const Icon = icons[key]
  return (
    <section className={css.card} aria-labelledby={`step-${key}`} data-state={stateOf({ needs, gaps })}>
      <h2 id={`step-${key}`} className={css.title}>
        <Icon size={18} />
        {title}
      </h2>
      <p className={css.figures}>
        {figures.map(({ count, noun, to }) => (
          <Link key={noun} to={to} className={css.figure}>
            <strong>{count}</strong> {noun}
          </Link>
        ))}
      </p>
      <StepState needs={needs} gaps={gaps} />
    </section>
  )
}

function stateOf({ needs, gaps }: Pick<StructureStep, 'needs' | 'gaps'>): 'waiting' | 'missing' | 'complete' {
  if (needs !== null) return 'waiting'
  return gaps.length === 0 ? 'complete' : 'missing'
}

function StepState({ needs, gaps }: Pick<StructureStep, 'needs' | 'gaps'>) {
  if (needs !== null) return <StepNote icon={<IconHourglass />}>{needs}</StepNote>
  if (gaps.length === 0) return <StepNote icon={<IconCircleCheck />}>Nothing is missing.</StepNote>
  return <GapList gaps={gaps} />
}

function StepNote({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <p className={css.note}>
      {icon}
      {children}
    </p>
  )
}
