import type { GlobalSetting, SettingKey } from '@tributary/contract/global-configuration'
import { pollMs } from '@tributary/contract/limits'
import { useMay } from '../../api/session/workspace.ts'
import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import css from '../../domain/admin/admin.module.css'
import { DataServersPanel } from './data-servers-panel.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { callQuery } from '../../api/call-query.ts'

const settingList = { ...callQuery(['settings'], 'GET /admin/globalconfiguration'), refetchInterval: pollMs }

export function GlobalConfigurationPage() {
  const may = useMay()
  return (
    <Page kind="form">
      <SettingsPanel />
      {may('manageDataServers') ? <DataServersPanel /> : null}
    </Page>
  )
}

function SettingsPanel() {
  const settings = useQuery(settingList)
  const { data, error } = settings
  const save = useSaveSetting()
  if (data === undefined && error !== null) return <QueryPlaceholder of={settings} />
  return (
    <Panel title="Switches" aside={<span className="small subtle">They apply to every organisation at once.</span>}>
      <MutationError of={save} />
      {data === undefined ? <SkeletonLines count={6} height={56} /> : null}
      <ul className={css.settings}>
        {data?.map((setting) => {
          const pendingValue = save.isPending && save.variables.key === setting.Key ? save.variables.value : null
          return (
            <SettingRow
              key={setting.Key}
              setting={setting}
              // Shows the pending value, so that a poll during the request does not flip the switch back.
              isOn={(pendingValue ?? setting.Value) === 'true'}
              onChange={(isOn) => save.mutate({ key: setting.Key as SettingKey, value: isOn ? 'true' : 'false' })}
            />
          )
        })}
      </ul>
    </Panel>
  )
}

function SettingRow({
  setting,
  isOn,
  onChange,
}: {
  setting: GlobalSetting
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  const { Key, Description, Default, ChangedAtUtc, ChangedBy } = setting
  return (
    <li className={css.setting}>
      <Switch
        label={splitAtCapitals(Key)}
        description={Description}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className="small subtle">
        {ChangedAtUtc === null ? (
          `Default: ${Default === 'true' ? 'on' : 'off'}`
        ) : (
          <>
            Changed <RelativeTime at={ChangedAtUtc} />
            {ChangedBy === null ? null : ` by ${ChangedBy}`}
          </>
        )}
      </span>
    </li>
  )
}

/** Formats 'AllowSignUp' as 'Allow Sign Up'. */
export function splitAtCapitals(key: string): string {
  return key.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
}

function useSaveSetting() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { key: SettingKey; value: 'true' | 'false' }) =>
      call('POST /admin/globalconfiguration', { body }),
    onSuccess: async (saved) => {
      // A poll that started before the change and arrives after it must not flip the switch back.
      await queryClient.cancelQueries({ queryKey: settingList.queryKey })
      queryClient.setQueryData(settingList.queryKey, (list) =>
        list?.map((one) => (one.Key === saved.Key ? saved : one)),
      )
      announceToScreenReader(`${splitAtCapitals(saved.Key)} is ${saved.Value === 'true' ? 'on' : 'off'}.`)
    },
  })
}
