import type { ChecklistName } from '@tributary/contract/checklist'
import { pollMs } from '@tributary/contract/limits'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { currentTimeZone } from '../../ui/formats.ts'

/** The call counts the runs of 30 days, so that many connectors are asked for less often: 1,000 once a minute. */
const pollMsByConnector = 60

export const organisationOverview = (clientId: string) =>
  queryOptions({
    ...callQuery(['overview', clientId, currentTimeZone()], 'GET /tributary/clients/:clientId/overview', {
      params: { clientId },
      query: { timeZone: currentTimeZone() },
    }),
    refetchInterval: ({ state }) => Math.max(pollMs, pollMsByConnector * (state.data?.Connectors.length ?? 0)),
  })

/** Dismisses a checklist for the organisation, or shows it again. */
export function useDismissChecklist(name: ChecklistName) {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return useMutation({
    mutationFn: (isDismissed: boolean) =>
      call('PUT /tributary/clients/:clientId/checklists', { params: { clientId }, body: { name, isDismissed } }),
    onSettled: () => invalidate(organisationOverview(clientId)),
  })
}
