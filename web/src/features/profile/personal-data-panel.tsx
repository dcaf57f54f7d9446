import { IconDownload } from '@tabler/icons-react'
import { call } from '../../api/call.ts'
import { collectPersonalData } from '../../domain/privacy/collect-personal-data.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import css from './profile.module.css'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { EntryButton } from '../../ui/layout/entry-list.tsx'

export function PersonalDataPanel() {
  const download = useMutation({
    mutationFn: () => collectPersonalData((query) => call('GET /me/export', { query })),
    onSuccess: (held) =>
      downloadFile(`tributary-my-data-${held.ExportedAtUtc.slice(0, 10)}.json`, JSON.stringify(held, null, 2)),
  })
  return (
    <Panel
      title="Your data"
      aside={
        <EntryButton
          className={css.action ?? ''}
          leftSection={<IconDownload size={14} />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Download my data
        </EntryButton>
      }
    >
      <MutationError of={download} />
      <p className="small subtle">
        All personal data that Tributary stores about you, complete, as a JSON file. Passwords, keys and the texts of
        emails are not included. After your account is deleted, older backups contain your data until they expire: 35
        days with the retention that the documentation recommends.
      </p>
    </Panel>
  )
}
