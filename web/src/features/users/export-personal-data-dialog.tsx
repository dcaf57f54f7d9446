/** Exports the personal data of a user as a file, to answer a request for it. */
import type { User } from '@tributary/contract/organisations'
import { call } from '../../api/call.ts'
import { collectPersonalData } from '../../domain/privacy/collect-personal-data.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { fullName } from '../../domain/users/user-names.ts'

export function ExportPersonalDataDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { identity, organisation } = useWorkspace()
  const name = fullName(user)
  const coversAllOrganisations = identity.role === 'superadmin'
  const download = useMutation({
    mutationFn: () =>
      collectPersonalData((query) =>
        call('GET /users/:userId/export', { params: { userId: user.Id }, query: { orgId: organisation.Id, ...query } }),
      ),
    onSuccess: (held) => {
      downloadFile(
        `tributary-data-of-${user.Id}-${held.ExportedAtUtc.slice(0, 10)}.json`,
        JSON.stringify(held, null, 2),
      )
      announceToScreenReader(`The data of ${name} is downloaded.`)
      onClose()
    },
  })
  return (
    <MutationDialog
      title={`Export the data of ${name}`}
      mutation={download}
      onClose={onClose}
      onSubmit={() => download.mutate()}
      submitLabel="Download"
    >
      <p>
        {coversAllOrganisations
          ? `All personal data of ${name}, in every organisation`
          : `All personal data of ${name} in ${organisation.CompanyName}`}
        , complete, as one JSON file. Passwords, keys and the texts of emails are not included.
      </p>
      <p className="small subtle">
        {coversAllOrganisations
          ? 'The audit log records this export.'
          : 'Browsers, sessions and sign-in methods are not included: users download those in their own profile. The audit log records this export.'}
      </p>
    </MutationDialog>
  )
}
