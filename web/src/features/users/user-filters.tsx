import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { roleList } from '../../api/queries/common-queries.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import css from './users.module.css'
import { type UserFilterName, useSetUserFilter, userFilterNames, userStatuses } from './use-user-list.ts'

const factorChoices = [
  { value: '', label: 'Any second factor' },
  { value: 'on', label: 'With second factor' },
  { value: 'off', label: 'Without second factor' },
]
const signInChoices = [
  { value: '', label: 'Signed in or not' },
  { value: 'never', label: 'Never signed in' },
]
const statusChoices = [
  { value: '', label: 'All statuses' },
  ...userStatuses.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })),
]

export function UserFilters() {
  const params = useUrlParams()
  const setFilter = useSetUserFilter()
  const roles = useQuery(roleList).data ?? []
  const fieldProps = (name: UserFilterName) => ({
    value: params.get(name) ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setFilter({ [name]: value === '' ? null : value }),
  })
  const roleChoices = [
    { value: '', label: 'All roles' },
    ...roles.map(({ Name, DisplayName }) => ({ value: Name, label: DisplayName })),
  ]
  return (
    <div className={css.filters}>
      <NativeSelect size="xs" aria-label="Filter by role" data={roleChoices} {...fieldProps('role')} />
      <NativeSelect size="xs" aria-label="Filter by status" data={statusChoices} {...fieldProps('status')} />
      <NativeSelect size="xs" aria-label="Filter by second factor" data={factorChoices} {...fieldProps('factor')} />
      <NativeSelect size="xs" aria-label="Filter by sign-in" data={signInChoices} {...fieldProps('signedIn')} />
      {userFilterNames.some((name) => params.has(name)) ? (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => setFilter({ role: null, status: null, factor: null, signedIn: null })}
        >
          Clear filters
        </Button>
      ) : null}
    </div>
  )
}
