import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const securityDetails = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => call('GET /me/security', { signal }),
})

export const sessionList = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('GET /me/sessions', { signal }),
})

/** Invalidates the security details; call it after every change of a sign-in method or factor. */
export function useRefreshSecurity(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: securityDetails.queryKey })
}
