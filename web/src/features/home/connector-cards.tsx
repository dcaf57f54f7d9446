import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { IconArrowRight, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buildAuthorisationUrl } from '../../api/queries/authorisations.ts'
import { type Activity, activityOf, isActive, triggeredAt } from '../../domain/connectors/connector-state.ts'
import { paths } from '../../paths.ts'
import { Mark } from '../../domain/connectors/connector-icon.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import css from './home.module.css'

const worstFirst: readonly Activity[] = ['failed', 'stalled', 'running', 'never', 'completed']
const words: Record<Activity, string> = {
  failed: 'Needs you',
  stalled: 'Taking long',
  running: 'Running',
  never: 'Never started',
  completed: 'Up to date',
}

export function OwnCard({
  type,
  connectors,
  time,
}: {
  type: ConnectorType
  connectors: readonly Connector[]
  time: number
}) {
  const active = connectors.filter(isActive)
  const worst = worstOf(active, time)
  return (
    <Card name={type.Type} isEarly={type.IsEarlyStages}>
      <Link className={css.name} to={paths.refresh(type.Type)}>
        {type.Title}
      </Link>
      <p className={css.line}>{countWords(active.length)}</p>
      <p className={css.foot}>
        {worst === null ? (
          <span className={css.state}>Disconnected</span>
        ) : (
          <span className={css.state} data-state={worst.state}>
            <span className={css.dot} aria-hidden />
            {active.length > 1 && worst.state !== 'completed'
              ? `${worst.name}: ${words[worst.state]}`
              : words[worst.state]}
          </span>
        )}
        {worst === null || worst.at === null ? null : (
          <span className={css.fresh}>
            <RelativeTime at={worst.at} />
          </span>
        )}
      </p>
    </Card>
  )
}

interface Standing {
  readonly name: string
  readonly state: Activity
  /** When its latest run ended, or else began; null before the first. */
  readonly at: string | null
}

/** Of the connector that needs attention most, and of several such the one whose time is the oldest. */
function worstOf(connectors: readonly Connector[], time: number): Standing | null {
  const standings = connectors.map(({ Name, Log }): Standing => {
    const at = Log === null ? null : (Log.CompletedAtUtc ?? triggeredAt(Log))
    return { name: Name, state: activityOf(Log, time), at }
  })
  const [worst = null] = standings.toSorted(
    (one, other) =>
      worstFirst.indexOf(one.state) - worstFirst.indexOf(other.state) || (one.at ?? '').localeCompare(other.at ?? ''),
  )
  return worst
}

/** Nobody connects it: it is there for everybody who may see it. */
export function ExcelCard() {
  return (
    <Card name="Excel">
      <Link className={css.name} to={paths.areas}>
        Excel
      </Link>
      <p className={css.line}>Areas, versions and helper tables for planning in a spreadsheet</p>
    </Card>
  )
}

export function AvailableCard({
  type,
  organisationId,
  mayAdd,
}: {
  type: ConnectorType
  organisationId: string
  mayAdd: boolean
}) {
  return (
    <Card name={type.Type} isEarly={type.IsEarlyStages} corner={mayAdd ? <IconPlus size={16} aria-hidden /> : null}>
      {mayAdd ? (
        <AddLink type={type} organisationId={organisationId} />
      ) : (
        <span className={css.name}>{type.Title}</span>
      )}
      <p className={css.line}>{type.Description}</p>
      {mayAdd ? null : <p className={css.foot}>Ask your administrator to connect it.</p>}
    </Card>
  )
}

/** Types that need the source's own consent begin there; the browser leaves the portal for it. */
function AddLink({ type, organisationId }: { type: ConnectorType; organisationId: string }) {
  if (type.RequiresAuthorisation) {
    return (
      <a className={css.name} href={buildAuthorisationUrl(type.Type, organisationId)}>
        {type.Title}
      </a>
    )
  }
  return (
    <Link className={css.name} to={`${paths.manage(type.Type)}?new=true`}>
      {type.Title}
    </Link>
  )
}

interface CardProps {
  name: string
  isEarly?: boolean
  corner?: ReactNode
  children: ReactNode
}

function Card({ name, isEarly = false, corner, children }: CardProps) {
  return (
    <li className={css.card}>
      <div className={css.top}>
        <Mark name={name} />
        {isEarly ? <span className={css.early}>early stage</span> : null}
        <span className={css.corner}>{corner ?? <IconArrowRight size={16} aria-hidden />}</span>
      </div>
      {children}
    </li>
  )
}

function countWords(count: number): string {
  return count === 1 ? '1 connector' : `${count} connectors`
}
