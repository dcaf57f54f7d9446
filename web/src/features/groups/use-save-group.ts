/** Saves a group. Changes of an existing group are previewed first: who gains and who loses access. */
import type { Effect } from '@tributary/contract/groups'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { CallError, somethingWrong } from '@tributary/client/call-error'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { toGrants } from './grant-keys.ts'
import type { useGroupDraft } from './use-group-draft.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'

const unknownFailure = 'error occurred adding group'

export function useSaveGroup(groupId: string | null, started: ReturnType<typeof useGroupDraft>, onSaved: () => void) {
  const organisationId = useOrganisationId()
  const invalidate = useInvalidate()
  const [effects, setEffects] = useState<readonly Effect[] | null>(null)
  const [failures, setFailures] = useState<readonly string[]>([])
  const { name, pairs, milestones } = started.draft
  const body = { name, grants: toGrants(pairs, milestones) }
  const refresh = () => invalidate({ queryKey: everyStructureList(organisationId) })

  const saveMutation = useMutation({
    mutationFn: async () => {
      const saved =
        groupId === null
          ? await call('POST /permission-groups', { body: { ...body, comOrganisationId: organisationId } })
          : await call('PUT /permission-groups/:groupId', {
              params: { groupId },
              body: { ...body, revision: started.revision ?? 0 },
            })
      // A reply without an id is a failure, whatever its status code.
      if (saved.Id === undefined || 'error' in saved) throw new Error(unknownFailure)
      return saved
    },
    onSuccess: async (saved) => {
      started.forget()
      await refresh()
      announceToScreenReader(groupId === null ? `${saved.Name} is created.` : `${saved.Name} is saved.`)
      onSaved()
    },
    onError: (error) => void showError(error),
  })
  const previewMutation = useMutation({
    mutationFn: (id: string) =>
      call('POST /permission-groups/:groupId/preview', { params: { groupId: id }, body: { grants: body.grants } }),
    onSuccess: (found) => (found.length === 0 ? saveMutation.mutate() : setEffects(found)),
    onError: (error) => void showError(error),
  })

  async function showError(error: unknown) {
    setEffects(null)
    setFailures([saveErrorMessage(error)])
    if (error instanceof CallError && error.code === 'changedMeanwhile') await refresh()
  }
  return {
    effects,
    failures,
    isPending: saveMutation.isPending || previewMutation.isPending,
    begin() {
      if (saveMutation.isPending || previewMutation.isPending) return
      setFailures([])
      if (groupId === null) saveMutation.mutate()
      else previewMutation.mutate(groupId)
    },
    confirm: () => saveMutation.mutate(),
    dismiss: () => setEffects(null),
  }
}

function saveErrorMessage(error: unknown): string {
  return error instanceof CallError && error.message !== somethingWrong ? error.message : unknownFailure
}
