import { useState } from 'react'
import { useWorkspace } from '../../api/session/workspace.ts'
import {
  type DraftOwner,
  discardDraft,
  type GroupDraft,
  isChanged,
  readDraft,
  rebaseDraft,
  type StartedDraft,
  storeDraft,
} from './group-draft.ts'

export function useDraftOwner(): DraftOwner {
  const { organisation, identity } = useWorkspace()
  return { email: identity.email, orgId: organisation.Id }
}

/** State of a group's draft: a stored draft rebased onto the current group, otherwise the group itself. */
export function useGroupDraft(of: string, fresh: StartedDraft) {
  const owner = useDraftOwner()
  const [stored] = useState(() => readDraft(owner, of))
  const [started, setStarted] = useState(() => (stored === null ? fresh : rebaseIfChanged(stored, fresh)))
  const [isResumed, setResumed] = useState(stored !== null)
  // Rebased at every render, so that after a conflict the draft shows the other user's changes, too.
  const current = rebaseIfChanged(started, fresh)

  function store(next: StartedDraft) {
    setStarted(next)
    if (isChanged(next)) storeDraft(owner, of, next)
    else discardDraft(owner, of)
  }
  return {
    ...current,
    isResumed,
    isChanged: isChanged(current),
    change: (change: Partial<GroupDraft>) => store({ ...current, draft: { ...current.draft, ...change } }),
    startOver() {
      setResumed(false)
      store(fresh)
    },
    forget: () => discardDraft(owner, of),
  }
}

function rebaseIfChanged(started: StartedDraft, fresh: StartedDraft): StartedDraft {
  return started.revision === fresh.revision ? started : rebaseDraft(started, fresh)
}
