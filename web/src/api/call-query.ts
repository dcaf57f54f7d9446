import { queryOptions, type QueryKey } from '@tanstack/react-query'
import type { Arguments, CallName } from '@tributary/contract/calls'
import { call } from './call.ts'

/** A query that makes one call: `callQuery(['users', orgId], 'GET /users', { query: { orgId } })`. */
export function callQuery<Name extends CallName>(queryKey: QueryKey, name: Name, ...[request]: Arguments<Name>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      call(name, ...([{ ...(request as object | undefined), signal }] as unknown as Arguments<Name>)),
  })
}
