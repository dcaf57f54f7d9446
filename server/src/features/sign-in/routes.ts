import { signInRoutes, type SignIn, type SignInReply } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import {
  clearSessionCookies,
  readDeviceTokens,
  readRefreshToken,
  setSessionCookies,
} from '../../identity/sessions/session-cookies.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { App, Parts } from '../../parts.ts'
import { makeFirstSuperadmin } from './first-superadmin.ts'
import type { Visit } from './start-session.ts'
import { requestLink, signInByLink } from './sign-in-link.ts'
import { signInOptions } from './sign-in-options.ts'
import { passkeyOptions, resendCode, signInByCode, signInByPasskey, verify } from './second-factor.ts'
import { sessionReply } from './session-reply.ts'
import { signInByPassword } from './password-sign-in.ts'
import { signOut } from './sign-out.ts'

export function sessionRoutes(app: App): void {
  const { parts } = app
  const { config } = parts

  app.bind(signInRoutes.options, () => signInOptions(parts))
  app.bind(signInRoutes.withPassword, (call) => signIn(parts, call.body, call))
  app.bind(signInRoutes.withAddIn, (call) => signIn(parts, call.body, call))
  app.bind(signInRoutes.verify, (call) => verify(parts, call.body, call))
  app.bind(signInRoutes.resendCode, (call) => resendCode(parts, call.body.reference, call))
  app.bind(signInRoutes.passkeyOptions, (call) => passkeyOptions(parts, call.body.verificationReference, call))
  app.bind(signInRoutes.requestLink, (call) => requestLink(parts, call.body, call))

  app.bind(signInRoutes.refresh, async ({ body, origin, request, reply }) => {
    const token = readRefreshToken(config, request)
    if (token === undefined) throw new ApiFault('notSignedIn')
    const issued = await parts.sessions.refresh(token, { organisationId: body.organisationId, origin })
    setSessionCookies(config, reply, issued)
    // Across: a person and their devices belong to no organisation.
    return parts.store.across((db) => sessionReply(parts, db, issued, readDeviceTokens(config, request)))
  })

  app.bind(signInRoutes.signOut, async ({ origin, request, reply }) => {
    await signOut(parts, request, origin)
    clearSessionCookies(config, reply)
    // What the portal keeps is taken even where its own clearing was cut short; cookies for display stay.
    reply.header('clear-site-data', '"storage"')
  })

  app.bind(signInRoutes.firstSuperadmin, async ({ body, origin }) => {
    await makeFirstSuperadmin(parts, body, origin)
    return { emailAddress: body.emailAddress }
  })
}

/** The four ways to sign in, told apart by what was sent. */
function signIn(parts: Parts, body: SignIn, visit: Visit): Promise<Camel<SignInReply>> {
  if ('password' in body) return signInByPassword(parts, body, visit)
  if ('passkey' in body) return signInByPasskey(parts, body, visit)
  if ('verificationCode' in body) return signInByCode(parts, body, visit)
  return signInByLink(parts, body, visit)
}
