import { useNavigate } from 'react-router'
import { useType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { paths } from '../../../paths.ts'
import { tell } from '../../../ui/feedback/toasts.tsx'
import { AssignUsersDialog } from './assign-users-dialog.tsx'
import { ConnectorDrawer } from '../form/connector-drawer.tsx'
import { EndAllDialog, EndDialog } from './disconnect-dialog.tsx'
import type { Opened, OpenedForm } from './open-dialog.ts'
import { ReconnectDialog } from './reconnect-dialog.tsx'
import { freeName } from '../form/settings-form.ts'
import type { Saved } from '../form/use-save-connector.ts'
import { useConnectors } from '../use-connectors.ts'

interface OpenedDialogProps<What = Opened> {
  readonly opened: What
  /** The address said to add a connector, so giving up leads home. */
  readonly isDirect: boolean
  readonly onOpen: (opened: Opened) => void
  readonly onClose: () => void
}

export function OpenedDialog(props: OpenedDialogProps) {
  const { opened, onOpen, onClose } = props
  const { name } = useType()
  switch (opened.what) {
    case 'users':
      return <AssignUsersDialog connector={opened.connector} onClose={onClose} />
    case 'delete':
    case 'disconnect':
      return <EndDialog how={opened.what} connector={opened.connector} onClose={onClose} />
    case 'disconnectAll':
      return <EndAllDialog type={name} connectors={opened.connectors} onClose={onClose} />
    case 'chooseReconnect':
      return (
        <ReconnectDialog
          connectors={opened.connectors}
          onChoose={(connector) => onOpen({ what: 'reconnect', connector })}
          onClose={onClose}
        />
      )
    default:
      return <SettingsDialog {...props} opened={opened} />
  }
}

function SettingsDialog({ opened, isDirect, onClose }: OpenedDialogProps<OpenedForm>) {
  const { name, type, title } = useType()
  const may = useMay()
  const navigate = useNavigate()
  const { all } = useConnectors(name)
  if (type === undefined || all === undefined || !may('addConnector')) return null
  // That one comes to be by signing in at the source.
  if (type.RequiresAuthorisation && opened.what !== 'edit') return null

  function afterSaving({ connector, runId }: Saved) {
    if (opened.what === 'edit') {
      tell(`${connector.Name} is saved.`)
      onClose()
    } else {
      void navigate(paths.run(name, connector.Id, runId))
    }
  }
  return (
    <ConnectorDrawer
      type={type}
      connector={opened.what === 'add' ? null : opened.connector}
      initialName={
        opened.what === 'add'
          ? freeName(
              title,
              all.map(({ Name }) => Name),
            )
          : opened.connector.Name
      }
      onClose={() => (isDirect && opened.what === 'add' ? void navigate(paths.home) : onClose())}
      onSaved={afterSaving}
    />
  )
}
