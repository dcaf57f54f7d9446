/** The cookies of sessions, devices, sign-in links and sign-ups. */
import { registrationLinkMs, signInLinkMs } from '@tributary/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config/config.ts'
import { clearCookie, type OwnCookie, readCookie, setCookie } from '../../kernel/http/own-cookie.ts'
import { knownDeviceMs } from './known-devices.ts'
import { parseSecretWithId } from '../../security/secrets/secret-with-id.ts'
import { randomSecret } from '../../security/secrets/one-time-codes.ts'
import type { IssuedSession } from './sessions.ts'

export const refreshCookie: OwnCookie = { name: 'tributary_refresh', path: '/api/auth', sameSite: 'strict' }
export const authoriseCookie: OwnCookie = { name: 'tributary_authorise', path: '/api', sameSite: 'lax' }

export function setSessionCookies(config: Config, reply: FastifyReply, issued: IssuedSession): void {
  setCookie(config, reply, refreshCookie, issued.refreshToken)
  setCookie(config, reply, authoriseCookie, issued.authoriseToken)
}

export function clearSessionCookies(config: Config, reply: FastifyReply): void {
  clearCookie(config, reply, refreshCookie)
  clearCookie(config, reply, authoriseCookie)
}

/** For calls of the portal's own pages. */
const ofPages = { path: '/api', sameSite: 'strict' } as const

const deviceCookie: OwnCookie = { name: 'tributary_device', ...ofPages, maxAgeMs: knownDeviceMs }
/** One for each person who signs in with the browser. Limited, because every call sends them. */
const devicesPerBrowserMax = 5

/** The browser's device tokens: one for each person who has signed in with it. */
export function readDeviceTokens(config: Config, request: FastifyRequest): readonly string[] {
  return readCookie(config, request, deviceCookie)?.split('~').slice(0, devicesPerBrowserMax) ?? []
}

export function setDeviceToken(config: Config, request: FastifyRequest, reply: FastifyReply, token: string): void {
  const id = parseSecretWithId(token)?.id
  const others = readDeviceTokens(config, request).filter((one) => parseSecretWithId(one)?.id !== id)
  setCookie(config, reply, deviceCookie, [token, ...others].slice(0, devicesPerBrowserMax).join('~'))
}

/** Holds the secret that shows that a sign-in link is opened in the browser that requested it. */
export const linkCookie: OwnCookie = { name: 'tributary_link', ...ofPages, maxAgeMs: signInLinkMs }

/** Holds the secret that shows that a sign-up continues in the browser that started it or chose its password. */
export const signUpCookie: OwnCookie = { name: 'tributary_signup', ...ofPages, maxAgeMs: registrationLinkMs }

/** New if the browser has none. */
export function readOrCreateSignUpSecret(config: Config, request: FastifyRequest): string {
  return readCookie(config, request, signUpCookie) ?? randomSecret()
}
