import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { isActive } from '../../../domain/connectors/connector-state.ts'
import { useType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { Mark } from '../../../domain/connectors/connector-icon.tsx'
import { RecordCard } from '../../../ui/display/record-card.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { AuthorisationLine } from '../authorisation/authorisation-summary.tsx'
import type { Opened } from './open-dialog.ts'
import { scheduleWords } from '../schedule/schedule.ts'
import { statusLook } from '../connector-status.ts'
import { titleIdOf } from '../use-connectors.ts'

type OnOpen = (opened: Opened) => void

interface ManageCardProps {
  readonly connector: Connector
  /** It has just been connected: one should see at once which it is. */
  readonly hasArrived: boolean
  readonly onOpen: OnOpen
}

/** A connector on the management page: its settings, its people, its end. One that is shared can only be looked at; one that has ended has no schedule. */
export function ManageCard({ connector, hasArrived, onOpen }: ManageCardProps) {
  const { type } = useType()
  const may = useMay()
  const isOn = isActive(connector)
  const { Name, OriginalName, Type, Schedule, SharedBy } = connector
  return (
    <RecordCard
      titleId={titleIdOf(connector)}
      mark={<Mark name={Type} />}
      title={Name}
      subtitle={OriginalName === Name ? undefined : OriginalName}
      badge={<StatusBadge {...statusLook(connector)} />}
      isInactive={!isOn}
      isHighlighted={hasArrived}
      footer={isOn && SharedBy === null ? <CardButtons connector={connector} onOpen={onOpen} /> : null}
    >
      {isOn ? <p className="small subtle">{scheduleWords(Schedule)}</p> : null}
      {isOn && SharedBy === null && type?.RequiresAuthorisation === true && may('editConnector') ? (
        <AuthorisationLine connector={connector} />
      ) : null}
      {SharedBy === null ? null : <p className="small muted">Shared by {SharedBy}, which keeps its settings.</p>}
    </RecordCard>
  )
}

function CardButtons({ connector, onOpen }: { connector: Connector; onOpen: OnOpen }) {
  const { type } = useType()
  const may = useMay()
  const button = (label: string, what: 'users' | 'edit' | 'disconnect' | 'delete') => (
    <Button
      variant={what === 'delete' ? 'subtle' : 'default'}
      color={what === 'delete' ? 'red' : 'brand'}
      px={12}
      aria-describedby={titleIdOf(connector)}
      onClick={() => onOpen({ what, connector })}
    >
      {label}
    </Button>
  )
  return (
    <>
      {may('seeConnectorUsers') ? button('Manage users', 'users') : null}
      {may('editConnector') ? button('Edit', 'edit') : null}
      {may('disconnectConnector') && type?.Kind === 'accounting' ? button('Disconnect', 'disconnect') : null}
      {may('deleteConnector') ? button('Delete', 'delete') : null}
    </>
  )
}
