import { messageOf } from '@tributary/client/call-error'
import type { QueryOutcome } from '@tributary/contract/queries'
import { useEffect, useRef, useState } from 'react'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { callRun, queryHistory } from './query-api.ts'

/** The part of the editor's text that is run. */
export interface RunRequest {
  readonly database: string
  readonly statement: string
  /** Offset of the statement in the text of the editor. */
  readonly offset: number
}

export type QueryRunState =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly startedAt: number }
  | { readonly state: 'done'; readonly outcome: QueryOutcome; readonly request: RunRequest }
  | { readonly state: 'cancelled' }
  /** The server could not be reached, or refused the call. */
  | { readonly state: 'failed'; readonly message: string }

/** One query at a time. Leaving the page cancels it. */
export function useQueryRun() {
  const clientId = useOrganisationId()
  const invalidate = useInvalidate()
  const [run, setRun] = useState<QueryRunState>({ state: 'none' })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])

  async function start({ offset, ...body }: RunRequest): Promise<void> {
    if (controller.current !== null) return
    const current = new AbortController()
    controller.current = current
    setRun({ state: 'running', startedAt: Date.now() })
    try {
      const outcome = await callRun(clientId, body, current.signal)
      setRun({ state: 'done', outcome, request: { ...body, offset } })
    } catch (error) {
      setRun(current.signal.aborted ? { state: 'cancelled' } : { state: 'failed', message: messageOf(error) })
    } finally {
      controller.current = null
      void invalidate(queryHistory(clientId))
    }
  }

  return { run, start, cancel: () => controller.current?.abort() }
}
