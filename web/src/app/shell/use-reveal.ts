import { layoutRevealMs } from '@tributary/contract/limits'
import { useEffect, useLayoutEffect, useState } from 'react'

/**
 * Reveals the layout over the skeleton of index.html 500 ms after navigation start; title and content do not wait for
 * it.
 */
export function useReveal(): boolean {
  const [isRevealed, setRevealed] = useState(() => performance.now() > layoutRevealMs)
  useLayoutEffect(() => {
    document.documentElement.dataset['first'] = isRevealed ? 'done' : 'chrome'
  }, [isRevealed])
  useEffect(() => {
    const timer = setTimeout(() => setRevealed(true), Math.max(0, layoutRevealMs - performance.now()))
    return () => clearTimeout(timer)
  }, [])
  return isRevealed
}
