/** Saving a group. Of one that exists it is shown first who gains and who loses by it. */
import type { Effect } from '@tributary/contract/groups'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { CallError, somethingWrong } from '@tributary/client/call-error'
import { everyStructureList } from '../../api/queries/planning-structure.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import { grantsOf } from './grant-keys.ts'
import type { Started } from './group-draft.ts'

interface SaveGroup {
  readonly groupId: string | null
  readonly started: Started
  readonly onSaved: () => void
  readonly onForget: () => void
}

const unknownFailure = 'error occurred adding group'

export function useSaveGroup({ groupId, started, onSaved, onForget }: SaveGroup) {
  const organisationId = useWorkspace().organisation.Id
  const queryClient = useQueryClient()
  const [effects, setEffects] = useState<readonly Effect[] | null>(null)
  const [failures, setFailures] = useState<readonly string[]>([])
  const { name, pairs, milestones } = started.draft
  const body = { name, grants: grantsOf(pairs, milestones) }
  const refresh = () => queryClient.invalidateQueries({ queryKey: everyStructureList(organisationId) })

  const saving = useMutation({
    mutationFn: async () => {
      const saved =
        groupId === null
          ? await call('POST /permission-groups', { body: { ...body, comOrganisationId: organisationId } })
          : await call('PUT /permission-groups/:groupId', {
              params: { groupId },
              body: { ...body, revision: started.revision ?? 0 },
            })
      // An answer without it is a failure, whatever its status.
      if (saved.Id === undefined || 'error' in saved) throw new Error(unknownFailure)
      return saved
    },
    onSuccess: async (saved) => {
      onForget()
      await refresh()
      tell(groupId === null ? `${saved.Name} is created.` : `${saved.Name} is saved.`)
      onSaved()
    },
    onError: (error) => void fail(error),
  })
  const previewing = useMutation({
    mutationFn: (id: string) =>
      call('POST /permission-groups/:groupId/preview', { params: { groupId: id }, body: { grants: body.grants } }),
    onSuccess: (found) => (found.length === 0 ? saving.mutate() : setEffects(found)),
    onError: (error) => void fail(error),
  })

  async function fail(error: unknown) {
    setEffects(null)
    setFailures([failureOf(error)])
    if (error instanceof CallError && error.code === 'changedMeanwhile') await refresh()
  }
  return {
    effects,
    failures,
    isPending: saving.isPending || previewing.isPending,
    begin() {
      if (saving.isPending || previewing.isPending) return
      setFailures([])
      if (groupId === null) saving.mutate()
      else previewing.mutate(groupId)
    },
    confirm: () => saving.mutate(),
    dismiss: () => setEffects(null),
  }
}

function failureOf(error: unknown): string {
  return error instanceof CallError && error.message !== somethingWrong ? error.message : unknownFailure
}
