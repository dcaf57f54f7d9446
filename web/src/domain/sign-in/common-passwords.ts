/** The passwords that the server refuses as too common, loaded once somebody begins to choose one. */
import { type CommonPasswords, isAmongCommon } from '@tributary/contract/common-passwords'
import { useEffect, useState } from 'react'

let known: CommonPasswords | null = null

/** Null until the lists are here. The server checks in any case. */
export function isKnownCommon(password: string): boolean | null {
  return known === null ? null : isAmongCommon(password, known)
}

/** Loads the lists, and draws again when they are here. */
export function useCommonPasswords(): void {
  const [, setLoaded] = useState(known !== null)
  useEffect(() => {
    let isShown = true
    void load().then(
      () => isShown && setLoaded(true),
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [])
}

async function load(): Promise<void> {
  const { whole, stems } = await import('virtual:common-passwords')
  known ??= { whole: new Set(whole.split('\n')), stems: new Set(stems.split('\n')) }
}
