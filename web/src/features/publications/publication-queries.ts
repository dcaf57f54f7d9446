/** Queries and changes of publications. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { CallRequest } from '@tributary/contract/calls'
import { pollMs } from '@tributary/contract/limits'
import { callQuery } from '../../api/call-query.ts'
import { call, callPage } from '../../api/call.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'

const path = '/tributary/clients/:clientId/publication-sets' as const

export const publicationPageSize = 10

export const publicationSets = (clientId: string) => ({
  ...callQuery(['publication-sets', clientId], `GET ${path}`, { params: { clientId } }),
  refetchInterval: pollMs,
})

export const publicationList = (params: { readonly clientId: string; readonly setId: string }, page: number) =>
  queryOptions({
    queryKey: ['publications', params.clientId, params.setId, page],
    queryFn: ({ signal }) =>
      callPage(`GET ${path}/:setId/publications`, {
        params,
        query: { page, pageSize: publicationPageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export type PublicationRuleBody = CallRequest<`PUT ${typeof path}/:setId`>['body']

export function useSavePublicationSet(clientId: string, setId: string, onSaved: () => void) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: PublicationRuleBody) => call(`PUT ${path}/:setId`, { params: { clientId, setId }, body }),
    onSuccess: onSaved,
    onSettled: () => invalidate(publicationSets(clientId)),
  })
}

export function useSwitchPublishingOff(clientId: string, setId: string, onSaved: () => void) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: () => call(`DELETE ${path}/:setId`, { params: { clientId, setId } }),
    onSuccess: onSaved,
    onSettled: () => invalidate(publicationSets(clientId)),
  })
}
