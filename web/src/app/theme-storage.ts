import { localStorageColorSchemeManager } from '@mantine/core'

/** Stores the chosen theme; `first-paint.js` reads the same key. Without a value the system's theme counts. */
export const themeStorage = localStorageColorSchemeManager({ key: 'color-scheme' })
