import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { approvalNotice, isActive } from '../../../domain/connectors/connector-state.ts'
import { useConnectorType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { ConnectorIcon } from '../../../domain/connectors/connector-icon.tsx'
import { RecordCard } from '../../../ui/display/record-card.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { AuthorisationSummary } from '../authorisation/authorisation-summary.tsx'
import type { OpenManagePageDialog } from './open-dialog.ts'
import { describeSchedule } from '../../../domain/schedules/schedule.ts'
import { connectorStatusBadge } from '../connector-status.ts'
import { connectorTitleId } from '../use-connectors.ts'

type OpenManageDialog = (opened: OpenManagePageDialog) => void

interface ManageCardProps {
  readonly connector: Connector
  /** Highlights a card that has just been connected. */
  readonly isNew: boolean
  readonly onOpen: OpenManageDialog
}

/**
 * A connector on the management page, with its settings and users. A shared connector is read-only; an inactive one
 * has no schedule.
 */
export function ManageCard({ connector, isNew, onOpen }: ManageCardProps) {
  const { type } = useConnectorType()
  const may = useMay()
  const isOn = isActive(connector)
  const { Name, OriginalName, Type, SharedBy } = connector
  return (
    <RecordCard
      titleId={connectorTitleId(connector)}
      mark={<ConnectorIcon name={Type} />}
      title={Name}
      subtitle={OriginalName === Name ? undefined : OriginalName}
      badge={<StatusBadge {...connectorStatusBadge(connector)} />}
      isInactive={!isOn}
      isHighlighted={isNew}
      footer={isOn && SharedBy === null ? <ManageCardButtons connector={connector} onOpen={onOpen} /> : null}
    >
      {isOn ? <ActiveFacts connector={connector} /> : null}
      {isOn && SharedBy === null && type?.RequiresAuthorisation === true && may('editConnector') ? (
        <AuthorisationSummary connector={connector} />
      ) : null}
      {SharedBy === null ? null : <p className="small muted">Shared by {SharedBy}, which keeps its settings.</p>}
    </RecordCard>
  )
}

function ActiveFacts({ connector }: { connector: Connector }) {
  const notice = approvalNotice(connector)
  return (
    <>
      <p className="small subtle">{describeSchedule(connector.Schedule, connector.TimeZone)}</p>
      {notice === null ? null : <p className="small">{notice}</p>}
    </>
  )
}

function ManageCardButtons({ connector, onOpen }: { connector: Connector; onOpen: OpenManageDialog }) {
  const { type } = useConnectorType()
  const may = useMay()
  const button = (label: string, what: 'users' | 'edit' | 'disconnect' | 'delete') => (
    <Button
      variant={what === 'delete' ? 'subtle' : 'default'}
      color={what === 'delete' ? 'red' : 'brand'}
      px={12}
      aria-describedby={connectorTitleId(connector)}
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
