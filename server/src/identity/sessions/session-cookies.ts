/** The cookies of a session. All are HttpOnly. */
import '@fastify/cookie'
import { registrationLinkMs, signInLinkMs } from '@tributary/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config/config.ts'
import { knownDeviceMs } from './known-devices.ts'
import { parseSecretWithId } from '../../security/secrets/secret-with-id.ts'
import { randomSecret } from '../../security/secrets/one-time-codes.ts'
import type { IssuedSession } from './sessions.ts'

interface CookieNames {
  readonly refresh: string
  /** `SameSite=Lax`, for navigations from another site, which do not send a Strict cookie. */
  readonly authorise: string
}

/** Over https the `__Host-` prefix binds a cookie to the host. A trial uses http, where browsers refuse the prefix. */
function cookieNames(config: Config): CookieNames {
  return isSecure(config)
    ? { refresh: '__Host-tributary_refresh', authorise: '__Host-tributary_authorise' }
    : { refresh: 'tributary_refresh', authorise: 'tributary_authorise' }
}

export function readRefreshToken(config: Config, request: FastifyRequest): string | undefined {
  return request.cookies[cookieNames(config).refresh]
}

export function readAuthoriseToken(config: Config, request: FastifyRequest): string | undefined {
  return request.cookies[cookieNames(config).authorise]
}

export function setSessionCookies(config: Config, reply: FastifyReply, issued: IssuedSession): void {
  const { refresh, authorise } = cookieNames(config)
  reply.setCookie(refresh, issued.refreshToken, refreshCookieOptions(config))
  reply.setCookie(authorise, issued.authoriseToken, authoriseCookieOptions(config))
}

export function clearSessionCookies(config: Config, reply: FastifyReply): void {
  const { refresh, authorise } = cookieNames(config)
  reply.clearCookie(refresh, refreshCookieOptions(config))
  reply.clearCookie(authorise, authoriseCookieOptions(config))
}

/** One for each person who signs in with the browser. Limited, because every call sends them. */
const devicesPerBrowserMax = 5

/** The browser's device tokens: one for each person who has signed in with it. */
export function readDeviceTokens(config: Config, request: FastifyRequest): readonly string[] {
  return request.cookies[hostCookieName(config, 'tributary_device')]?.split('~').slice(0, devicesPerBrowserMax) ?? []
}

export function setDeviceToken(
  config: Config,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  token: string,
): void {
  const id = parseSecretWithId(token)?.id
  const others = readDeviceTokens(config, request).filter((one) => parseSecretWithId(one)?.id !== id)
  const tokens = [token, ...others].slice(0, devicesPerBrowserMax).join('~')
  reply.setCookie(hostCookieName(config, 'tributary_device'), tokens, {
    ...portalCookieOptions(config),
    maxAge: knownDeviceMs / 1_000,
  })
}

/** The secret that shows that a sign-in link is opened in the browser that requested it; '' in another browser. */
export function readLinkSecret(config: Config, request: FastifyRequest): string {
  return request.cookies[hostCookieName(config, 'tributary_link')] ?? ''
}

export function setLinkSecret(config: Config, reply: FastifyReply, secret: string): void {
  reply.setCookie(hostCookieName(config, 'tributary_link'), secret, {
    ...portalCookieOptions(config),
    maxAge: signInLinkMs / 1_000,
  })
}

/**
 * The secret that shows that a sign-up continues in the browser that started it or chose its password. New if the
 * browser has none.
 */
export function readOrCreateSignUpSecret(config: Config, request: FastifyRequest): string {
  return request.cookies[hostCookieName(config, 'tributary_signup')] ?? randomSecret()
}

export function setSignUpSecret(config: Config, reply: FastifyReply, secret: string): void {
  reply.setCookie(hostCookieName(config, 'tributary_signup'), secret, {
    ...portalCookieOptions(config),
    maxAge: registrationLinkMs / 1_000,
  })
}

/** For calls of the portal's own pages. */
function portalCookieOptions(config: Config) {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(config),
    path: isSecure(config) ? '/' : '/api',
  } as const
}

function hostCookieName(config: Config, name: string): string {
  return isSecure(config) ? `__Host-${name}` : name
}

/** The `__Host-` prefix requires the path `/`. */
function refreshCookieOptions(config: Config) {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(config),
    path: isSecure(config) ? '/' : '/api/auth',
  } as const
}

function authoriseCookieOptions(config: Config) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(config), path: isSecure(config) ? '/' : '/api' } as const
}

function isSecure(config: Config): boolean {
  return config.publicUrl.startsWith('https:')
}
