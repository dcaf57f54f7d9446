import { session } from '@tributary/contract/session'
import { clearSessionCookies, readRefreshToken, setSessionCookies } from '../../platform/cookies.ts'
import { ApiFault } from '../../platform/fault.ts'
import type { App } from '../../platform/bind.ts'
import { makeFirstSuperadmin } from './first-superadmin.ts'
import { sessionReply } from './session-reply.ts'
import { signIn } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export function sessionRoutes(app: App): void {
  const { parts } = app
  const { config } = parts

  app.bind(session.signIn, async ({ body, origin, reply }) => {
    const issued = await signIn(parts, body, origin)
    setSessionCookies(config, reply, issued)
    return sessionReply(issued)
  })

  app.bind(session.refresh, async ({ body, request, reply }) => {
    const token = readRefreshToken(config, request)
    if (token === undefined) throw new ApiFault('notSignedIn')
    const issued = await parts.sessions.refresh(token, body.organisationId)
    setSessionCookies(config, reply, issued)
    return sessionReply(issued)
  })

  app.bind(session.signOut, async ({ origin, request, reply }) => {
    await signOut(parts, request, origin)
    clearSessionCookies(config, reply)
  })

  app.bind(session.firstSuperadmin, async ({ body, origin }) => {
    await makeFirstSuperadmin(parts, body, origin)
    return { emailAddress: body.emailAddress }
  })
}
