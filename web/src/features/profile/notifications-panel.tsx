import { AlertChannelEntries } from '../../domain/alerts/alert-channels.tsx'
import { useWorkspace } from '../../api/session/workspace.ts'
import { Panel } from '../../ui/layout/panel.tsx'

/** Where incidents of the current organisation are reported to the person. */
export function NotificationsPanel() {
  const { organisation } = useWorkspace()
  return (
    <Panel title="Notifications">
      <p className="small subtle">
        {`When a connector of ${organisation.CompanyName} that you may see needs someone, and when it works again. Only you see what you choose.`}
      </p>
      <AlertChannelEntries owner="person" />
    </Panel>
  )
}
