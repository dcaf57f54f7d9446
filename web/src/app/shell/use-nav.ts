import { navCollapseBelowPx } from '@tributary/contract/limits'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { readCookie, writeCookie } from '../../api/local-storage.ts'

export type NavState = ReturnType<typeof useNav>

const narrow = `(max-width: ${navCollapseBelowPx - 1}px)`

/**
 * Whether the side bar is collapsed. The cookie `nav` stores it; on a narrow screen it closes when a page is chosen.
 */
export function useNav() {
  // On a narrow screen the side bar covers the page.
  const isOverlay = useMediaQuery(narrow, false, { getInitialValueInEffect: false })
  const { pathname } = useLocation()
  const [isRail, setRail] = useState(() => readCookie('nav') === 'collapsed')
  const [overlaidPath, setOverlaidPath] = useState<string | null>(null)
  const isCollapsed = isOverlay ? overlaidPath !== pathname : isRail

  useEffect(() => {
    if (!isOverlay || isCollapsed) return
    const listener = (event: KeyboardEvent) => event.key === 'Escape' && setOverlaidPath(null)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [isOverlay, isCollapsed])

  function toggle() {
    if (isOverlay) return setOverlaidPath(isCollapsed ? pathname : null)
    writeCookie('nav', isRail ? 'open' : 'collapsed')
    setRail(!isRail)
  }
  return { isCollapsed, isOverlay, toggle, close: () => setOverlaidPath(null) }
}
