/** The actions after publications of an organisation, and the calls that change and run them. */
import type {
  PublicationAction,
  PublicationActionInput,
  PublicationActionRun,
} from '@tributary/contract/publication-actions'
import { call } from '../../api/call.ts'
import { callQuery } from '../../api/call-query.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'

const path = '/tributary/clients/:clientId/publication-actions'
const pollMs = 5_000

export function actionList(clientId: string) {
  return {
    ...callQuery(['publicationActions', clientId], `GET ${path}`, { params: { clientId } }),
    // A run that waits may wait for hours, and shows when it is over with the next visit.
    refetchInterval: ({
      state: { data = [] },
    }: {
      readonly state: { readonly data: readonly PublicationAction[] | undefined }
    }) => (data.some(({ LastRun }) => isNew(LastRun)) ? pollMs : false),
  } as const
}

export function actionRuns(clientId: string, actionId: string) {
  return {
    ...callQuery(['publicationActions', clientId, actionId], `GET ${path}/:actionId/runs`, {
      params: { clientId, actionId },
    }),
    refetchInterval: pollMs,
  } as const
}

/** The target databases whose publications an action can follow. */
export function publicationTargets(clientId: string) {
  return callQuery(['publication-sets', clientId], 'GET /tributary/clients/:clientId/publication-sets', {
    params: { clientId },
  })
}

function isNew(run: PublicationAction['LastRun']): boolean {
  return run !== null && (run.Status === 'RUNNING' || (run.Status === 'WAITING' && run.Notice === null))
}

/** @param actionId null adds an action */
export function useSaveAction(actionId: string | null, onSaved: (saved: PublicationAction) => void) {
  const clientId = useOrganisationId()
  const refresh = useRefreshActions()
  return useMutation({
    mutationFn: (body: PublicationActionInput) =>
      actionId === null
        ? call(`POST ${path}`, { params: { clientId }, body })
        : call(`PUT ${path}/:actionId`, { params: { clientId, actionId }, body }),
    onSuccess: async (saved) => {
      await refresh()
      onSaved(saved)
    },
  })
}

export function useTestAction(actionId: string) {
  const clientId = useOrganisationId()
  return useMutation({ mutationFn: () => call(`POST ${path}/:actionId/test`, { params: { clientId, actionId } }) })
}

export function useRunAction(actionId: string) {
  const clientId = useOrganisationId()
  const refresh = useRefreshActions()
  return useMutation({
    mutationFn: (): Promise<PublicationActionRun> =>
      call(`POST ${path}/:actionId/runs`, { params: { clientId, actionId } }),
    onSuccess: refresh,
  })
}

/** Deletes an action and refreshes the list. */
export function useDeleteAction(): (actionId: string) => Promise<void> {
  const clientId = useOrganisationId()
  const refresh = useRefreshActions()
  return async (actionId) => {
    await call(`DELETE ${path}/:actionId`, { params: { clientId, actionId } })
    await refresh()
  }
}

function useRefreshActions(): () => Promise<void> {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  return () => invalidate(actionList(clientId))
}
