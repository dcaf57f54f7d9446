import { reAuthentication } from '@tributary/contract/re-authentication'
import { profile } from '@tributary/contract/profile'
import type { AppRoutes } from '../../app-services.ts'
import { clearSessionCookies, readDeviceTokens } from '../../identity/sessions/session-cookies.ts'
import { beginAuthenticatorApp, confirmAuthenticatorApp, removeAuthenticatorApp } from './authenticator-app.ts'
import { switchMfa } from './switch-mfa.ts'
import { beginPasskeyRegistration, completePasskeyRegistration, removePasskey } from './passkeys.ts'
import { requestReAuthentication, reAuthenticate } from './re-authenticate.ts'
import { readSecurity, listSignedInSessions } from './replies.ts'
import {
  changePassword,
  endAllSessions,
  endSession,
  forgetDevice,
  renewRecoveryCodes,
  unlinkProvider,
} from './sign-in-methods.ts'

export function securityRoutes(app: AppRoutes): void {
  const { services } = app
  const { config } = services

  app.bind(profile.read, ({ actor, request }) => readSecurity(services, actor, readDeviceTokens(config, request)))
  app.bind(profile.switchMfa, (call) =>
    switchMfa(services, call.auditContext, call.body, readDeviceTokens(config, call.request)),
  )
  app.bind(profile.forgetDevice, (call) => forgetDevice(services, call.auditContext, call.params.deviceId))

  app.bind(reAuthentication.ask, (call) =>
    requestReAuthentication(services, call.auditContext, call.body?.secondFactor === true ? 'secondFactor' : 'any'),
  )
  app.bind(reAuthentication.give, (call) => reAuthenticate(services, call.auditContext, call.body))

  app.bind(profile.beginTotp, (call) => beginAuthenticatorApp(services, call.auditContext, call.body.password))
  app.bind(profile.confirmTotp, (call) => confirmAuthenticatorApp(services, call.auditContext, call.body.code))
  app.bind(profile.removeTotp, (call) => removeAuthenticatorApp(services, call.auditContext, call.body.password))

  app.bind(profile.passkeyOptions, (call) => beginPasskeyRegistration(services, call.auditContext, call.body.password))
  app.bind(profile.addPasskey, (call) => completePasskeyRegistration(services, call.auditContext, call.body))
  app.bind(profile.removePasskey, (call) =>
    removePasskey(services, call.auditContext, { ...call.params, password: call.body.password }),
  )

  app.bind(profile.newRecoveryCodes, (call) => renewRecoveryCodes(services, call.auditContext, call.body.password))
  app.bind(profile.changePassword, (call) => changePassword(services, call.auditContext, call.body))
  app.bind(profile.unlinkProvider, (call) =>
    unlinkProvider(services, call.auditContext, { ...call.params, password: call.body.password }),
  )

  app.bind(profile.sessions, ({ actor }) => listSignedInSessions(services, actor))
  app.bind(profile.endSession, (call) => endSession(services, call.auditContext, call.params.sessionId))
  app.bind(profile.endAllSessions, async (call) => {
    await endAllSessions(services, call.auditContext)
    clearSessionCookies(config, call.reply)
  })
}
