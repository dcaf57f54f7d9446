import { useCallback, useEffect, useRef } from 'react'

/**
 * Returns whether the component is still mounted. A call may end after the user left; then nothing must be closed
 * or opened.
 */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return useCallback(() => isMounted.current, [])
}
