/** The cookies of a session. Scripts read none of them. */
import '@fastify/cookie'
import { registrationLinkMs, signInLinkMs } from '@tributary/contract/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { Config } from '../../kernel/config/config.ts'
import { knownDeviceMs } from './known-devices.ts'
import { parseSecretWithId } from '../../security/secrets/secret-with-id.ts'
import type { Issued } from './sessions.ts'

interface CookieNames {
  readonly refresh: string
  /** For the calls that begin at another site, which a Strict cookie does not follow. */
  readonly authorise: string
}

/** Over https a cookie is bound to this very host; trial mode speaks http, where browsers refuse the prefix. */
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

export function setSessionCookies(config: Config, reply: FastifyReply, issued: Issued): void {
  const { refresh, authorise } = cookieNames(config)
  reply.setCookie(refresh, issued.refreshToken, refreshOptions(config))
  reply.setCookie(authorise, issued.authoriseToken, authoriseOptions(config))
}

export function clearSessionCookies(config: Config, reply: FastifyReply): void {
  const { refresh, authorise } = cookieNames(config)
  reply.clearCookie(refresh, refreshOptions(config))
  reply.clearCookie(authorise, authoriseOptions(config))
}

/** Of each person who signs in with this browser one; more would make every call carry them. */
const devicesOfBrowserMax = 5

/** What the browser says which devices it is: one for each person who has signed in with it. */
export function readDeviceTokens(config: Config, request: FastifyRequest): readonly string[] {
  return request.cookies[nameOf(config, 'tributary_device')]?.split('~').slice(0, devicesOfBrowserMax) ?? []
}

export function setDeviceToken(
  config: Config,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  token: string,
): void {
  const id = parseSecretWithId(token)?.id
  const others = readDeviceTokens(config, request).filter((one) => parseSecretWithId(one)?.id !== id)
  const tokens = [token, ...others].slice(0, devicesOfBrowserMax).join('~')
  reply.setCookie(nameOf(config, 'tributary_device'), tokens, { ...ownOptions(config), maxAge: knownDeviceMs / 1_000 })
}

/** What shows that a sign-in link is opened in the browser that asked for it; '' for another. */
export function readLinkSecret(config: Config, request: FastifyRequest): string {
  return request.cookies[nameOf(config, 'tributary_link')] ?? ''
}

export function setLinkSecret(config: Config, reply: FastifyReply, secret: string): void {
  reply.setCookie(nameOf(config, 'tributary_link'), secret, { ...ownOptions(config), maxAge: signInLinkMs / 1_000 })
}

/** What shows that a sign-up goes on in the browser that began it, or that chose its password. A browser without one is given one. */
export function signUpSecret(config: Config, request: FastifyRequest): string {
  return request.cookies[nameOf(config, 'tributary_signup')] ?? randomBytes(32).toString('base64url')
}

export function setSignUpSecret(config: Config, reply: FastifyReply, secret: string): void {
  reply.setCookie(nameOf(config, 'tributary_signup'), secret, {
    ...ownOptions(config),
    maxAge: registrationLinkMs / 1_000,
  })
}

/** For the calls of the portal's own pages; those come to no other path. */
function ownOptions(config: Config) {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(config),
    path: isSecure(config) ? '/' : '/api',
  } as const
}

function nameOf(config: Config, name: string): string {
  return isSecure(config) ? `__Host-${name}` : name
}

/** The `__Host-` prefix wants the path `/`. */
function refreshOptions(config: Config) {
  return {
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(config),
    path: isSecure(config) ? '/' : '/api/auth',
  } as const
}

function authoriseOptions(config: Config) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(config), path: isSecure(config) ? '/' : '/api' } as const
}

function isSecure(config: Config): boolean {
  return config.publicUrl.startsWith('https:')
}
