import { signInRoutes, type SignIn, type SignInReply } from '@tributary/contract/sign-in'
import type { Camel } from '@tributary/contract/wire'
import {
  clearSessionCookies,
  readDeviceTokens,
  refreshCookie,
  setSessionCookies,
} from '../../identity/sessions/session-cookies.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { readCookie } from '../../kernel/http/own-cookie.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { createFirstSuperadmin } from './first-superadmin.ts'
import type { SignInCall } from './start-session.ts'
import { requestLink, signInByLink } from './sign-in-link.ts'
import { signInOptions } from './sign-in-options.ts'
import { passkeyOptions, resendCode, signInByCode, signInByPasskey, verify } from './second-factor.ts'
import { sessionReply } from './session-reply.ts'
import { signInByPassword } from './password-sign-in.ts'
import { signOut } from './sign-out.ts'

export function sessionRoutes(app: AppRoutes): void {
  const { services } = app
  const { config } = services

  app.bind(signInRoutes.options, () => signInOptions(services))
  app.bind(signInRoutes.withPassword, (call) => signIn(services, call.body, call))
  app.bind(signInRoutes.withAddIn, (call) => signIn(services, call.body, call))
  app.bind(signInRoutes.verify, (call) => verify(services, call.body, call))
  app.bind(signInRoutes.resendCode, (call) => resendCode(services, call.body.reference, call))
  app.bind(signInRoutes.passkeyOptions, (call) => passkeyOptions(services, call.body.verificationReference, call))
  app.bind(signInRoutes.requestLink, (call) => requestLink(services, call.body, call))

  app.bind(signInRoutes.refresh, async ({ body, auditContext, request, reply }) => {
    const token = readCookie(config, request, refreshCookie)
    if (token === undefined) throw new ApiFault('notSignedIn')
    const issued = await services.sessions.refresh(token, body.organisationId, auditContext)
    setSessionCookies(config, reply, issued)
    // Across: users and their devices belong to no organisation.
    return services.store.across((db) => sessionReply(services, db, issued, readDeviceTokens(config, request)))
  })

  app.bind(signInRoutes.signOut, async ({ auditContext, request, reply }) => {
    await signOut(services, request, auditContext)
    clearSessionCookies(config, reply)
    // Clears what the portal stored even if its own clean-up was interrupted. Cookies are excluded to keep the display
    // settings.
    reply.header('clear-site-data', '"storage"')
  })

  app.bind(signInRoutes.firstSuperadmin, async ({ body, auditContext }) => {
    await createFirstSuperadmin(services, body, auditContext)
    return { emailAddress: body.emailAddress }
  })
}

/** The fields of the body determine which of the four sign-in methods applies. */
function signIn(services: AppServices, body: SignIn, call: SignInCall): Promise<Camel<SignInReply>> {
  if ('password' in body) return signInByPassword(services, body, call)
  if ('passkey' in body) return signInByPasskey(services, body, call)
  if ('verificationCode' in body) return signInByCode(services, body, call)
  return signInByLink(services, body, call)
}
