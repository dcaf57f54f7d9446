import { reAuthentication } from '@tributary/contract/re-authentication'
import { profile } from '@tributary/contract/profile'
import type { App } from '../../parts.ts'
import { clearSessionCookies, readDeviceTokens } from '../../identity/sessions/session-cookies.ts'
import { beginApp, confirmApp, removeApp } from './authenticator-app.ts'
import { switchMfa } from './switch-mfa.ts'
import { beginPasskey, keepPasskey, removePasskey } from './passkeys.ts'
import { askForProof, giveProof } from './re-authenticate.ts'
import { readSecurity, showSessions } from './replies.ts'
import {
  changePassword,
  endAllSessions,
  endSession,
  forgetDevice,
  renewRecoveryCodes,
  unlinkProvider,
} from './sign-in-methods.ts'

export function securityRoutes(app: App): void {
  const { parts } = app
  const { config } = parts

  app.bind(profile.read, ({ actor, request }) => readSecurity(parts, actor, readDeviceTokens(config, request)))
  app.bind(profile.switchMfa, (call) => switchMfa(parts, call, call.body, readDeviceTokens(config, call.request)))
  app.bind(profile.forgetDevice, (call) => forgetDevice(parts, call, call.params.deviceId))

  app.bind(reAuthentication.ask, (call) => askForProof(parts, call))
  app.bind(reAuthentication.give, (call) => giveProof(parts, call, call.body))

  app.bind(profile.beginTotp, (call) => beginApp(parts, call, call.body.password))
  app.bind(profile.confirmTotp, (call) => confirmApp(parts, call, call.body.code))
  app.bind(profile.removeTotp, (call) => removeApp(parts, call, call.body.password))

  app.bind(profile.passkeyOptions, (call) => beginPasskey(parts, call, call.body.password))
  app.bind(profile.addPasskey, (call) => keepPasskey(parts, call, call.body))
  app.bind(profile.removePasskey, (call) =>
    removePasskey(parts, call, { ...call.params, password: call.body.password }),
  )

  app.bind(profile.newRecoveryCodes, (call) => renewRecoveryCodes(parts, call, call.body.password))
  app.bind(profile.changePassword, (call) => changePassword(parts, call, call.body))
  app.bind(profile.unlinkProvider, (call) =>
    unlinkProvider(parts, call, { ...call.params, password: call.body.password }),
  )

  app.bind(profile.sessions, ({ actor }) => showSessions(parts, actor))
  app.bind(profile.endSession, (call) => endSession(parts, call, call.params.sessionId))
  app.bind(profile.endAllSessions, async (call) => {
    await endAllSessions(parts, call)
    clearSessionCookies(config, call.reply)
  })
}
