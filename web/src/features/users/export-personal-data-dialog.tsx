/** What is held about somebody, as a file for whoever asks for it. */
import type { User } from '@tributary/contract/organisations'
import { Button } from '@mantine/core'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { collectHeld } from '../../domain/privacy/collect-personal-data.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { saveFile } from '../../ui/files/download.ts'

export function ExportUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { identity, organisation } = useWorkspace()
  const name = `${user.FirstName} ${user.LastName}`
  const isOfAll = identity.role === 'superadmin'
  const download = useMutation({
    mutationFn: () =>
      collectHeld((query) =>
        call('GET /users/:userId/export', { params: { userId: user.Id }, query: { orgId: organisation.Id, ...query } }),
      ),
    onSuccess: (held) => {
      saveFile(`tributary-data-of-${user.Id}-${held.ExportedAtUtc.slice(0, 10)}.json`, JSON.stringify(held, null, 2))
      tell(`The data of ${name} is downloaded.`)
      onClose()
    },
  })
  return (
    <Dialog
      kind="modal"
      title={`Export the data of ${name}`}
      isBusy={download.isPending}
      onClose={onClose}
      onSubmit={() => download.mutate()}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={download.isPending}>
            Download
          </Button>
        </>
      }
    >
      <ErrorBanner message={download.error === null ? null : messageOf(download.error)} onDismiss={download.reset} />
      <p>
        {isOfAll
          ? `Everything that is held about ${name}, in every organisation`
          : `Everything that ${organisation.CompanyName} holds about ${name}`}
        , as one JSON file, with nothing cut off. Passwords, keys and the texts of mails are not in it.
      </p>
      <p className="small subtle">
        {isOfAll
          ? 'The audit log notes that you took it.'
          : 'Their browsers, sessions and ways to sign in are theirs alone: they download those in their own profile. The audit log notes that you took it.'}
      </p>
    </Dialog>
  )
}
