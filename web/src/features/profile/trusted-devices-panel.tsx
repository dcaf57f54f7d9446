import type { VerificationDevice } from '@tributary/contract/sign-in'
import { IconDeviceLaptop, IconShieldCheck } from '@tabler/icons-react'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { EntryButton, EntryList, EntryListItem } from '../../ui/layout/entry-list.tsx'
import { useRefreshSecurity } from './api.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'

export function TrustedDevicesPanel({ devices }: { devices: readonly VerificationDevice[] }) {
  const refresh = useRefreshSecurity()
  const forget = useMutation({
    mutationFn: (deviceId: string) => call('DELETE /me/security/mfa/devices/:deviceId', { params: { deviceId } }),
    onSuccess: refresh,
  })
  return (
    <Panel title="Devices">
      <MutationError of={forget} />
      {devices.length === 0 ? <p className="muted">None yet. A device appears here when you sign in with it.</p> : null}
      <EntryList>
        {devices.map((device) => (
          <EntryListItem
            key={device.Reference}
            title={device.Description}
            marks={
              <>
                {device.Trusted ? <StatusBadge label="Trusted" tone="ok" icon={IconShieldCheck} /> : null}
                {device.IsThisDevice ? <StatusBadge label="This device" tone="info" icon={IconDeviceLaptop} /> : null}
              </>
            }
            detail={
              <>
                Last seen <RelativeTime at={device.LastSeenAtUtc} />
                {device.Trusted ? '. No code is required here.' : ''}
              </>
            }
            action={
              <EntryButton
                aria-label={`Delete ${device.Description}`}
                loading={forget.isPending && forget.variables === device.Reference}
                onClick={() => forget.mutate(device.Reference)}
              >
                Delete
              </EntryButton>
            }
          />
        ))}
      </EntryList>
    </Panel>
  )
}
