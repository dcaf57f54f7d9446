/** Assigns a company that a token reaches to the selected organisation, with the database for its tables. */
import type { AccountingToken, TokenTenant } from '@tributary/contract/accounting'
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace, useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import {
  confirmationRule,
  CredentialsFields,
  pickCredentials,
} from '../../domain/databases/database-credentials-fields.tsx'
import { useForm, type FormValues } from '../../ui/forms/use-form.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { tokenTenants, useInvalidateProducts } from './api.ts'
import css from './tokens.module.css'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'

/** Empty credentials select the product's own warehouse. */
const ownWarehouse = {
  connector: 'mssql',
  host: '',
  database: '',
  schema: '',
  user: '',
  password: '',
  encryption: 'verify',
} as const

interface TenantFormProps {
  token: AccountingToken
  tenant: TokenTenant
}

export function TenantForm({ token, tenant }: TenantFormProps) {
  const { organisation } = useWorkspace()
  const form = useForm(tenantFormValues(tenant), (values) => ({ confirm: confirmationRule(values) }))
  const assign = useAssignTenant(token.id, tenant)

  function submit(creds: TableSyncCredentials) {
    assign.mutate(creds, {
      onError: (error) => form.showErrors(fieldErrorsOf(error)),
    })
  }

  return (
    <Panel title={tenant.tenantName}>
      <MutationError of={assign} />
      <TenantOwnership tenant={tenant} selected={organisation.CompanyName} />
      <form
        noValidate
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (form.validate()) submit(pickCredentials(form.values))
        }}
      >
        <TextInput
          label="Organisation name"
          description="As the accounting program calls it."
          value={tenant.tenantName}
          readOnly
        />
        <CredentialsFields
          form={form}
          labels={{ database: 'Database name', user: 'User', confirm: 'Confirm password' }}
        />
        <div className={css.actions}>
          <Button
            type="submit"
            disabled={!isComplete(form.values)}
            loading={assign.isPending && assign.variables.host !== ''}
          >
            Submit
          </Button>
          <Button
            variant="default"
            loading={assign.isPending && assign.variables.host === ''}
            onClick={() => submit(ownWarehouse)}
          >
            Use Tributary’s own warehouse
          </Button>
        </div>
        <p className="small subtle">
          {`The warehouse needs nothing filled in. Where ${organisation.CompanyName} has a database of its own, the tables are written there instead.`}
        </p>
      </form>
    </Panel>
  )
}

function TenantOwnership({ tenant: { CompanyName }, selected }: { tenant: TokenTenant; selected: string }) {
  if (CompanyName === null)
    return <p className="small subtle">{`This makes it a product of ${selected}, the organisation selected.`}</p>
  if (CompanyName === selected)
    return <p className="small subtle">{`It is a product of ${selected} already; here its database is changed.`}</p>
  return (
    <Callout
      tone="warn"
      title={`It belongs to ${CompanyName}.`}
    >{`Disconnect it there before you give it to ${selected}.`}</Callout>
  )
}

function tenantFormValues({ creds }: TokenTenant): FormValues {
  const shown: TableSyncCredentials = creds ?? ownWarehouse
  return { ...pickCredentials(shown), confirm: shown.password }
}

/** True if every field is filled and both passwords match. The confirmation may be empty only if the password is. */
function isComplete(values: FormValues): boolean {
  const { confirm, ...others } = values
  return Object.values(others).every((value) => String(value).trim() !== '') && confirm === values['password']
}

function useAssignTenant(tokenId: string, { tenantId, tenantName }: TokenTenant) {
  const organisationId = useOrganisationId()
  const queryClient = useQueryClient()
  const invalidateProducts = useInvalidateProducts()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (creds: TableSyncCredentials) =>
      call('PATCH /token/:tokenId', {
        params: { tokenId },
        body: { tenantId, tenantName, creds, organisationId },
      }),
    onSuccess: async () => {
      showToast('Success!')
      void invalidateProducts()
      // Marks the tenants stale without refetching: the source is queried when the page is opened again.
      void queryClient.invalidateQueries({ queryKey: tokenTenants(tokenId).queryKey, refetchType: 'none' })
      await navigate(paths.entities)
    },
  })
}
