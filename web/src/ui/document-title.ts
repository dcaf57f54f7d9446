import { useEffect } from 'react'

/** `Page - Company - Tributary`. */
export function useDocumentTitle(parts: readonly string[]): void {
  const title = [...parts.filter((part) => part.trim() !== ''), 'Tributary'].join(' - ')
  useEffect(() => {
    document.title = title
  }, [title])
}
