/** Asking, and doing, from a screen: what is under way ends with the screen. */
import { useEffect, useRef, useState } from 'react'

export interface Asked<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly isWaiting: boolean
  readonly again: () => void
}

/** Asks when the screen appears and when the key changes. The former value stays in sight until the next one comes. */
export function useAsk<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Asked<T> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ key?: string; round?: number; value?: T; error?: unknown }>({})
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    const controller = new AbortController()
    latest.current(controller.signal).then(
      (value) => controller.signal.aborted || setState({ key, round, value }),
      (error: unknown) => controller.signal.aborted || setState({ key, round, error }),
    )
    return () => controller.abort()
  }, [key, round])
  const isWaiting = state.key !== key || state.round !== round
  return {
    value: state.key === key ? state.value : undefined,
    error: isWaiting ? undefined : state.error,
    isWaiting,
    again: () => setRound((now) => now + 1),
  }
}

export interface Act {
  readonly isBusy: boolean
  readonly error: unknown
  /** One at a time: a second click while it is under way does nothing. */
  readonly run: (work: (signal: AbortSignal) => Promise<void>) => void
  /** Gives up what is under way. */
  readonly stop: () => void
  readonly dismiss: () => void
}

export function useAct(): Act {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const current = useRef<AbortController | null>(null)
  const stop = () => {
    current.current?.abort()
    current.current = null
    setBusy(false)
  }
  useEffect(() => () => current.current?.abort(), [])
  const run = (work: (signal: AbortSignal) => Promise<void>) => {
    if (current.current !== null) return
    const controller = new AbortController()
    current.current = controller
    setBusy(true)
    setError(undefined)
    work(controller.signal)
      .catch((failure: unknown) => controller.signal.aborted || setError(failure))
      .finally(() => {
        if (current.current !== controller) return
        current.current = null
        setBusy(false)
      })
  }
  return { isBusy, error, run, stop, dismiss: () => setError(undefined) }
}
