import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

const key = 'color-scheme'
let unsubscribe = () => {}

/** Stores the chosen theme; `first-paint.js` reads the same key. No value means the system's theme. */
export const themeStorage: MantineColorSchemeManager = {
  get: (initial) => parseTheme(localStorage.getItem(key)) ?? initial,
  set: (theme) => (theme === 'auto' ? localStorage.removeItem(key) : localStorage.setItem(key, theme)),
  subscribe: (onUpdate) => {
    const listener = (event: StorageEvent) => event.key === key && onUpdate(parseTheme(event.newValue) ?? 'auto')
    window.addEventListener('storage', listener)
    unsubscribe = () => window.removeEventListener('storage', listener)
  },
  unsubscribe: () => unsubscribe(),
  clear: () => localStorage.removeItem(key),
}

function parseTheme(text: string | null): MantineColorScheme | null {
  return text === 'light' || text === 'dark' ? text : null
}
