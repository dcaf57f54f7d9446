import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlugOff, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Outlet } from 'react-router'
import { isActive, isAdminRole } from '../../../domain/connectors/connector-state.ts'
import { useConnectorType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay, useWorkspace } from '../../../api/session/workspace.ts'
import { useUrlParams, useUpdateUrlParams } from '../../../ui/hooks/search-params.ts'
import { ErrorBanner } from '../../../ui/feedback/error-banner.tsx'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { connectErrorMessage } from './connect-error.ts'
import { ConnectorCards } from './connector-list.tsx'
import { ConnectorPage } from '../connector-page.tsx'
import css from '../connectors.module.css'
import { ManageCard } from './manage-card.tsx'
import type { OpenManagePageDialog } from './open-dialog.ts'
import { useNewlyConnected } from './use-newly-connected.ts'
import { useConnectors } from '../use-connectors.ts'
import { lazyDialog } from '../../../ui/lazy.tsx'

// Lazy-loaded, so that the cards need not wait for the code of long forms.
const LazyManageDialogs = lazyDialog(() => import('./manage-dialogs.tsx'), 'ManageDialogs')

export function ManagePage() {
  const { name, type } = useConnectorType()
  const mayAdd = useMay()('addConnector')
  const { all = [] } = useConnectors(name)
  const newlyConnected = useNewlyConnected(all)
  const isDirect = useUrlParams().get('new') === 'true'
  const { shown, open, close } = useManageDialog(all, isDirect && mayAdd)

  const add = mayAdd ? (
    <Button leftSection={<IconPlus />} disabled={type === undefined} onClick={() => open({ what: 'add' })}>
      Add connector
    </Button>
  ) : null

  return (
    <ConnectorPage>
      <ConnectError />
      {isDirect && !mayAdd ? <CannotAddConnector /> : null}
      {all.length > 0 ? <ManageToolbar add={add} connectors={all} onOpen={open} /> : null}
      <ConnectorCards
        renderCard={(connector) => (
          <ManageCard key={connector.Id} connector={connector} isNew={newlyConnected.has(connector.Id)} onOpen={open} />
        )}
        firstAction={add}
      />
      {shown === null ? null : (
        <LazyManageDialogs key={dialogKey(shown)} opened={shown} isDirect={isDirect} onOpen={open} onClose={close} />
      )}
      <Outlet />
    </ConnectorPage>
  )
}

/** The open dialog: a chosen one, or the one of the URL. OAuth types have separate dialogs, which the URL opens. */
function useManageDialog(connectors: readonly Connector[], addsAtOnce: boolean) {
  const { type } = useConnectorType()
  const mayAdd = useMay()('addConnector')
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  const [opened, setOpened] = useState<OpenManagePageDialog | null>(addsAtOnce ? { what: 'add' } : null)
  // A link from the dashboard opens the settings of the connector to fix.
  const [editId, setEditId] = useState(params.get('edit'))
  const linked = mayAdd ? connectors.find(({ Id, SharedBy }) => Id === editId && SharedBy === null) : undefined
  const isAdding = params.has('add') && mayAdd && type?.RequiresAuthorisation === false

  function open(next: OpenManagePageDialog) {
    if (type?.RequiresAuthorisation !== true) setOpened(next)
    else if (next.what === 'add') changeAddress(() => new URLSearchParams({ add: '' }))
    else if (next.what === 'reconnect') changeAddress(() => new URLSearchParams({ reconnect: next.connector.Id }))
    else setOpened(next)
  }
  function close() {
    setOpened(null)
    setEditId(null)
    if (isAdding) changeAddress({ add: null }, { replace: true })
  }
  const fromUrl: OpenManagePageDialog | null = linked === undefined ? null : { what: 'edit', connector: linked }
  return { shown: opened ?? (isAdding ? { what: 'add' as const } : fromUrl), open, close }
}

interface ManageToolbarProps {
  readonly add: ReactNode
  readonly connectors: readonly Connector[]
  readonly onOpen: (opened: OpenManagePageDialog) => void
}

/**
 * Actions for several connectors: disconnect all own ones, and reconnect disconnected ones, whose cards have no
 * actions.
 */
function ManageToolbar({ add, connectors, onOpen }: ManageToolbarProps) {
  const { identity } = useWorkspace()
  const { type } = useConnectorType()
  const own = connectors.filter(({ SharedBy }) => SharedBy === null)
  const active = own.filter(isActive)
  const ended = own.filter(({ Status }) => Status === 'DISCONNECTED')
  const [only] = ended
  if (!isAdminRole(identity.role)) return null
  return (
    <div className={css.toolbar}>
      {add}
      <Button
        variant="default"
        leftSection={<IconPlugOff />}
        disabled={active.length === 0}
        onClick={() => onOpen({ what: 'disconnectAll', connectors: active })}
      >
        Disconnect all
      </Button>
      {only === undefined ? null : (
        <Button
          variant="default"
          leftSection={<IconPlugConnected />}
          disabled={type === undefined}
          onClick={() =>
            onOpen(
              ended.length === 1
                ? { what: 'reconnect', connector: only }
                : { what: 'chooseReconnect', connectors: ended },
            )
          }
        >
          Reconnect
        </Button>
      )}
    </div>
  )
}

/** Shown if a link to add a connector was opened by a user without the capability. */
function CannotAddConnector() {
  return (
    <div className={css.toolbar}>
      <Callout tone="warn" title="You cannot add a connector.">
        Only administrators of an organisation may. Please ask yours.
      </Callout>
    </div>
  )
}

/** Error that an OAuth flow reported in the URL. */
function ConnectError() {
  const { title } = useConnectorType()
  const changeAddress = useUpdateUrlParams()
  const error = useUrlParams().get('error')
  const dismiss = () => changeAddress({ error: null }, { replace: true })
  if (error === null) return null
  return (
    <div className={css.toolbar}>
      <div className={css.wide}>
        <ErrorBanner message={connectErrorMessage(error, title)} onDismiss={dismiss} />
      </div>
    </div>
  )
}

/** Remounts the dialog, so that another one starts with its own values. */
function dialogKey(opened: OpenManagePageDialog): string {
  return 'connector' in opened ? `${opened.what} ${opened.connector.Id}` : opened.what
}
