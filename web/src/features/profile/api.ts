import { callQuery } from '../../api/call-query.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'

export const securityDetails = callQuery(['security'], 'GET /me/security')

export const sessionList = callQuery(['sessions'], 'GET /me/sessions')

/** Invalidates the security details; call it after every change of a sign-in method or factor. */
export function useRefreshSecurity(): () => Promise<void> {
  const invalidate = useInvalidate()
  return () => invalidate(securityDetails)
}
