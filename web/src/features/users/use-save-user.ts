import type { User } from '@tributary/contract/organisations'
import type { UserChange } from '@tributary/contract/users'
import { call } from '../../api/call.ts'
import { memberList } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { announceToScreenReader, showToast } from '../../ui/feedback/toasts.tsx'
import type { FormValues } from '../../ui/forms/use-form.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'

export function useSaveUser(user: User | null, onSaved: () => void) {
  const orgId = useOrganisationId()
  const mayEditMicrosoftId = useMay()('editMicrosoftId')
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (values: FormValues) => {
      if (user === null)
        return call('POST /users', { body: { ...toNewUser(values, mayEditMicrosoftId), organisationId: orgId } })
      return call('POST /users/:userId', {
        params: { userId: user.Id },
        query: { orgId },
        body: toUserChange(user, values, mayEditMicrosoftId),
      })
    },
    onSuccess: async (saved) => {
      await invalidate(memberList(orgId))
      announceToScreenReader(`${saved.FirstName} ${saved.LastName} is saved.`)
      onSaved()
    },
  })
}

function textValue(values: FormValues, name: string): string {
  return String(values[name] ?? '').trim()
}

function toNewUser(values: FormValues, mayEditMicrosoftId: boolean) {
  const msId = textValue(values, 'msId')
  return {
    firstName: textValue(values, 'firstName'),
    lastName: textValue(values, 'lastName'),
    emailAddress: textValue(values, 'emailAddress'),
    // Not trimmed: spaces are part of a password.
    password: String(values['password']),
    roleId: textValue(values, 'roleId'),
    ...(mayEditMicrosoftId && msId !== '' && { msId }),
  }
}

/** Sends only changed fields, because an administrator may not be allowed to change the others. */
function toUserChange(user: User, values: FormValues, mayEditMicrosoftId: boolean): UserChange {
  const before = {
    firstName: user.FirstName,
    lastName: user.LastName,
    emailAddress: user.EmailAddress,
    roleId: user.Role.Id,
    statusId: user.StatusId,
    ...(mayEditMicrosoftId && { msId: user.MS_Oid ?? '' }),
  }
  const changed = Object.entries(before).filter(([name, was]) => textValue(values, name) !== was)
  const password = String(values['password'])
  const mfa = values['requireMultiFactorAuthentication'] === true
  return {
    ...Object.fromEntries(changed.map(([name]) => [name, textValue(values, name)])),
    ...(password !== '' && { password }),
    ...(mfa !== user.RequireMultiFactorAuthentication && { requireMultiFactorAuthentication: mfa }),
  }
}

export function useSignOutUser(user: User | null) {
  const orgId = useOrganisationId()
  return useMutation({
    mutationFn: async () => {
      if (user !== null) await call('DELETE /users/:userId/sessions', { params: { userId: user.Id }, query: { orgId } })
    },
    onSuccess: () => showToast('Signed out everywhere.'),
    onError: (error) => showToast(error.message),
  })
}
