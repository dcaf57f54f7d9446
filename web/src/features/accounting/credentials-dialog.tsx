/** Update Credentials: the database that one product's tables are written to. */
import type { AccountingProduct, ProductCredentials } from '@tributary/contract/accounting'
import { Button } from '@mantine/core'
import { CallError, messageOf } from '@tributary/client/call-error'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { ConnectionChecks } from '../../domain/databases/connection-checks.tsx'
import {
  databaseFieldRules,
  CredentialsFields,
  toCredentialsInput,
  toDatabaseValues,
} from '../../domain/databases/database-credentials-fields.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { credentialFieldErrors, useCheckCredentials, useInvalidateProducts, useSaveCredentials } from './api.ts'
import { ScrollIntoView } from './scroll-into-view.tsx'

export interface ProductWithCredentials {
  readonly product: AccountingProduct
  readonly stored: ProductCredentials
}

interface ProductCredentialsDialogProps extends ProductWithCredentials {
  readonly onClose: () => void
}

export function ProductCredentialsDialog({ product, stored, onClose }: ProductCredentialsDialogProps) {
  const form = useForm({ ...toDatabaseValues(stored.creds), confirm: stored.creds.password }, databaseFieldRules)
  const check = useCheckCredentials(product.Id, stored)
  const save = useSaveCredentials(product.Id, stored)
  const invalidateProducts = useInvalidateProducts()
  const failure = save.error ?? check.error
  const passwordsMatch = form.values['password'] === form.values['confirm']
  const showFieldErrors = (error: unknown) => {
    if (error instanceof CallError) form.showErrors(credentialFieldErrors(error.fields))
  }

  async function apply() {
    if (!passwordsMatch || !form.validate()) return
    const saved = await save.mutateAsync(toCredentialsInput(form.values)).catch(showFieldErrors)
    if (saved === undefined) return
    showToast(`The database credentials of ${product.CompanyName} are saved.`)
    onClose()
    await invalidateProducts()
  }

  function test() {
    if (form.validate()) void check.mutateAsync(toCredentialsInput(form.values)).catch(showFieldErrors)
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
          <Button type="submit" disabled={!passwordsMatch} loading={save.isPending}>
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
      <CredentialsFields form={form} labels={{ database: 'Database', user: 'User', confirm: 'Confirm Password' }} />
      {check.data === undefined ? null : (
        <ScrollIntoView key={check.submittedAt}>
          <ConnectionChecks checks={check.data} />
        </ScrollIntoView>
      )}
    </Dialog>
  )
}
