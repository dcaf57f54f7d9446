/** The cookies of a session. Scripts read none of them. */
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
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

/** The `__Host-` prefix wants the path `/`. */
function refreshOptions(config: Config) {
  return { httpOnly: true, sameSite: 'strict', secure: isSecure(config), path: isSecure(config) ? '/' : '/api/auth' } as const
}

function authoriseOptions(config: Config) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(config), path: isSecure(config) ? '/' : '/api/authorise' } as const
}

function isSecure(config: Config): boolean {
  return config.publicUrl.startsWith('https:')
}
