/** The passwords that the server refuses as too common, lazy-loaded when a user chooses a password. */
import { type CommonPasswords, isAmongCommon } from '@tributary/contract/common-passwords'
import { useEffect, useState } from 'react'

let loaded: CommonPasswords | null = null

/** Returns null until the lists are loaded. The server checks in any case. */
export function isCommonPassword(password: string): boolean | null {
  return loaded === null ? null : isAmongCommon(password, loaded)
}

/** Loads the lists and re-renders when they are loaded. */
export function useCommonPasswords(): void {
  const [, setLoaded] = useState(loaded !== null)
  useEffect(() => {
    let isMounted = true
    void load().then(
      () => isMounted && setLoaded(true),
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [])
}

async function load(): Promise<void> {
  const { whole, stems } = await import('virtual:common-passwords')
  loaded ??= { whole: new Set(whole.split('\n')), stems: new Set(stems.split('\n')) }
}
