/** Cookies that only this server reads. All are HttpOnly. */
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

export interface OwnCookie {
  /** Over https with the `__Host-` prefix, which binds a cookie to the host. A trial uses http, where browsers refuse it. */
  readonly name: string
  /** The path that reads the cookie. Over https it is `/`, because the `__Host-` prefix requires that. */
  readonly path: string
  /** `lax` for navigations from another site, which do not send a Strict cookie. */
  readonly sameSite: 'strict' | 'lax'
  /** Without it, the cookie ends with the browser's session. */
  readonly maxAgeMs?: number
}

export function readCookie(config: Config, request: FastifyRequest, cookie: OwnCookie): string | undefined {
  return request.cookies[settingsOf(config, cookie).name]
}

export function setCookie(config: Config, reply: FastifyReply, cookie: OwnCookie, value: string): void {
  const { name, options } = settingsOf(config, cookie)
  const { maxAgeMs } = cookie
  reply.setCookie(name, value, { ...options, ...(maxAgeMs !== undefined && { maxAge: maxAgeMs / 1_000 }) })
}

export function clearCookie(config: Config, reply: FastifyReply, cookie: OwnCookie): void {
  const { name, options } = settingsOf(config, cookie)
  reply.clearCookie(name, options)
}

function settingsOf({ publicUrl }: Config, { name, path, sameSite }: OwnCookie) {
  const secure = publicUrl.startsWith('https:')
  const options = { httpOnly: true, sameSite, secure, path: secure ? '/' : path }
  return { name: secure ? `__Host-${name}` : name, options }
}
