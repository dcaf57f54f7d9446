/** Filters and masks of a connector's tables. */
import type { CallRequest } from '@tributary/contract/calls'
import { callQuery } from '../../../api/call-query.ts'
import { call } from '../../../api/call.ts'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { useInvalidate } from '../../../api/use-invalidate.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { announceToScreenReader } from '../../../ui/feedback/toasts.tsx'

export const connectorRules = (params: ConnectorParams) =>
  callQuery(
    ['table rules', params.clientId, params.connectorId],
    'GET /tributary/clients/:clientId/connectors/:connectorId/table-rules',
    { params },
  )

export type RulesBody = CallRequest<'PUT /tributary/clients/:clientId/connectors/:connectorId/table-rules'>['body']
export type ConditionBody = RulesBody['conditions'][number]
export type MaskBody = RulesBody['masks'][number]

export function useSaveRules(params: ConnectorParams) {
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (body: RulesBody) =>
      call('PUT /tributary/clients/:clientId/connectors/:connectorId/table-rules', { params, body }),
    onSuccess: () => announceToScreenReader('The rules of the table are saved. They take effect with the next run.'),
    onSettled: () => invalidate(connectorRules(params)),
  })
}
