/** The portal's data in the browser's storage. The specification names all keys but `preferences`, `recentItems` and `dataGrids`. */

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
  'recentItems',
  'preferences',
  'dataGrids',
] as const
export type StorageKey = (typeof keys)[number]

export function readText(key: StorageKey): string | null {
  return localStorage.getItem(key)
}

export function writeText(key: StorageKey, text: string): void {
  localStorage.setItem(key, text)
}

/** Undefined if absent or unreadable: another version of the portal may have written it. */
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
 * Caches data of the signed-in user and returns it. If the storage is full, the outdated entry is removed instead. A
 * request that ends after the user has signed out stores nothing.
 */
export function cacheForUser<T>(key: StorageKey, value: T): T {
  if (readText('jwt') === null) return value
  try {
    writeJson(key, value)
  } catch {
    removeItems([key])
  }
  return value
}

export function removeItems(names: readonly StorageKey[]): void {
  for (const key of names) localStorage.removeItem(key)
}

/** Also the arrangement of columns: the next person at this browser learns neither names of tables nor who looked at them. */
export function clearStorage(): void {
  removeItems(keys)
}

export function readCookie(name: string): string | null {
  const pair = document.cookie.split('; ').find((text) => text.startsWith(`${name}=`))
  return pair === undefined ? null : decodeURIComponent(pair.slice(name.length + 1))
}

export function writeCookie(name: string, value: string, maxAgeSeconds = 365 * 86_400): void {
  // The Cookie Store API is asynchronous, and not every supported browser has it.
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${maxAgeSeconds}; samesite=lax`
}

export function removeCookie(name: string): void {
  writeCookie(name, '', -1)
}
