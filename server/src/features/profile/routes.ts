import { proof } from '@tributary/contract/re-authentication'
import { security } from '@tributary/contract/profile'
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

  app.bind(security.read, ({ actor, request }) => readSecurity(parts, actor, readDeviceTokens(config, request)))
  app.bind(security.switchMfa, (call) => switchMfa(parts, call, call.body, readDeviceTokens(config, call.request)))
  app.bind(security.forgetDevice, (call) => forgetDevice(parts, call, call.params.deviceId))

  app.bind(proof.ask, (call) => askForProof(parts, call))
  app.bind(proof.give, (call) => giveProof(parts, call, call.body))

  app.bind(security.beginTotp, (call) => beginApp(parts, call, call.body.password))
  app.bind(security.confirmTotp, (call) => confirmApp(parts, call, call.body.code))
  app.bind(security.removeTotp, (call) => removeApp(parts, call, call.body.password))

  app.bind(security.passkeyOptions, (call) => beginPasskey(parts, call, call.body.password))
  app.bind(security.addPasskey, (call) => keepPasskey(parts, call, call.body))
  app.bind(security.removePasskey, (call) =>
    removePasskey(parts, call, { ...call.params, password: call.body.password }),
  )

  app.bind(security.newRecoveryCodes, (call) => renewRecoveryCodes(parts, call, call.body.password))
  app.bind(security.changePassword, (call) => changePassword(parts, call, call.body))
  app.bind(security.unlinkProvider, (call) =>
    unlinkProvider(parts, call, { ...call.params, password: call.body.password }),
  )

  app.bind(security.sessions, ({ actor }) => showSessions(parts, actor))
  app.bind(security.endSession, (call) => endSession(parts, call, call.params.sessionId))
  app.bind(security.endAllSessions, async (call) => {
    await endAllSessions(parts, call)
    clearSessionCookies(config, call.reply)
  })
}
