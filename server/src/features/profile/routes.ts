import { proof } from '@tributary/contract/re-authentication'
import { security } from '@tributary/contract/profile'
import type { App } from '../../app-services.ts'
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
  const { services } = app
  const { config } = services

  app.bind(security.read, ({ actor, request }) => readSecurity(services, actor, readDeviceTokens(config, request)))
  app.bind(security.switchMfa, (call) =>
    switchMfa(services, call.auditContext, call.body, readDeviceTokens(config, call.request)),
  )
  app.bind(security.forgetDevice, (call) => forgetDevice(services, call.auditContext, call.params.deviceId))

  app.bind(proof.ask, (call) => askForProof(services, call.auditContext))
  app.bind(proof.give, (call) => giveProof(services, call.auditContext, call.body))

  app.bind(security.beginTotp, (call) => beginApp(services, call.auditContext, call.body.password))
  app.bind(security.confirmTotp, (call) => confirmApp(services, call.auditContext, call.body.code))
  app.bind(security.removeTotp, (call) => removeApp(services, call.auditContext, call.body.password))

  app.bind(security.passkeyOptions, (call) => beginPasskey(services, call.auditContext, call.body.password))
  app.bind(security.addPasskey, (call) => keepPasskey(services, call.auditContext, call.body))
  app.bind(security.removePasskey, (call) =>
    removePasskey(services, call.auditContext, { ...call.params, password: call.body.password }),
  )

  app.bind(security.newRecoveryCodes, (call) => renewRecoveryCodes(services, call.auditContext, call.body.password))
  app.bind(security.changePassword, (call) => changePassword(services, call.auditContext, call.body))
  app.bind(security.unlinkProvider, (call) =>
    unlinkProvider(services, call.auditContext, { ...call.params, password: call.body.password }),
  )

  app.bind(security.sessions, ({ actor }) => showSessions(services, actor))
  app.bind(security.endSession, (call) => endSession(services, call.auditContext, call.params.sessionId))
  app.bind(security.endAllSessions, async (call) => {
    await endAllSessions(services, call.auditContext)
    clearSessionCookies(config, call.reply)
  })
}
