/** The layout of signed-in pages: side bar, banner, page, and the run that the address names. */
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Tooltip.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { layoutRevealMs } from '@tributary/contract/limits'
import { messageOf } from '@tributary/client/call-error'
import { isTrial } from '../../api/trial-mode.ts'
import { WorkspaceContext } from '../../api/session/workspace.ts'
import { withoutConnector } from '../../paths.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { ToastRegion } from '../../ui/feedback/toasts.tsx'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { Page, TitleSuffixContext } from '../../ui/layout/page.tsx'
import { SkeletonCards } from '../../ui/feedback/skeleton.tsx'
import css from './shell.module.css'
import { GuardedOutlet } from './guarded-outlet.tsx'
import { ShellDialogs } from './shell-dialogs.tsx'
import { Sidebar } from './sidebar.tsx'
import { StartedRuns } from './started-runs.tsx'
import { TablePreferences } from './table-preferences.tsx'
import { TrialNotice } from './trial-notice.tsx'
import { type ChosenWorkspace, useChosenWorkspace } from './use-chosen-workspace.ts'
import { useNav } from './use-nav.ts'
import { useReveal } from './use-reveal.ts'
import { lazyDialog } from '../../ui/lazy.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { resolveReAuthentication, useReAuthenticationRequested } from '../../api/session/re-authentication.ts'

const TieOutView = lazyComponent(() => import('../../features/tie-out/tie-out-view.tsx'), 'TieOutView')
const VerificationView = lazyComponent(
  () => import('../../features/verifications/verification-view.tsx'),
  'VerificationView',
)
const ClosedPeriodsView = lazyComponent(
  () => import('../../features/closed-periods/closed-periods-view.tsx'),
  'ClosedPeriodsView',
)
const ReadyByView = lazyComponent(() => import('../../features/ready-by/ready-by-view.tsx'), 'ReadyByView')
const RunDrawer = lazyDialog(() => import('../../features/runs/run-drawer.tsx'), 'RunDrawer')

export function Shell() {
  const nav = useNav()
  const isRevealed = useReveal()
  const chosen = useChosenWorkspace()
  const { workspace } = chosen

  return (
    <WorkspaceContext value={workspace}>
      <TitleSuffixContext value={workspace?.organisation.CompanyName ?? ''}>
        <a className={css.skip} href="#main">
          Skip to the content
        </a>
        <div
          className={css.shell}
          data-nav={nav.isCollapsed ? 'collapsed' : 'open'}
          data-revealed={isRevealed || undefined}
          data-reveal-ms={layoutRevealMs}
        >
          <Sidebar nav={nav} chosen={chosen} />
          <div className={css.content}>
            {workspace === null ? (
              <WorkspacePlaceholder chosen={chosen} />
            ) : (
              <TablePreferences>
                <WorkspacePages key={workspace.organisation.Id} chosen={chosen} />
              </TablePreferences>
            )}
            {isTrial() && nav.isOverlay ? (
              // A landmark, because it lies outside the page.
              <aside className={css.below} aria-label="About this trial">
                <TrialNotice />
              </aside>
            ) : null}
          </div>
        </div>
        <ToastRegion />
        <ReAuthenticationHost />
      </TitleSuffixContext>
    </WorkspaceContext>
  )
}

/** Keyed by organisation, so that no state and no input survives a switch. */
function WorkspacePages({ chosen }: { chosen: ChosenWorkspace }) {
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  const connectorId = params.get('connector')
  return (
    <ShellDialogs chosen={chosen}>
      <GuardedOutlet />
      <StartedRuns />
      {connectorId === null ? null : (
        <RunDrawer
          connectorId={connectorId}
          runId={params.get('run')}
          TieOut={TieOutView}
          Verification={VerificationView}
          ClosedPeriods={ClosedPeriodsView}
          ReadyBy={ReadyByView}
          onClose={() => changeAddress(withoutConnector)}
        />
      )}
    </ShellDialogs>
  )
}

function WorkspacePlaceholder({ chosen }: { chosen: ChosenWorkspace }) {
  const isComing = chosen.error === null && !chosen.isEmpty
  return (
    <Page kind="board" title={chosen.isEmpty ? 'No organisation' : ' '} isTemporary={isComing}>
      {chosen.error === null ? null : <LoadFailure message={messageOf(chosen.error)} onRetry={chosen.retry} />}
      {chosen.isEmpty ? (
        <p className="muted">You are not a member of any organisation yet. Ask an administrator to add you.</p>
      ) : null}
      {isComing ? <SkeletonCards count={3} height={168} /> : null}
    </Page>
  )
}

const ReAuthenticationDialog = lazyDialog(() => import('./re-authentication-dialog.tsx'), 'ReAuthenticationDialog')
/** Rejects the waiting calls; form input stays. */
const cancelReAuthentication = () => resolveReAuthentication(false)

function ReAuthenticationHost() {
  const wanted = useReAuthenticationRequested()
  return wanted === null ? null : (
    <ReAuthenticationDialog key={wanted} wanted={wanted} onClose={cancelReAuthentication} />
  )
}
