/** Adding and editing a user: General and Security. What is left as it was is not sent. */
import type { User } from '@tributary/contract/organisations'
import { may } from '@tributary/contract/capabilities'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CallError, messageOf } from '@tributary/client/call-error'
import { roleList, statusList } from '../../api/queries/common-queries.ts'
import { useSignInOptions } from '../../api/session/sign-in-options.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { emailRule } from '../../ui/forms/email-rule.ts'
import { LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { ChoiceField, SwitchField } from '../../ui/forms/choice-fields.tsx'
import { PasswordField, TextField } from '../../ui/forms/text-fields.tsx'
import { type Form, type Rules, useForm, type Values } from '../../ui/forms/form.ts'
import { passwordHelp } from '../../domain/sign-in/new-password-fields.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import css from '../../domain/admin/admin.module.css'
import { useSaveUser, useSignOutUser } from './use-save-user.ts'

interface UserDrawerProps {
  /** Null adds a new one. */
  user: User | null
  onClose: () => void
}

export function UserDrawer({ user, onClose }: UserDrawerProps) {
  const roles = useRolesToGive()
  const statuses = useQuery(statusList)
  if (roles.data === undefined || statuses.data === undefined) {
    const error = roles.error ?? statuses.error
    const retry = () => void Promise.all([roles.refetch(), statuses.refetch()])
    return (
      <Dialog kind="drawer" title={titleOf(user)} onClose={onClose}>
        {error === null ? (
          <SkeletonLines count={6} height={44} />
        ) : (
          <LoadFailure message={messageOf(error)} onRetry={retry} />
        )}
      </Dialog>
    )
  }
  const choices = {
    roles: roles.data.map(({ Id, DisplayName }) => ({ value: Id, label: DisplayName })),
    statuses: statuses.data.map(({ Id, Name }) => ({ value: Id, label: Name })),
  }
  return <UserForm user={user} choices={choices} onClose={onClose} />
}

function titleOf(user: User | null): string {
  return user === null ? 'Add user' : `Edit ${user.FirstName} ${user.LastName}`
}

/** Nobody gives a role with more rights than their own; the least is the first, and so the default. */
function useRolesToGive() {
  const { roleLevel } = useWorkspace().identity
  return useQuery({ ...roleList, select: (roles) => roles.filter((role) => role.RoleLevel >= roleLevel).toReversed() })
}

type Choice = { value: string; label: string }
interface Choices {
  readonly roles: readonly Choice[]
  readonly statuses: readonly Choice[]
}

function UserForm({ user, choices, onClose }: UserDrawerProps & { choices: Choices }) {
  const form = useForm(initialValues(user, choices), rulesFor(user))
  const save = useSaveUser(user, onClose)

  function submit() {
    if (!form.validate()) return
    save.mutate(form.values, { onError: (error) => form.fail(fieldErrors(error)) })
  }
  return (
    <Dialog
      kind="drawer"
      title={titleOf(user)}
      isDirty={form.isDirty}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <ErrorBanner message={save.error === null ? null : messageOf(save.error)} onDismiss={save.reset} hasMarkup />
      <GeneralFields user={user} form={form} choices={choices} />
      <SecurityFields user={user} form={form} />
    </Dialog>
  )
}

const nobody = {
  firstName: '',
  lastName: '',
  emailAddress: '',
  statusId: '',
  msId: '',
  password: '',
  confirmPassword: '',
  requireMultiFactorAuthentication: false,
}

function initialValues(user: User | null, { roles }: Choices): Values {
  if (user === null) return { ...nobody, roleId: roles[0]?.value ?? '' }
  return {
    ...nobody,
    firstName: user.FirstName,
    lastName: user.LastName,
    emailAddress: user.EmailAddress,
    roleId: user.Role.Id,
    statusId: user.StatusId,
    msId: user.MS_Oid ?? '',
    requireMultiFactorAuthentication: user.RequireMultiFactorAuthentication,
  }
}

const confirmation = { repeats: { name: 'password', placeholder: 'Password' } }

/** A password is asked for when somebody is added; later it is only for whoever wants to set a new one. */
function rulesFor(user: User | null): (values: Values) => Rules {
  return (values) => ({
    emailAddress: { check: emailRule },
    statusId: { isOptional: user === null },
    msId: { isOptional: true },
    password: { isOptional: user !== null },
    confirmPassword: { ...confirmation, isOptional: user !== null && values['password'] === '' },
  })
}

function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof CallError)) return {}
  return error.code === 'addressTaken' ? { emailAddress: error.message } : error.fields
}

interface SectionProps {
  user: User | null
  form: Form
}

function GeneralFields({ user, form, choices }: SectionProps & { choices: Choices }) {
  const { identity } = useWorkspace()
  const role = choices.roles.some(({ value }) => value === form.values['roleId'])
  return (
    <section className={css.fieldset} aria-labelledby="user-general">
      <h3 id="user-general">General</h3>
      <TextField field={form.text('firstName')} label="First name" hasFocus isRequired />
      <TextField field={form.text('lastName')} label="Last name" isRequired />
      <TextField field={form.text('emailAddress')} label="Email" type="email" inputMode="email" isRequired />
      {role ? (
        <ChoiceField field={form.text('roleId')} label="Role" choices={choices.roles} />
      ) : (
        <p className="small subtle">This person has more rights than you. Their role stays as it is.</p>
      )}
      {user === null ? null : <ChoiceField field={form.text('statusId')} label="Status" choices={choices.statuses} />}
      {may(identity.roleLevel, 'editMicrosoftId') ? (
        <TextField
          field={form.text('msId')}
          label="Microsoft Id"
          help="The object id of their account in Microsoft Entra ID."
        />
      ) : null}
    </section>
  )
}

function SecurityFields({ user, form }: SectionProps) {
  const signOut = useSignOutUser(user)
  const { passwordMin } = useSignInOptions()
  const isNew = user === null
  return (
    <section className={css.fieldset} aria-labelledby="user-security">
      <h3 id="user-security">Security</h3>
      <PasswordField
        field={form.text('password')}
        label="Password"
        placeholder="Password"
        autoComplete="new-password"
        isRequired={isNew}
        help={isNew ? passwordHelp(passwordMin) : 'Leave empty to keep the one they have.'}
      />
      <PasswordField
        field={form.text('confirmPassword')}
        label="Confirm password"
        placeholder="Confirm password"
        autoComplete="new-password"
        isRequired={isNew}
      />
      {isNew ? null : (
        <>
          <SwitchField
            field={form.toggle('requireMultiFactorAuthentication')}
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
