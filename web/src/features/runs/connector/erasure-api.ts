/** Queries and changes of erasures in history. */
import type { CallRequest } from '@tributary/contract/calls'
import type { HistoryErasure } from '@tributary/contract/history-erasures'
import { pollMs } from '@tributary/contract/limits'
import { callQuery } from '../../../api/call-query.ts'
import { call } from '../../../api/call.ts'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { useInvalidate } from '../../../api/use-invalidate.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { announceToScreenReader } from '../../../ui/feedback/toasts.tsx'

const path = '/tributary/clients/:clientId/connectors/:connectorId/history-erasures' as const

export const erasureList = (params: ConnectorParams) => ({
  ...callQuery(['history erasures', params.clientId, params.connectorId], `GET ${path}`, { params }),
  refetchInterval: ({ state }: { state: { data?: readonly HistoryErasure[] | undefined } }) =>
    state.data?.some(({ State }) => State === 'underWay') === true ? pollMs : false,
})

export type PersonBody = CallRequest<`POST ${typeof path}/preview`>['body']
type ErasureBody = CallRequest<`POST ${typeof path}`>['body']

export function usePreviewErasure(params: ConnectorParams) {
  return useMutation({ mutationFn: (body: PersonBody) => call(`POST ${path}/preview`, { params, body }) })
}

export function useErasePerson(params: ConnectorParams, onStarted: () => void) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: ErasureBody) => call(`POST ${path}`, { params, body }),
    onSuccess: () => {
      announceToScreenReader('The erasure has started.')
      onStarted()
    },
    onSettled: () => invalidate(erasureList(params)),
  })
}
