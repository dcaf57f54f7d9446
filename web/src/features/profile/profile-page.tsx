import { useQuery } from '@tanstack/react-query'
import type { Security } from '@tributary/contract/profile'
import { alertChannelList } from '../../domain/alerts/alert-queries.ts'
import { NotificationsPanel } from './notifications-panel.tsx'
import { useRoleName } from '../../api/queries/common-queries.ts'
import { useProviderName } from '../../api/session/sign-in-options.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { useUrlParams, useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { TrustedDevicesPanel } from './trusted-devices-panel.tsx'
import { MfaPanel } from './mfa-panel.tsx'
import css from './profile.module.css'
import { PersonalDataPanel } from './personal-data-panel.tsx'
import { AuthenticationFactorsPanel } from './authentication-factors-panel.tsx'
import { IdentityProvidersPanel } from './identity-providers-panel.tsx'
import { securityDetails } from './api.ts'
import { RegionPanel } from './region-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import { ShortcutsPanel } from './shortcuts-panel.tsx'
import { Button, type MantineColorScheme, NativeSelect } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { useTheme } from '../../ui/theme/use-theme.ts'
import { useState } from 'react'
import { lazyDialog } from '../../ui/lazy.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'

export function ProfilePage() {
  const { identity, organisation } = useWorkspace()
  const roleName = useRoleName()
  const security = useQuery(securityDetails)
  const alerts = useQuery(alertChannelList('person', organisation.Id))
  return (
    <Page kind="form">
      <div className={css.page}>
        <LinkingResult />
        <Panel title="You">
          <DescriptionList
            items={[
              { label: 'Email', value: identity.email },
              { label: 'First name', value: identity.firstName },
              { label: 'Last name', value: identity.lastName },
              { label: `Role in ${organisation.CompanyName}`, value: roleName(identity.role) },
            ]}
          />
          <p className="small subtle">
            Your name, address and role are managed by the administrators of your organisation.
          </p>
        </Panel>
        <RegionPanel />
        <ShortcutsPanel />
        <QueryResult query={security} loading={<SecuritySkeleton />}>
          {(data) => <SecurityPanels security={data} />}
        </QueryResult>
        {/* Rendered together with the security panels, which would otherwise push these panels down. */}
        {security.isPending || alerts.isPending ? null : (
          <>
            <NotificationsPanel />
            <AppearancePanel />
            <DeveloperPanel />
            <PersonalDataPanel />
          </>
        )}
      </div>
    </Page>
  )
}

function SecurityPanels({ security }: { security: Security }) {
  return (
    <>
      <MfaPanel security={security} />
      <AuthenticationFactorsPanel security={security} />
      <TrustedDevicesPanel devices={security.VerificationDevices} />
      <PasswordPanel hasPassword={security.HasPassword} />
      <IdentityProvidersPanel security={security} />
      <SessionsPanel />
    </>
  )
}

function SecuritySkeleton() {
  return (
    <Panel title="Multi-factor authentication">
      <SkeletonLines count={3} height={44} />
    </Panel>
  )
}

/** Result of linking an account, which the identity provider's redirect leaves in the URL. */
function LinkingResult() {
  const params = useUrlParams()
  const changeAddress = useUpdateUrlParams()
  const leave = () => changeAddress(() => new URLSearchParams(), { replace: true })
  const linked = params.get('linked')
  const error = params.get('error')
  const providerName = useProviderName()
  const provider = providerName(params.get('provider'))
  if (error !== null) {
    const isTaken = error === 'unauthorised'
    const message = isTaken
      ? `This ${provider} account is linked to another user here.`
      : `Linking your account with ${provider} did not work. Please try again.`
    return <ErrorBanner message={message} onDismiss={leave} />
  }
  if (linked === null) return null
  return (
    <Callout tone="ok">
      <p>You can now sign in with {providerName(linked)}, too.</p>
    </Callout>
  )
}

const themes: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

function AppearancePanel() {
  const { theme, choose } = useTheme()
  return (
    <Panel title="Appearance">
      <NativeSelect
        className={css.theme ?? ''}
        label="Theme"
        description="For this browser."
        data={themes}
        value={theme}
        onChange={(event) => choose(event.currentTarget.value as MantineColorScheme)}
      />
    </Panel>
  )
}

function DeveloperPanel() {
  return (
    <Panel title="For developers">
      <p className="small subtle">
        Everything that the portal does is also a call of its API. The <a href="/api/docs">API documentation</a> lists
        the calls.
      </p>
      <EntryList>
        <EntryListItem
          title="Access tokens"
          detail="For spreadsheets, scripts and assistants that work as you."
          action={
            <Button component={Link} to={paths.accessTokens} variant="default" size="xs">
              Access tokens
            </Button>
          }
        />
      </EntryList>
    </Panel>
  )
}

const LazyPasswordDialog = lazyDialog(() => import('./password-dialog.tsx'), 'PasswordDialog')

function PasswordPanel({ hasPassword }: { hasPassword: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="Password">
      <EntryList>
        <EntryListItem
          title={hasPassword ? 'You sign in with a password.' : 'You have no password.'}
          detail="Changing it signs you out everywhere else."
          action={
            <EntryButton onClick={() => setOpen(true)}>
              {hasPassword ? 'Change password' : 'Set a password'}
            </EntryButton>
          }
        />
      </EntryList>
      {isOpen ? <LazyPasswordDialog hasPassword={hasPassword} onClose={() => setOpen(false)} /> : null}
    </Panel>
  )
}
