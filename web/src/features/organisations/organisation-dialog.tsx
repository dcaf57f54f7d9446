import type { Organisation } from '@tributary/contract/organisations'
import { call } from '../../api/call.ts'
import { organisationList } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { SelectField, SwitchField } from '../../ui/forms/choice-fields.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { currentTimeZone, listTimeZoneChoices } from '../../ui/formats.ts'

interface OrganisationDialogProps {
  /** Null to add an organisation. */
  organisation: Organisation | null
  onClose: () => void
}

export function OrganisationDialog({ organisation, onClose }: OrganisationDialogProps) {
  const form = useForm(
    {
      companyName: organisation?.CompanyName ?? '',
      timeZone: organisation?.TimeZone ?? currentTimeZone(),
      requireMultiFactorAuthentication: organisation?.RequireMultiFactorAuthentication ?? false,
    },
    {},
  )
  const save = useSaveOrganisation(organisation, onClose)
  function submit() {
    if (!form.validate()) return
    const input = {
      companyName: String(form.values['companyName']).trim(),
      timeZone: String(form.values['timeZone']),
      requireMultiFactorAuthentication: form.values['requireMultiFactorAuthentication'] === true,
    }
    save.mutate(input, { onError: (error) => form.showErrors(fieldErrorsOf(error)) })
  }
  return (
    <MutationDialog
      title={organisation === null ? 'Add organisation' : `Edit ${organisation.CompanyName}`}
      isDirty={form.isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
    >
      <TextField field={form.bind('companyName')} label="Name" hasFocus isRequired autoComplete="organization" />
      <SelectField
        field={form.bind('timeZone')}
        label="Time zone"
        help="Schedules run in this time zone."
        choices={listTimeZoneChoices(organisation?.TimeZone)}
      />
      {organisation === null ? null : (
        <SwitchField
          field={form.bindSwitch('requireMultiFactorAuthentication')}
          label="Require multi-factor authentication"
          help="Members must use a second factor when they sign in. Members who have not done so are signed out when you save."
        />
      )}
    </MutationDialog>
  )
}

interface OrganisationInput {
  readonly companyName: string
  readonly timeZone: string
  readonly requireMultiFactorAuthentication: boolean
}

function useSaveOrganisation(organisation: Organisation | null, onSaved: () => void) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: ({ companyName, timeZone, ...policy }: OrganisationInput) =>
      organisation === null
        ? call('POST /organisations', { body: { companyName, timeZone } })
        : call('POST /organisations/:clientId', {
            params: { clientId: organisation.Id },
            body: { companyName, timeZone, ...policy },
          }),
    onSuccess: async (saved) => {
      await invalidate(organisationList)
      announceToScreenReader(`${saved.CompanyName} is saved.`)
      onSaved()
    },
  })
}
