import type { RunDetail } from '@tributary/contract/runs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callStream } from '../../api/call.ts'
import { followEvents } from '@tributary/client/server-sent-events'
import { useDocumentVisibility } from '@mantine/hooks'
import { isUnfinished, type RunParams, runDetail } from '../../api/queries/runs.ts'

/** Delay before missing events are reported, in milliseconds; short gaps are normal. */
const pausedAfterMs = 20_000

/**
 * A run that updates live: by server-sent events while the tab is visible, otherwise by polling every ten seconds.
 * `isPaused`: no events have arrived for a while although they should.
 */
export function useLiveRun(ids: RunParams) {
  const queryClient = useQueryClient()
  const isVisible = useDocumentVisibility() === 'visible'
  const [isLive, setLive] = useState(false)
  const options = runDetail(ids)
  const query = useQuery({ ...options, ...(isLive && { refetchInterval: false as const }) })
  const isFollowed = isVisible && query.data !== undefined && isUnfinished(query.data)
  const { clientId, connectorId, runId } = ids

  useEffect(() => {
    if (!isFollowed) return
    const params = { clientId, connectorId, runId }
    const leaving = new AbortController()
    const open = (signal: AbortSignal) =>
      callStream('GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/events', { params, signal })
    function onEvent({ name, text }: { name: string; text: string }) {
      const { queryKey } = runDetail(params)
      if (name === 'run') queryClient.setQueryData(queryKey, JSON.parse(text) as RunDetail)
      if (name === 'end') void queryClient.invalidateQueries({ queryKey })
      return name === 'end' ? ('stop' as const) : ('continue' as const)
    }
    void followEvents({ open, onEvent, onLive: setLive }, leaving.signal)
    return () => {
      leaving.abort()
      setLive(false)
    }
  }, [isFollowed, clientId, connectorId, runId, queryClient])

  return { query, isPaused: useDelayedTrue(isFollowed && !isLive, pausedAfterMs) }
}

/** True once `value` has been true for `ms` milliseconds. */
function useDelayedTrue(value: boolean, ms: number): boolean {
  const [has, setHas] = useState(false)
  useEffect(() => {
    if (!value) return
    const timer = setTimeout(() => setHas(true), ms)
    return () => {
      clearTimeout(timer)
      setHas(false)
    }
  }, [value, ms])
  return has
}
