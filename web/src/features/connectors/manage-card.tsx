import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { isActive } from '../../api/connector-state.ts'
import { useMay } from '../../api/workspace.ts'
import { Mark } from '../../ui/mark.tsx'
import { RecordCard } from '../../ui/record-card.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Opened } from './opened.ts'
import { scheduleWords } from './schedule.ts'
import { statusLook } from './status-look.ts'
import { titleIdOf, useType } from './use-type.ts'

type OnOpen = (opened: Opened) => void

/** A connector on the management page: its settings, its people, its end. */
export function ManageCard({ connector, onOpen }: { connector: Connector; onOpen: OnOpen }) {
  const isOn = isActive(connector)
  const { Name, OriginalName, Type, Schedule } = connector
  return (
    <RecordCard
      titleId={titleIdOf(connector)}
      mark={<Mark name={Type} />}
      title={Name}
      subtitle={OriginalName === Name ? undefined : OriginalName}
      badge={<StatusBadge {...statusLook(connector)} />}
      isInactive={!isOn}
      footer={isOn ? <CardButtons connector={connector} onOpen={onOpen} /> : null}
    >
      <p className="small subtle">{scheduleWords(Schedule)}</p>
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
      {button('Manage users', 'users')}
      {may('editConnector') ? button('Edit', 'edit') : null}
      {may('disconnectConnector') && type?.Kind === 'accounting' ? button('Disconnect', 'disconnect') : null}
      {may('deleteConnector') ? button('Delete', 'delete') : null}
    </>
  )
}
