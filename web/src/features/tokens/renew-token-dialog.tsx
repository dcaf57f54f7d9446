import type { ApiToken } from '@tributary/contract/tokens'
import { tokenLimits } from '@tributary/contract/token-scopes'
import { call } from '../../api/call.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { expiryChoices } from '../../domain/tokens/new-token-dialog.tsx'
import { useRefreshTokens } from '../../domain/tokens/token-queries.ts'
import { TokenSecretDialog } from '../../domain/tokens/token-secret-dialog.tsx'
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'

/** Replaces the secret of a service account’s token, and shows the new one once. */
export function RenewTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const clientId = useOrganisationId()
  const refresh = useRefreshTokens()
  const form = useForm({ days: String(tokenLimits.daysDefault) })
  const renew = useMutation({
    mutationFn: () =>
      call('POST /tributary/clients/:clientId/access-tokens/:accessTokenId/renew', {
        params: { clientId, accessTokenId: token.Id },
        body: { days: Number(form.values['days']) },
      }),
    onSuccess: refresh,
  })
  if (renew.data !== undefined) return <TokenSecretDialog created={renew.data} onClose={onClose} />
  return (
    <MutationDialog
      title={`Renew ${token.Name}?`}
      mutation={renew}
      onClose={onClose}
      onSubmit={() => renew.mutate()}
      submitLabel="Renew"
    >
      <p>The former token stops working at once. Enter the new one in the programs that use it.</p>
      <SelectField field={form.bind('days')} label="Expires" choices={expiryChoices} />
    </MutationDialog>
  )
}
