import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlugOff, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Outlet } from 'react-router'
import { isActive, isAdminRole } from '../../../domain/connectors/connector-state.ts'
import { useType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay, useWorkspace } from '../../../api/session/workspace.ts'
import { useAddress, useChangeAddress } from '../../../ui/hooks/search-params.ts'
import { ErrorBanner } from '../../../ui/feedback/error-banner.tsx'
import { Note } from '../../../ui/feedback/callout.tsx'
import { arrivalError } from './connect-error.ts'
import { ConnectorList } from './connector-list.tsx'
import { ConnectorPage } from '../connector-page.tsx'
import css from '../connectors.module.css'
import { ManageCard } from './manage-card.tsx'
import type { Opened } from './open-dialog.ts'
import { useArrived } from './use-newly-connected.ts'
import { useConnectors } from '../use-connectors.ts'
import { laterDialog } from '../../../ui/later.tsx'

// Long forms, which a list of cards does not wait for.
const OpenedDialog = laterDialog(async () => (await import('./manage-dialogs.tsx')).OpenedDialog)

export function ManagePage() {
  const { name, type } = useType()
  const mayAdd = useMay()('addConnector')
  const { all = [] } = useConnectors(name)
  const arrived = useArrived(all)
  const params = useAddress()
  const changeAddress = useChangeAddress()
  const isDirect = params.get('new') === 'true'
  const [opened, setOpened] = useState<Opened | null>(isDirect && mayAdd ? { what: 'add' } : null)
  // What the dashboard says is to be mended is open when one arrives.
  const [editId, setEditId] = useState(params.get('edit'))
  const asked = mayAdd ? all.find(({ Id, SharedBy }) => Id === editId && SharedBy === null) : undefined
  const shown: Opened | null = opened ?? (asked === undefined ? null : { what: 'edit', connector: asked })
  const close = () => {
    setOpened(null)
    setEditId(null)
  }
  // Where people sign in at the source, that comes first, and its dialogs are others: the address names them. Which it is, the type tells.
  function open(next: Opened) {
    if (type?.RequiresAuthorisation !== true) setOpened(next)
    else if (next.what === 'add') changeAddress(() => new URLSearchParams({ add: '' }))
    else if (next.what === 'reconnect') changeAddress(() => new URLSearchParams({ reconnect: next.connector.Id }))
    else setOpened(next)
  }

  const add = mayAdd ? (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      disabled={type === undefined}
      onClick={() => open({ what: 'add' })}
    >
      Add connector
    </Button>
  ) : null

  return (
    <ConnectorPage>
      <ArrivalError />
      {isDirect && !mayAdd ? <MayNotAdd /> : null}
      {all.length > 0 ? <Toolbar add={add} connectors={all} onOpen={open} /> : null}
      <ConnectorList
        renderCard={(connector) => (
          <ManageCard key={connector.Id} connector={connector} hasArrived={arrived.has(connector.Id)} onOpen={open} />
        )}
        firstAction={add}
      />
      {shown === null ? null : (
        <OpenedDialog key={keyOf(shown)} opened={shown} isDirect={isDirect} onOpen={open} onClose={close} />
      )}
      <Outlet />
    </ConnectorPage>
  )
}

interface ToolbarProps {
  readonly add: ReactNode
  readonly connectors: readonly Connector[]
  readonly onOpen: (opened: Opened) => void
}

/** What concerns several: disconnecting all of one's own, and connecting again what is disconnected, whose card has no actions. */
function Toolbar({ add, connectors, onOpen }: ToolbarProps) {
  const { identity } = useWorkspace()
  const { type } = useType()
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
        leftSection={<IconPlugOff size={16} aria-hidden />}
        disabled={active.length === 0}
        onClick={() => onOpen({ what: 'disconnectAll', connectors: active })}
      >
        Disconnect all
      </Button>
      {only === undefined ? null : (
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
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

/** An address that says to add one may have been passed on to anybody. */
function MayNotAdd() {
  return (
    <div className={css.toolbar}>
      <Note tone="warn" title="You cannot add a connector.">
        Only administrators of an organisation may. Please ask yours.
      </Note>
    </div>
  )
}

/** What the address says went wrong on the way here. */
function ArrivalError() {
  const { title } = useType()
  const changeAddress = useChangeAddress()
  const error = useAddress().get('error')
  const dismiss = () => changeAddress({ error: null }, { replace: true })
  if (error === null) return null
  return (
    <div className={css.toolbar}>
      <div className={css.wide}>
        <ErrorBanner message={arrivalError(error, title)} onDismiss={dismiss} />
      </div>
    </div>
  )
}

/** Another dialog begins anew, with its own values. */
function keyOf(opened: Opened): string {
  return 'connector' in opened ? `${opened.what} ${opened.connector.Id}` : opened.what
}
