/** Update Credentials: the database that one product's tables are written to. */
import type { AccountingProduct, ProductCredentials } from '@tributary/contract/accounting'
import { Button } from '@mantine/core'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { ConnectionChecks } from '../../domain/databases/connection-checks.tsx'
import {
  databaseFieldRules,
  CredentialsFields,
  pickCredentials,
} from '../../domain/databases/database-credentials-fields.tsx'
import { CancelButton } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { useInvalidateProducts } from './api.ts'
import { ScrollIntoView } from './scroll-into-view.tsx'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'

export interface ProductWithCredentials {
  readonly product: AccountingProduct
  readonly stored: ProductCredentials
}

interface ProductCredentialsDialogProps extends ProductWithCredentials {
  readonly onClose: () => void
}

export function ProductCredentialsDialog({ product, stored, onClose }: ProductCredentialsDialogProps) {
  const form = useForm({ ...pickCredentials(stored.creds), confirm: stored.creds.password }, databaseFieldRules)
  const invalidateProducts = useInvalidateProducts()
  const passwordsMatch = form.values['password'] === form.values['confirm']
  const { tenantId, tenantName } = stored
  const buildRequest = () => ({
    params: { connectorId: product.Id },
    body: { tenantId, tenantName, creds: pickCredentials(form.values) },
  })
  const onError = (error: Error) => form.showErrors(fieldErrorsOf(error))
  const check = useMutation({
    mutationFn: () => call('POST /xero2sqlproducts/:connectorId/database-credentials/check', buildRequest()),
    onError,
  })
  const save = useMutation({
    mutationFn: () => call('POST /xero2sqlproducts/:connectorId/database-credentials', buildRequest()),
    onSuccess: () => {
      showToast(`The database credentials of ${product.CompanyName} are saved.`)
      onClose()
      return invalidateProducts()
    },
    onError,
  })

  return (
    <FormDialog
      kind="drawer"
      title="Update Credentials"
      subtitle={product.CompanyName}
      isDirty={form.isDirty}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={() => passwordsMatch && form.validate() && save.mutate()}
      submitLabel="Apply"
      isSubmitDisabled={!passwordsMatch}
      otherButtons={
        <>
          <CancelButton />
          <Button variant="default" loading={check.isPending} onClick={() => form.validate() && check.mutate()}>
            Test connection
          </Button>
        </>
      }
    >
      <MutationError of={[save, check]} />
      <p className="small subtle">
        Leave everything empty, and the tables are written where those of the organisation are, or else to Tributary’s
        own warehouse.
      </p>
      <CredentialsFields form={form} labels={{ database: 'Database', user: 'User', confirm: 'Confirm Password' }} />
      {check.data === undefined ? null : (
        <ScrollIntoView key={check.submittedAt}>
          <ConnectionChecks checks={check.data} />
        </ScrollIntoView>
      )}
    </FormDialog>
  )
}
