/** The title and the icon of the tab. */
import { useEffect } from 'react'

/** What the tab should say to somebody who looks elsewhere; gone as soon as they look at it. */
export interface TabBadge {
  readonly text: string
  readonly tone: 'ok' | 'error'
}

let title = 'Tributary'
let badge: TabBadge | null = null
let plainIcon: string | null = null

/** `Page - Company - Tributary`. */
export function useDocumentTitle(parts: readonly string[]): void {
  const full = [...parts.filter((part) => part.trim() !== ''), 'Tributary'].join(' - ')
  useEffect(() => {
    title = full
    draw()
  }, [full])
}

/** Does nothing in a tab that somebody looks at. */
export function badgeTab(next: TabBadge): void {
  if (document.visibilityState === 'visible') return
  badge = next
  draw()
  document.addEventListener('visibilitychange', clear, { once: true })
}

function clear(): void {
  badge = null
  draw()
}

function draw(): void {
  document.title = badge === null ? title : `${badge.text} - ${title}`
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link === null) return
  plainIcon ??= link.href
  link.href = badge === null ? plainIcon : withDot(plainIcon, badge.tone)
}

const colours = { ok: '24a965', error: 'd42931' }

/** The icon is drawn in the page itself, as SVG; a dot is one more circle in it. */
function withDot(icon: string, tone: TabBadge['tone']): string {
  const dot = `%3Ccircle cx='24' cy='8' r='8' fill='%23${colours[tone]}' stroke='%23fff' stroke-width='2'/%3E`
  return icon.replace('%3C/svg%3E', `${dot}%3C/svg%3E`)
}
