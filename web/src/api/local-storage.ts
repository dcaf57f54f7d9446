/** What the portal keeps in the browser, under the names that the specification gives. */

const keys = [
  'jwt',
  'user',
  'organisations',
  'organisationSelected',
  'connectorTypes',
  'organisationConnectorTypes',
  'connectorTypesCacheBust',
  'entities',
  'areas',
  'subAreas',
  'versions',
  'helperTables',
  'breadCrumb',
] as const
export type StorageKey = (typeof keys)[number]

export function readText(key: StorageKey): string | null {
  return localStorage.getItem(key)
}

export function writeText(key: StorageKey, text: string): void {
  localStorage.setItem(key, text)
}

/** Undefined when absent or unreadable: another version of the portal may have written it. */
export function readJson<T>(key: StorageKey): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as T
  } catch {
    return undefined
  }
}

export function writeJson(key: StorageKey, value: unknown): void {
  localStorage.setItem(key, JSON.stringify(value))
}

/**
 * Writes down what is shown to somebody who is signed in. What does not fit is not kept, and what was kept before is not true any
 * more; what was under way when they signed out leaves nothing behind.
 */
export function keep<T>(key: StorageKey, value: T): T {
  if (readText('jwt') === null) return value
  try {
    writeJson(key, value)
  } catch {
    removeTexts([key])
  }
  return value
}

export function removeTexts(some: readonly StorageKey[]): void {
  for (const key of some) localStorage.removeItem(key)
}

export function clearStorage(): void {
  removeTexts(keys)
}

export function readCookie(name: string): string | null {
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`${name}=`))
  return pair === undefined ? null : decodeURIComponent(pair.slice(name.length + 1))
}

export function writeCookie(name: string, value: string, maxAgeSeconds = 365 * 86_400): void {
  // The Cookie Store API would be asynchronous, and is not in every browser we support.
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${maxAgeSeconds}; samesite=lax`
}

export function removeCookie(name: string): void {
  writeCookie(name, '', -1)
}
