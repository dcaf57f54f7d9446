/** Buttons that start a run. Administrators also get a menu to reload less than everything. */
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { IconCalendar, IconChevronDown, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { useStartRun } from '../../../domain/runs/use-start-run.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { ErrorBanner } from '../../../ui/feedback/error-banner.tsx'
import { MenuButton } from '../../../ui/overlays/menu-button.tsx'
import css from './dashboard.module.css'
import { useOpenConnector } from '../../../domain/connectors/connector-link.tsx'
import { connectorTitleId } from '../use-connectors.ts'

interface RunButtonsProps {
  connector: Connector
  isEnabled: boolean
  size?: 'sm' | 'compact-sm'
}

export function RunButtons({ connector, isEnabled, size = 'sm' }: RunButtonsProps) {
  const may = useMay()
  const [isErrorShown, setErrorShown] = useState(true)
  const openConnector = useOpenConnector(connector.Id)
  const start = useStartRun(connector, (run) => openConnector({ run }))
  const button = (label: string, mode: 'incremental' | 'full') => (
    <Button
      variant="default"
      size={size}
      disabled={!isEnabled}
      loading={start.isPending && start.variables.mode === mode}
      aria-describedby={connectorTitleId(connector)}
      onClick={() => {
        setErrorShown(true)
        start.mutate({ mode })
      }}
    >
      {label}
    </Button>
  )
  return (
    <>
      {start.error === null || !isErrorShown ? null : (
        <div className={css.wide}>
          <ErrorBanner message={messageOf(start.error)} onDismiss={() => setErrorShown(false)} />
        </div>
      )}
      {may('chooseRunMode') ? (
        <>
          {button('Incremental', 'incremental')}
          {button('Full', 'full')}
        </>
      ) : (
        button('Refresh', 'incremental')
      )}
      {may('reloadTables') && connector.SharedBy === null ? (
        <ReloadMenu connector={connector} isEnabled={isEnabled} size={size} />
      ) : null}
    </>
  )
}

/** Both items open the reload dialog, with a different choice preselected. */
function ReloadMenu({ connector, isEnabled, size }: Required<RunButtonsProps>) {
  const openConnector = useOpenConnector(connector.Id)
  return (
    <MenuButton
      position="bottom-start"
      width={220}
      withinPortal
      button={
        <Button
          variant="default"
          size={size}
          px={size === 'sm' ? 8 : 4}
          disabled={!isEnabled}
          aria-label="Only some tables, or from a date"
          aria-describedby={connectorTitleId(connector)}
        >
          <IconChevronDown />
        </Button>
      }
      items={[
        {
          label: 'One table alone',
          icon: <IconTable stroke={1.75} />,
          onSelect: () => openConnector({ view: 'reload' }),
        },
        {
          label: 'From a date',
          icon: <IconCalendar stroke={1.75} />,
          onSelect: () => openConnector({ view: 'reloadFrom' }),
        },
      ]}
    />
  )
}
