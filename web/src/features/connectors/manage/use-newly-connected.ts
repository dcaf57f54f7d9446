import type { Connector } from '@tributary/contract/connectors'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../paths.ts'
import { useUrlParams, useUpdateUrlParams } from '../../../ui/hooks/search-params.ts'
import { announceToScreenReader } from '../../../ui/feedback/toasts.tsx'

/**
 * Returns the ids of newly connected connectors from the URL. Announces them once and removes them from the URL.
 * A single one also opens its first run, as after saving the form of another source.
 */
export function useNewlyConnected(connectors: readonly Connector[]): ReadonlySet<string> {
  const changeAddress = useUpdateUrlParams()
  const navigate = useNavigate()
  const [connectedIds, setConnectedIds] = useState<ReadonlySet<string>>(new Set())
  const ids = useUrlParams().get('connected')?.split(' ') ?? []
  const found = connectors.filter(({ Id }) => ids.includes(Id))
  const known = found.length === 0 ? null : ids.join(' ')

  useEffect(() => {
    if (known === null) return
    setConnectedIds(new Set(known.split(' ')))
    announceToScreenReader(connectedMessage(found))
    const [only, ...others] = found
    if (only !== undefined && others.length === 0) {
      void navigate(paths.run(only.Type, only.Id, only.Log?.RunId ?? null), { replace: true })
      return
    }
    // The workspace has switched to the organisation of the URL by now.
    changeAddress({ connected: null, organisation: null }, { replace: true })
    // Depends on `known` alone: the connectors change with it, and the list is a new array at every poll.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [known])
  return connectedIds
}

function connectedMessage(connectors: readonly Connector[]): string {
  const [only] = connectors
  if (connectors.length !== 1 || only === undefined) return `${connectors.length} connectors are connected.`
  const isNew = only.RecentRuns.every(({ Status }) => Status !== 'COMPLETED')
  return isNew ? `${only.Name} is connected. Its first run starts automatically.` : `${only.Name} is connected.`
}
