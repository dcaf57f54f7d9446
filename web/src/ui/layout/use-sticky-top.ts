import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Publishes the height of the page's header, which stays at the top, as `--sticky-top`: what sticks below it begins there. */
export function useStickyTop(): RefObject<HTMLElement | null> {
  const header = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { current: element } = header
    if (element === null) return
    const { style } = document.documentElement
    const publish = () => style.setProperty('--sticky-top', `${element.offsetHeight}px`)
    const observer = new ResizeObserver(publish)
    observer.observe(element)
    publish()
    return () => observer.disconnect()
  }, [])
  return header
}
