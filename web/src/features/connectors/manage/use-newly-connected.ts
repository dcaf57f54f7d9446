import type { Connector } from '@tributary/contract/connectors'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../../paths.ts'
import { useAddress, useChangeAddress } from '../../../ui/hooks/search-params.ts'
import { tell } from '../../../ui/feedback/toasts.tsx'

/**
 * The connectors that the address says were just connected: told once and taken out of the address, and known while one stays here.
 * Of a single one, the run that has begun is opened, as after saving the form of another source.
 */
export function useArrived(connectors: readonly Connector[]): ReadonlySet<string> {
  const changeAddress = useChangeAddress()
  const navigate = useNavigate()
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set())
  const ids = useAddress().get('connected')?.split(' ') ?? []
  const found = connectors.filter(({ Id }) => ids.includes(Id))
  const known = found.length === 0 ? null : ids.join(' ')

  useEffect(() => {
    if (known === null) return
    setArrived(new Set(known.split(' ')))
    tell(arrivedWords(found))
    const [only, ...others] = found
    if (only !== undefined && others.length === 0) {
      void navigate(paths.run(only.Type, only.Id, only.Log?.RunId ?? null), { replace: true })
      return
    }
    // The organisation is the chosen one by now.
    changeAddress({ connected: null, organisation: null }, { replace: true })
    // By `known` alone: the connectors come with it, and the list is drawn anew every ten seconds.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [known])
  return arrived
}

function arrivedWords(connectors: readonly Connector[]): string {
  const [only] = connectors
  if (connectors.length !== 1 || only === undefined) return `${connectors.length} connectors are connected.`
  const isNew = only.RecentRuns.every(({ Status }) => Status !== 'COMPLETED')
  return isNew ? `${only.Name} is connected. Its first run starts by itself.` : `${only.Name} is connected.`
}
