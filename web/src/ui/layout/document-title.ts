/** The title and the favicon of the browser tab. */
import { useEffect } from 'react'

/** A message in a background tab. It disappears when the tab becomes visible. */
export interface TabBadge {
  readonly text: string
  readonly tone: 'ok' | 'error'
}

let title = 'Tributary'
let badge: TabBadge | null = null
let originalIcon: string | null = null

/** Sets the title, for example `Page - Company - Tributary`. */
export function useDocumentTitle(parts: readonly string[]): void {
  const full = [...parts.filter((part) => part.trim() !== ''), 'Tributary'].join(' - ')
  useEffect(() => {
    title = full
    render()
  }, [full])
}

/** Shows a badge in a hidden tab. Does nothing in a visible one. */
export function showTabBadge(next: TabBadge): void {
  if (document.visibilityState === 'visible') return
  badge = next
  render()
  document.addEventListener('visibilitychange', clear, { once: true })
}

function clear(): void {
  badge = null
  render()
}

function render(): void {
  document.title = badge === null ? title : `${badge.text} - ${title}`
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link === null) return
  originalIcon ??= link.href
  link.href = badge === null ? originalIcon : withDot(originalIcon, badge.tone)
}

const colours = { ok: '24a965', error: 'd42931' }

/** The favicon is an SVG data URL in the page; the dot is one more circle in it. */
function withDot(icon: string, tone: TabBadge['tone']): string {
  const dot = `%3Ccircle cx='24' cy='8' r='8' fill='%23${colours[tone]}' stroke='%23fff' stroke-width='2'/%3E`
  return icon.replace('%3C/svg%3E', `${dot}%3C/svg%3E`)
}
