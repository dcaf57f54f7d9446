import { useState } from 'react'
import { useWorkspace } from '../../api/session/workspace.ts'
import {
  type DraftOwner,
  forgetDraft,
  type GroupDraft,
  isChanged,
  readDraft,
  rebaseDraft,
  type Started,
  storeDraft,
} from './group-draft.ts'

export function useDraftOwner(): DraftOwner {
  const { organisation, identity } = useWorkspace()
  return { email: identity.email, orgId: organisation.Id }
}

/** The draft of one group: what was begun earlier, done again to what is stored now, else what is stored. */
export function useGroupDraft(of: string, fresh: Started) {
  const owner = useDraftOwner()
  const [found] = useState(() => readDraft(owner, of))
  const [started, setStarted] = useState(() => (found === null ? fresh : upToDate(found, fresh)))
  const [isResumed, setResumed] = useState(found !== null)
  // It follows what is stored, so that a save which came too late is looked at beside what came before it.
  const current = upToDate(started, fresh)

  function keep(next: Started) {
    setStarted(next)
    if (isChanged(next)) storeDraft(owner, of, next)
    else forgetDraft(owner, of)
  }
  return {
    ...current,
    isResumed,
    isChanged: isChanged(current),
    change: (change: Partial<GroupDraft>) => keep({ ...current, draft: { ...current.draft, ...change } }),
    startOver() {
      setResumed(false)
      keep(fresh)
    },
    forget: () => forgetDraft(owner, of),
  }
}

function upToDate(started: Started, fresh: Started): Started {
  return started.revision === fresh.revision ? started : rebaseDraft(started, fresh)
}
