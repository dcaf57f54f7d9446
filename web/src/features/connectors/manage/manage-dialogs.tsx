import { useNavigate } from 'react-router'
import { useConnectorType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay } from '../../../api/session/workspace.ts'
import { paths } from '../../../paths.ts'
import { announceToScreenReader } from '../../../ui/feedback/toasts.tsx'
import { AssignUsersDialog } from './assign-users-dialog.tsx'
import { ConnectorDrawer } from '../form/connector-drawer.tsx'
import { DisconnectAllDialog, DisconnectDialog } from './disconnect-dialog.tsx'
import type { OpenManagePageDialog, OpenConnectorForm } from './open-dialog.ts'
import { ReconnectDialog } from './reconnect-dialog.tsx'
import { unusedName } from '../form/settings-form.ts'
import type { SavedConnector } from '../form/use-save-connector.ts'
import { useConnectors } from '../use-connectors.ts'

interface ManageDialogsProps<What = OpenManagePageDialog> {
  readonly opened: What
  /** The URL asked to add a connector, so cancelling returns to the home page. */
  readonly isDirect: boolean
  readonly onOpen: (opened: OpenManagePageDialog) => void
  readonly onClose: () => void
}

export function ManageDialogs(props: ManageDialogsProps) {
  const { opened, onOpen, onClose } = props
  const { name } = useConnectorType()
  switch (opened.what) {
    case 'users':
      return <AssignUsersDialog connector={opened.connector} onClose={onClose} />
    case 'delete':
    case 'disconnect':
      return <DisconnectDialog how={opened.what} connector={opened.connector} onClose={onClose} />
    case 'disconnectAll':
      return <DisconnectAllDialog type={name} connectors={opened.connectors} onClose={onClose} />
    case 'chooseReconnect':
      return (
        <ReconnectDialog
          connectors={opened.connectors}
          onChoose={(connector) => onOpen({ what: 'reconnect', connector })}
          onClose={onClose}
        />
      )
    default:
      return <ConnectorSettingsDialog {...props} opened={opened} />
  }
}

function ConnectorSettingsDialog({ opened, isDirect, onClose }: ManageDialogsProps<OpenConnectorForm>) {
  const { name, type, title } = useConnectorType()
  const may = useMay()
  const navigate = useNavigate()
  const { all } = useConnectors(name)
  if (type === undefined || all === undefined || !may('addConnector')) return null
  // Connectors that use OAuth are added by signing in at the source.
  if (type.RequiresAuthorisation && opened.what !== 'edit') return null

  function afterSaving({ connector, runId }: SavedConnector) {
    if (opened.what === 'edit') {
      announceToScreenReader(`${connector.Name} is saved.`)
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
          ? unusedName(
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
