import { AlertChannelEntries } from '../../domain/alerts/alert-channels.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { useWorkspace } from '../../api/session/workspace.ts'

/** Where the alerts of the organisation go. */
export function AlertsPage() {
  const { organisation } = useWorkspace()
  return (
    <Page kind="form">
      <Panel title={`Where alerts of ${organisation.CompanyName} go`}>
        <p className="muted">
          When a connector needs someone, each channel gets one message, and another when it works again. People choose
          their own alerts in their profile.
        </p>
        <AlertChannelEntries owner="organisation" />
      </Panel>
    </Page>
  )
}
