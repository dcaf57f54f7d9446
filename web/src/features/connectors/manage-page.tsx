import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { IconPlugOff, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { isActive, isAdminRole } from '../../api/connector-state.ts'
import { useMay, useWorkspace } from '../../api/workspace.ts'
import { paths } from '../../paths.ts'
import { tell } from '../../ui/announce.tsx'
import { ErrorBanner } from '../../ui/error-banner.tsx'
import { AssignUsersDialog } from './assign-users-dialog.tsx'
import { ConnectorDrawer } from './connector-drawer.tsx'
import { ConnectorList } from './connector-list.tsx'
import { ConnectorPage } from './connector-page.tsx'
import css from './connectors.module.css'
import { ManageCard } from './manage-card.tsx'
import { EndDialog } from './end-dialog.tsx'
import { arrivalError } from './arrival-error.ts'
import type { Opened } from './opened.ts'
import { freeName } from './settings-form.ts'
import { useConnectors, useType } from './use-type.ts'

export function ManagePage() {
  const { name } = useType()
  const may = useMay()
  const { identity } = useWorkspace()
  const { all = [] } = useConnectors(name)
  const [params] = useSearchParams()
  const isDirect = params.get('new') === 'true'
  const [opened, setOpened] = useState<Opened | null>(isDirect ? { what: 'add' } : null)
  const active = all.filter(isActive)

  const add = may('addConnector') ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpened({ what: 'add' })}>
      Add connector
    </Button>
  ) : null

  return (
    <ConnectorPage>
      <ArrivalError />
      {isAdminRole(identity.role) && all.length > 0 ? (
        <div className={css.toolbar}>
          {add}
          <Button
            variant="default"
            leftSection={<IconPlugOff size={16} aria-hidden />}
            disabled={active.length === 0}
            onClick={() => setOpened({ what: 'disconnectAll', connectors: active })}
          >
            Disconnect all
          </Button>
        </div>
      ) : null}
      <ConnectorList
        renderCard={(connector) => <ManageCard key={connector.Id} connector={connector} onOpen={setOpened} />}
        firstAction={add}
      />
      {opened === null ? null : <OpenedDialog opened={opened} isDirect={isDirect} onClose={() => setOpened(null)} />}
    </ConnectorPage>
  )
}

/** What the address says went wrong on the way here. */
function ArrivalError() {
  const { title } = useType()
  const [params, setParams] = useSearchParams()
  const error = params.get('error')
  const dismiss = () =>
    setParams((current) => {
      const next = new URLSearchParams(current)
      next.delete('error')
      return next
    })
  if (error === null) return null
  return (
    <div className={css.toolbar}>
      <div className={css.wide}>
        <ErrorBanner message={arrivalError(error, title)} onDismiss={dismiss} />
      </div>
    </div>
  )
}

function OpenedDialog({ opened, isDirect, onClose }: { opened: Opened; isDirect: boolean; onClose: () => void }) {
  const { name, type, title } = useType()
  const may = useMay()
  const navigate = useNavigate()
  const { all } = useConnectors(name)

  function afterSaving(connector: Connector, runId: string | null) {
    if (opened.what === 'edit') {
      tell(`${connector.Name} is saved.`)
      onClose()
    } else {
      void navigate(paths.run(name, connector.Id, runId))
    }
  }

  switch (opened.what) {
    case 'users':
      return <AssignUsersDialog connector={opened.connector} onClose={onClose} />
    case 'delete':
    case 'disconnect':
      return <EndDialog how={opened.what} connectors={[opened.connector]} answer={opened.connector.Name} onClose={onClose} />
    case 'disconnectAll':
      return <EndDialog how="disconnect" connectors={opened.connectors} answer={String(opened.connectors.length)} onClose={onClose} />
    default:
      if (type === undefined || all === undefined || !may('addConnector')) return null
      return (
        <ConnectorDrawer
          type={type}
          connector={opened.what === 'edit' ? opened.connector : null}
          initialName={
            opened.what === 'edit'
              ? opened.connector.Name
              : freeName(
                  title,
                  all.map(({ Name }) => Name),
                )
          }
          onClose={() => (isDirect && opened.what === 'add' ? void navigate(paths.home) : onClose())}
          onSaved={afterSaving}
        />
      )
  }
}
