/** The current time for components. Separate from what shows it, because signing in needs only the time. */
import { useSyncExternalStore } from 'react'
import { now } from '@tributary/client/server-clock'

/**
 * The server's time in ms since 1970, re-rendered every `everyMs`. The snapshot is rounded to the interval, so
 * that it changes once per tick. One timer per interval re-renders all components.
 */
export function useNow(everyMs: number): number {
  const rounded = () => Math.floor(now() / everyMs) * everyMs
  useSyncExternalStore((listener) => tickerFor(everyMs).add(listener), rounded)
  return now()
}

const tickers = new Map<number, ReturnType<typeof createTicker>>()

function tickerFor(everyMs: number) {
  const ticker = tickers.get(everyMs) ?? createTicker(everyMs)
  tickers.set(everyMs, ticker)
  return ticker
}

function createTicker(everyMs: number) {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    add(listener: () => void) {
      listeners.add(listener)
      timer ??= setInterval(() => listeners.forEach((each) => each()), everyMs)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
