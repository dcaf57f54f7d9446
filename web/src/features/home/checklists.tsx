/** Checklists of a new organisation. Facts complete the steps; an administrator can dismiss a list for all of them. */
import type { Checklist, ChecklistName } from '@tributary/contract/checklist'
import type { OverviewConnector } from '@tributary/contract/overview'
import { Button } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react/visitor-icons'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useWorkspace } from '../../api/session/workspace.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { useDismissChecklist } from './api.ts'
import { checklistTitles, stepPath, stepTexts } from './checklist-steps.ts'
import css from './checklists.module.css'

interface ChecklistsProps {
  checklists: readonly Checklist[]
  connectors: readonly OverviewConnector[]
}

export function Checklists({ checklists, connectors }: ChecklistsProps) {
  const { organisation, identity } = useWorkspace()
  const [dismissed, setDismissed] = useState<readonly ChecklistName[]>([])
  const shown = checklists.filter(({ Name }) => !dismissed.includes(Name))
  const isNew = shown.some(({ Name, Steps }) => Name === 'connect' && Steps.every(({ Done }) => !Done))
  if (shown.length === 0 && dismissed.length === 0) return null
  return (
    <div className={css.checklists}>
      {isNew ? (
        <p
          className={css.welcome}
        >{`Welcome, ${identity.firstName}. ${organisation.CompanyName} is ready to begin.`}</p>
      ) : null}
      {dismissed.map((name) => (
        <DismissedChecklist
          key={name}
          name={name}
          onRestored={() => setDismissed(dismissed.filter((one) => one !== name))}
        />
      ))}
      {shown.map((checklist) => (
        <ChecklistCard
          key={checklist.Name}
          checklist={checklist}
          connectors={connectors}
          onDismissed={() => setDismissed([...dismissed, checklist.Name])}
        />
      ))}
    </div>
  )
}

interface ChecklistCardProps {
  checklist: Checklist
  connectors: readonly OverviewConnector[]
  onDismissed: () => void
}

function ChecklistCard({ checklist: { Name, Steps }, connectors, onDismissed }: ChecklistCardProps) {
  const dismiss = useDismissChecklist(Name)
  const title = checklistTitles[Name]
  const done = Steps.filter(({ Done }) => Done).length
  const next = Steps.find(({ Done }) => !Done)?.Name
  const id = `checklist-${Name}`
  return (
    <section className={css.checklist} aria-labelledby={id}>
      <div className={css.head}>
        <h2 id={id}>{title}</h2>
        <p className={css.progress}>
          <progress max={Steps.length} value={done} aria-label={`${title}: steps done`} />
          {`${done} of ${Steps.length} done`}
        </p>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-describedby={id}
          loading={dismiss.isPending}
          onClick={() => dismiss.mutate(true, { onSuccess: onDismissed })}
        >
          Dismiss
        </Button>
      </div>
      <MutationError of={dismiss} />
      <ol className={css.steps}>
        {Steps.map(({ Name: step, Done }) => (
          <Step
            key={step}
            isDone={Done}
            isNext={step === next}
            path={stepPath(step, connectors)}
            {...stepTexts[step]}
          />
        ))}
      </ol>
    </section>
  )
}

interface StepProps {
  isDone: boolean
  isNext: boolean
  /** Null if it cannot be done yet. */
  path: string | null
  title: string
  text: string
}

function Step({ isDone, isNext, path, title, text }: StepProps) {
  const Icon = isDone ? IconCircleCheck : IconCircleDashed
  return (
    <li
      className={css.step}
      data-state={isDone ? 'done' : isNext ? 'next' : 'open'}
      aria-current={isNext ? 'step' : undefined}
    >
      <Icon size={20} stroke={1.75} />
      <span>
        <StepLink path={path}>{title}</StepLink>
        <span className="visually-hidden">{isDone ? ', done' : ', to do'}</span>
        <span className={css.text}>{text}</span>
      </span>
    </li>
  )
}

function StepLink({ path, children }: { path: string | null; children: ReactNode }) {
  if (path === null) return <span className={css.name}>{children}</span>
  if (path.startsWith('#'))
    return (
      <a className={css.name} href={path}>
        {children}
      </a>
    )
  return (
    <Link className={css.name} to={path}>
      {children}
    </Link>
  )
}

/** Takes the place of a dismissed list until the user leaves the page. */
function DismissedChecklist({ name, onRestored }: { name: ChecklistName; onRestored: () => void }) {
  const { organisation } = useWorkspace()
  const restore = useDismissChecklist(name)
  return (
    <div className={css.dismissed}>
      <output>{`‘${checklistTitles[name]}’ is dismissed for ${organisation.CompanyName}.`}</output>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={restore.isPending}
        onClick={() => restore.mutate(false, { onSuccess: onRestored })}
      >
        Show it again
      </Button>
      <MutationError of={restore} />
    </div>
  )
}
