import type { User } from '@tributary/contract/organisations'
import { useRoleLevel } from '../../api/queries/common-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'

/** Users cannot change a user with more rights. */
export function useMayChangeUser(): (user: User) => boolean {
  const { identity } = useWorkspace()
  const roleLevelOf = useRoleLevel()
  return ({ Role }) => (roleLevelOf(Role.Name) ?? identity.roleLevel) >= identity.roleLevel
}

export function useIsSelf(): (user: User) => boolean {
  const { identity } = useWorkspace()
  return ({ EmailAddress }) => EmailAddress === identity.email
}
