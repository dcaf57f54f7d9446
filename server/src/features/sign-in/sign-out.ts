import type { FastifyRequest } from 'fastify'
import { type AuditContext, withActor } from '../../kernel/audit-context.ts'
import { refreshCookie } from '../../identity/sessions/session-cookies.ts'
import { readCookie } from '../../kernel/http/own-cookie.ts'
import type { AppServices } from '../../app-services.ts'

type SignOutServices = Pick<AppServices, 'audit' | 'config' | 'sessions' | 'store'>

/** Idempotent: does nothing without a refresh cookie or after its session has ended. */
export async function signOut(
  { audit, config, sessions, store }: SignOutServices,
  request: FastifyRequest,
  auditContext: AuditContext,
): Promise<void> {
  const token = readCookie(config, request, refreshCookie)
  if (token === undefined) return
  // Across: a session belongs to no organisation.
  await store.across(async (db) => {
    const session = await sessions.findByRefreshToken(db, token)
    if (session === null) return
    await sessions.end(db, session.id, 'signed out')
    const by = withActor(auditContext, { userId: session.userId, sessionId: session.id })
    await audit.record(db, by, { organisationId: null, action: 'session.logout' })
  })
}
