/** Update Credentials: where one product's tables are written. */
import type { Product, ProductCredentials } from '@tributary/contract/accounting'
import { Button } from '@mantine/core'
import { CallError, messageOf } from '@tributary/client/call-error'
import { tell } from '../../ui/feedback/toasts.tsx'
import { CheckLines } from '../../domain/databases/connection-checks.tsx'
import {
  allOrNothing,
  DatabaseFields,
  databaseInput,
  databaseValues,
} from '../../domain/databases/database-credentials-fields.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useForm } from '../../ui/forms/form.ts'
import { credentialFaults, useCheckCredentials, useRefreshed, useSaveCredentials } from './api.ts'
import { InSight } from './scroll-into-view.tsx'

export interface OpenedCredentials {
  readonly product: Product
  readonly stored: ProductCredentials
}

export function CredentialsDialog({ product, stored, onClose }: OpenedCredentials & { onClose: () => void }) {
  const form = useForm({ ...databaseValues(stored.creds), confirm: stored.creds.password }, allOrNothing)
  const check = useCheckCredentials(product.Id, stored)
  const save = useSaveCredentials(product.Id, stored)
  const refreshed = useRefreshed()
  const failure = save.error ?? check.error
  const isMatched = form.values['password'] === form.values['confirm']
  const fail = (error: unknown) => {
    if (error instanceof CallError) form.fail(credentialFaults(error.fields))
  }

  async function apply() {
    if (!isMatched || !form.validate()) return
    const saved = await save.mutateAsync(databaseInput(form.values)).catch(fail)
    if (saved === undefined) return
    tell(`The database credentials of ${product.CompanyName} are saved.`)
    onClose()
    await refreshed()
  }

  function test() {
    if (form.validate()) void check.mutateAsync(databaseInput(form.values)).catch(fail)
  }

  return (
    <Dialog
      kind="drawer"
      title="Update Credentials"
      subtitle={product.CompanyName}
      isDirty={form.isDirty}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={() => void apply()}
      footer={
        <>
          <CancelButton />
          <Button variant="default" loading={check.isPending} onClick={test}>
            Test connection
          </Button>
          <Button type="submit" disabled={!isMatched} loading={save.isPending}>
            Apply
          </Button>
        </>
      }
    >
      <ErrorBanner
        message={failure === null ? null : messageOf(failure)}
        onDismiss={() => [save, check].forEach((each) => each.reset())}
      />
      <p className="small subtle">
        Leave everything empty, and the tables are written where those of the organisation are, or else to Tributary’s
        own warehouse.
      </p>
      <DatabaseFields form={form} labels={{ database: 'Database', user: 'User', confirm: 'Confirm Password' }} />
      {check.data === undefined ? null : (
        <InSight key={check.submittedAt}>
          <CheckLines lines={check.data} />
        </InSight>
      )}
    </Dialog>
  )
}
