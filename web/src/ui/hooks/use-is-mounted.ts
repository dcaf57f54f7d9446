import { useCallback, useEffect, useRef } from 'react'

/** Whether what asks is still on the screen: a call may end after somebody has gone elsewhere, where nothing is to be closed or opened for them. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useCallback(() => isShown.current, [])
}
