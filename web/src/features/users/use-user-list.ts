/** One page of the users that the filter in the URL finds. The server filters. */
import type { CallRequest } from '@tributary/contract/calls'
import type { ListedUser, SeenUser } from '@tributary/contract/organisations'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callPage } from '../../api/call.ts'
import { useRoleName } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import { useCsvExport } from '../../domain/records/use-csv-export.ts'
import { fullName } from '../../domain/users/user-names.ts'
import { useSearchTerm } from '../../ui/forms/search-box.tsx'
import { useUpdateUrlParams, useUrlPage, useUrlParams } from '../../ui/hooks/search-params.ts'
import { usePageCount } from '../../ui/tables/use-page-count.ts'

const pageSize = 50
const exportPageSize = 1_000

type UserQuery = NonNullable<CallRequest<'GET /users'>['query']>

export const userFilterNames = ['role', 'status', 'factor', 'signedIn'] as const
export type UserFilterName = (typeof userFilterNames)[number]

/** What the search and the filter in the URL find, on all pages. */
function useFoundUsers(): UserQuery {
  const orgId = useOrganisationId()
  const params = useUrlParams()
  const search = useSearchTerm()
  return {
    orgId,
    // People of the provider who are members of no organisation are listed only for the provider.
    withProvider: 'true',
    ...(search !== '' && { search }),
    ...toFilter(params),
  }
}

export function useUserList() {
  const found = useFoundUsers()
  const { orgId, search = '' } = found
  const params = useUrlParams()
  const { page, goTo } = useUrlPage({ replace: true })
  const query: UserQuery = { ...found, page, pageSize }
  const result = useQuery({
    // Below the key of all lists of users, which a change refreshes.
    queryKey: ['users', orgId, query],
    queryFn: async ({ signal }) => {
      const { rows, total } = await callPage('GET /users', { query, signal })
      return { users: rows.filter(isListedUser), total }
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  const pages = usePageCount(result, { page, pageSize, goTo })
  const isFiltered = search !== '' || userFilterNames.some((name) => params.has(name))
  return { result, page, pages, goTo, isFiltered, search, listKey: JSON.stringify(query) }
}

/** Exports the users on all pages. */
export function useExportUsers() {
  const query = useFoundUsers()
  const roleName = useRoleName()
  const exportCsv = useCsvExport()
  return useMutation({
    mutationFn: async () => {
      const users: ListedUser[] = []
      for (let page = 1, total = 1; (page - 1) * exportPageSize < total; page += 1) {
        const found = await callPage('GET /users', { query: { ...query, page, pageSize: exportPageSize } })
        total = found.total
        users.push(...found.rows.filter(isListedUser))
      }
      exportCsv('users', exportedRows(users, roleName))
    },
  })
}

function exportedRows(users: readonly ListedUser[], roleName: (name: string) => string) {
  const lines = users.map((user) => [
    fullName(user),
    user.EmailAddress,
    roleName(user.Role.Name),
    recordStatusBadge(user.Status.Name).label,
    user.SecondFactor ? 'on' : 'off',
    user.LastSignInAtUtc ?? '',
    user.Groups.map(({ Name }) => Name).join('; '),
  ])
  return [['Name', 'Email', 'Role', 'Status', 'Second factor', 'Last sign-in', 'Security groups'], ...lines]
}

/** Sets one filter, or none with null, and returns to page 1. */
export function useSetUserFilter(): (changes: Partial<Readonly<Record<UserFilterName, string | null>>>) => void {
  const changeAddress = useUpdateUrlParams()
  return (changes) => changeAddress({ page: null, ...changes }, { replace: true })
}

const roles = ['superadmin', 'provideradmin', 'admin', 'user', 'guest'] as const
export const userStatuses = ['active', 'locked', 'archived'] as const

function toFilter(params: URLSearchParams): UserQuery {
  const role = roles.find((name) => name === params.get('role'))
  const status = userStatuses.find((name) => name === params.get('status'))
  const secondFactor = ({ on: 'true', off: 'false' } as const)[params.get('factor') ?? '']
  return {
    ...(role !== undefined && { role }),
    ...(status !== undefined && { status }),
    ...(secondFactor !== undefined && { secondFactor }),
    ...(params.get('signedIn') === 'never' && { neverSignedIn: 'true' }),
  }
}

/** Administrators receive all fields of all users. */
function isListedUser(user: SeenUser): user is ListedUser {
  return user.EmailAddress !== undefined
}
