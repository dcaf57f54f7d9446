/** Adds or edits a user. Unchanged fields are not sent. */
import type { User } from '@tributary/contract/organisations'
import { may } from '@tributary/contract/capabilities'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CallError } from '@tributary/client/call-error'
import { roleList, statusList } from '../../api/queries/common-queries.ts'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { validateEmailAddress } from '../../ui/forms/validate-email-address.ts'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { SelectField, SwitchField } from '../../ui/forms/choice-fields.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, type FieldRule, type FieldRules, useForm, type FormValues } from '../../ui/forms/use-form.ts'
import { describePasswordRules } from '../../domain/sign-in/new-password-fields.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import css from '../../domain/admin/admin.module.css'
import { fullName } from '../../domain/users/user-names.ts'
import { useSaveUser, useSignOutUser } from './use-save-user.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'

interface UserDrawerProps {
  /** Null to add a user. */
  user: User | null
  onClose: () => void
}

export function UserDrawer({ user, onClose }: UserDrawerProps) {
  const roles = useAssignableRoles()
  const statuses = useQuery(statusList)
  if (roles.data === undefined || statuses.data === undefined) {
    return (
      <Dialog kind="drawer" title={drawerTitle(user)} onClose={onClose}>
        <QueryPlaceholder of={[roles, statuses]}>
          <SkeletonLines count={6} height={44} />
        </QueryPlaceholder>
      </Dialog>
    )
  }
  const choices = {
    roles: roles.data.map(({ Id, DisplayName }) => ({ value: Id, label: DisplayName })),
    statuses: statuses.data.map(({ Id, Name }) => ({ value: Id, label: Name })),
  }
  return <UserForm user={user} choices={choices} onClose={onClose} />
}

function drawerTitle(user: User | null): string {
  return user === null ? 'Add user' : `Edit ${fullName(user)}`
}

/**
 * Roles with at most the rights of the current user, ascending, so that the first and default one has the fewest
 * rights.
 */
function useAssignableRoles() {
  const { roleLevel } = useWorkspace().identity
  return useQuery({ ...roleList, select: (roles) => roles.filter((role) => role.RoleLevel >= roleLevel).toReversed() })
}

type UserFormChoice = { value: string; label: string }
interface UserFormChoices {
  readonly roles: readonly UserFormChoice[]
  readonly statuses: readonly UserFormChoice[]
}

function UserForm({ user, choices, onClose }: UserDrawerProps & { choices: UserFormChoices }) {
  const form = useForm(initialValues(user, choices), userRules(user))
  const save = useSaveUser(user, onClose)

  function submit() {
    if (!form.validate()) return
    save.mutate(form.values, { onError: (error) => form.showErrors(userFieldErrors(error)) })
  }
  return (
    <FormDialog
      kind="drawer"
      title={drawerTitle(user)}
      isDirty={form.isDirty}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
    >
      <MutationError of={save} hasMarkup />
      <GeneralFields user={user} form={form} choices={choices} />
      <SecurityFields user={user} form={form} />
    </FormDialog>
  )
}

const emptyUser = {
  firstName: '',
  lastName: '',
  emailAddress: '',
  statusId: '',
  msId: '',
  password: '',
  confirmPassword: '',
  requireMultiFactorAuthentication: false,
}

function initialValues(user: User | null, { roles }: UserFormChoices): FormValues {
  if (user === null) return { ...emptyUser, roleId: roles[0]?.value ?? '' }
  return {
    ...emptyUser,
    firstName: user.FirstName,
    lastName: user.LastName,
    emailAddress: user.EmailAddress,
    roleId: user.Role.Id,
    statusId: user.StatusId,
    msId: user.MS_Oid ?? '',
    requireMultiFactorAuthentication: user.RequireMultiFactorAuthentication,
  }
}

const confirmationRule: FieldRule = { mustEqual: { name: 'password', placeholder: 'Password' } }

/** The password is required for a new user, and otherwise only sets a new one. */
function userRules(user: User | null): (values: FormValues) => FieldRules {
  return (values) => ({
    emailAddress: { check: validateEmailAddress },
    statusId: { isOptional: user === null },
    msId: { isOptional: true },
    password: { isOptional: user !== null },
    confirmPassword: { ...confirmationRule, isOptional: user !== null && values['password'] === '' },
  })
}

function userFieldErrors(error: unknown) {
  const isTaken = error instanceof CallError && error.code === 'addressTaken'
  return isTaken ? { emailAddress: error.message } : fieldErrorsOf(error)
}

interface UserFormSectionProps {
  user: User | null
  form: FormState
}

function GeneralFields({ user, form, choices }: UserFormSectionProps & { choices: UserFormChoices }) {
  const { identity } = useWorkspace()
  const role = choices.roles.some(({ value }) => value === form.values['roleId'])
  return (
    <section className={css.fieldset} aria-labelledby="user-general">
      <h3 id="user-general">General</h3>
      <TextField field={form.bind('firstName')} label="First name" hasFocus isRequired />
      <TextField field={form.bind('lastName')} label="Last name" isRequired />
      <TextField field={form.bind('emailAddress')} label="Email" type="email" inputMode="email" isRequired />
      {role ? (
        <SelectField field={form.bind('roleId')} label="Role" choices={choices.roles} />
      ) : (
        <p className="small subtle">This user has more rights than you, so you cannot change the role.</p>
      )}
      {user === null ? null : <SelectField field={form.bind('statusId')} label="Status" choices={choices.statuses} />}
      {may(identity.roleLevel, 'editMicrosoftId') ? (
        <TextField
          field={form.bind('msId')}
          label="Microsoft Id"
          help="The object ID of the account in Microsoft Entra ID."
        />
      ) : null}
    </section>
  )
}

function SecurityFields({ user, form }: UserFormSectionProps) {
  const signOut = useSignOutUser(user)
  const { passwordMin } = useSignInOptions()
  const isNew = user === null
  return (
    <section className={css.fieldset} aria-labelledby="user-security">
      <h3 id="user-security">Security</h3>
      <PasswordField
        field={form.bind('password')}
        label="Password"
        placeholder="Password"
        autoComplete="new-password"
        isRequired={isNew}
        help={isNew ? describePasswordRules(passwordMin) : 'Leave empty to keep the current password.'}
      />
      <PasswordField
        field={form.bind('confirmPassword')}
        label="Confirm password"
        placeholder="Confirm password"
        autoComplete="new-password"
        isRequired={isNew}
      />
      {isNew ? null : (
        <>
          <SwitchField
            field={form.bindSwitch('requireMultiFactorAuthentication')}
            label="Multi-factor authentication"
            help="Asks for a second factor at every sign-in from a browser that is not trusted."
          />
          <div>
            <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
              Sign out everywhere
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
