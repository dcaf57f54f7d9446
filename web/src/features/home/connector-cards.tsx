import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { OverviewConnector } from '@tributary/contract/overview'
import { IconPlus } from '@tabler/icons-react'
import { IconArrowRight } from '@tabler/icons-react/visitor-icons'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { buildAuthorisationUrl } from '../../api/queries/authorisations.ts'
import { paths } from '../../paths.ts'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { Tooltip } from '../../ui/overlays/tooltip.tsx'
import css from './home.module.css'
import { stateBadges } from '../../domain/connectors/connector-state-badges.ts'
import { isInGroup, needsHelp } from './overview-states.ts'

interface OwnConnectorsCardProps {
  type: ConnectorType
  /** The connectors of the type, those that need help first. */
  connectors: readonly OverviewConnector[]
  organisationId: string
  mayAdd: boolean
}

export function OwnConnectorsCard({ type, connectors, organisationId, mayAdd }: OwnConnectorsCardProps) {
  const active = connectors.filter(({ State }) => State !== 'disconnected')
  const [worst] = active
  return (
    <ConnectorTypeCard
      name={type.Type}
      isEarly={type.IsEarlyStages}
      corner={mayAdd ? <AddAnotherLink type={type} organisationId={organisationId} /> : undefined}
    >
      <Link id={titleId(type)} className={css.name} to={paths.refresh(type.Type)}>
        {type.Title}
      </Link>
      <p className={css.line}>{formatConnectorCount(active.length)}</p>
      <p className={css.foot}>
        {worst === undefined ? (
          <span className={css.state}>Disconnected</span>
        ) : (
          <WorstState connector={worst} isOneOfSeveral={active.length > 1} />
        )}
      </p>
    </ConnectorTypeCard>
  )
}

/** Named if there are several connectors, unless all of them are up to date. */
function WorstState({ connector, isOneOfSeveral }: { connector: OverviewConnector; isOneOfSeveral: boolean }) {
  const { Name, State, LastRun } = connector
  const label = needsHelp(connector) ? 'Needs you' : stateBadges[State].label
  return (
    <>
      <span className={css.state} data-tone={stateBadges[State].tone}>
        <span className={css.dot} aria-hidden />
        {isOneOfSeveral && !isInGroup(connector, 'fresh') ? `${Name}: ${label}` : label}
      </span>
      {LastRun === null ? null : (
        <span className={css.fresh}>
          <RelativeTime at={LastRun.CompletedAtUtc ?? LastRun.QueuedAtUtc} />
        </span>
      )}
    </>
  )
}

/** Excel needs no connector: it is available to every user who may see it. */
export function ExcelCard() {
  return (
    <ConnectorTypeCard name="Excel">
      <Link className={css.name} to={paths.areas}>
        Excel
      </Link>
      <p className={css.line}>Areas, versions and helper tables for planning in a spreadsheet</p>
    </ConnectorTypeCard>
  )
}

export function AvailableConnectorCard({
  type,
  organisationId,
  mayAdd,
}: {
  type: ConnectorType
  organisationId: string
  mayAdd: boolean
}) {
  return (
    <ConnectorTypeCard name={type.Type} isEarly={type.IsEarlyStages} corner={mayAdd ? <IconPlus /> : null}>
      {mayAdd ? (
        <AddConnectorLink type={type} organisationId={organisationId} />
      ) : (
        <span className={css.name}>{type.Title}</span>
      )}
      <p className={css.line}>{type.Description}</p>
      {mayAdd ? null : <p className={css.foot}>Ask your administrator to connect it.</p>}
    </ConnectorTypeCard>
  )
}

function AddConnectorLink({ type, organisationId }: { type: ConnectorType; organisationId: string }) {
  return (
    <AddLink className={css.name} type={type} organisationId={organisationId}>
      {type.Title}
    </AddLink>
  )
}

/** In the corner of a card whose own link leads to the connectors that exist. */
function AddAnotherLink({ type, organisationId }: { type: ConnectorType; organisationId: string }) {
  return (
    <Tooltip label="Add another connector">
      <AddLink
        className={css.add}
        type={type}
        organisationId={organisationId}
        aria-label="Add another connector"
        aria-describedby={titleId(type)}
      >
        <IconPlus size={18} />
      </AddLink>
    </Tooltip>
  )
}

function titleId({ Type }: ConnectorType): string {
  return `own-${Type}`
}

interface AddLinkProps extends Omit<ComponentProps<'a'>, 'type'> {
  type: ConnectorType
  organisationId: string
}

/** Types that use OAuth start at the source, so a plain link leaves the portal. */
function AddLink({ type, organisationId, children, ...link }: AddLinkProps) {
  return type.RequiresAuthorisation ? (
    <a {...link} href={buildAuthorisationUrl(type.Type, organisationId)}>
      {children}
    </a>
  ) : (
    <Link {...link} to={`${paths.manage(type.Type)}?new=true`}>
      {children}
    </Link>
  )
}

interface ConnectorTypeCardProps {
  name: string
  isEarly?: boolean
  corner?: ReactNode
  children: ReactNode
}

function ConnectorTypeCard({ name, isEarly = false, corner, children }: ConnectorTypeCardProps) {
  return (
    <li className={css.card}>
      <div className={css.top}>
        <ConnectorIcon name={name} />
        {isEarly ? <span className={css.early}>early stage</span> : null}
        <span className={css.corner}>{corner ?? <IconArrowRight />}</span>
      </div>
      {children}
    </li>
  )
}

function formatConnectorCount(count: number): string {
  return count === 1 ? '1 connector' : `${count} connectors`
}
