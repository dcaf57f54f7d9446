import type { User } from '@tributary/contract/organisations'
import type { UserChange } from '@tributary/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { memberList } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import type { Values } from '../../ui/forms/form.ts'

export function useSaveUser(user: User | null, onSaved: () => void) {
  const orgId = useWorkspace().organisation.Id
  const mayEditMicrosoftId = useMay()('editMicrosoftId')
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (values: Values) => {
      if (user === null)
        return call('POST /users', { body: { ...newUser(values, mayEditMicrosoftId), organisationId: orgId } })
      return call('POST /users/:userId', {
        params: { userId: user.Id },
        query: { orgId },
        body: changesOf(user, values, mayEditMicrosoftId),
      })
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: memberList(orgId).queryKey })
      tell(`${saved.FirstName} ${saved.LastName} is saved.`)
      onSaved()
    },
  })
}

function textOf(values: Values, name: string): string {
  return String(values[name] ?? '').trim()
}

function newUser(values: Values, mayEditMicrosoftId: boolean) {
  const msId = textOf(values, 'msId')
  return {
    firstName: textOf(values, 'firstName'),
    lastName: textOf(values, 'lastName'),
    emailAddress: textOf(values, 'emailAddress'),
    // Blanks belong to a password.
    password: String(values['password']),
    roleId: textOf(values, 'roleId'),
    ...(mayEditMicrosoftId && msId !== '' && { msId }),
  }
}

/** Only what differs: an administrator may change some of a person and not the rest. */
function changesOf(user: User, values: Values, mayEditMicrosoftId: boolean): UserChange {
  const before = {
    firstName: user.FirstName,
    lastName: user.LastName,
    emailAddress: user.EmailAddress,
    roleId: user.Role.Id,
    statusId: user.StatusId,
    ...(mayEditMicrosoftId && { msId: user.MS_Oid ?? '' }),
  }
  const changed = Object.entries(before).filter(([name, was]) => textOf(values, name) !== was)
  const password = String(values['password'])
  const mfa = values['requireMultiFactorAuthentication'] === true
  return {
    ...Object.fromEntries(changed.map(([name]) => [name, textOf(values, name)])),
    ...(password !== '' && { password }),
    ...(mfa !== user.RequireMultiFactorAuthentication && { requireMultiFactorAuthentication: mfa }),
  }
}

export function useSignOutUser(user: User | null) {
  const orgId = useWorkspace().organisation.Id
  return useMutation({
    mutationFn: async () => {
      if (user !== null) await call('DELETE /users/:userId/sessions', { params: { userId: user.Id }, query: { orgId } })
    },
    onSuccess: () => tell('Signed out everywhere.'),
    onError: (error) => tell(error.message),
  })
}
