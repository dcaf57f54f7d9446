/** Binds an OAuth flow to the browser that started it, for the duration of the flow. */
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config/config.ts'

export interface FlowCookie {
  readonly name: string
  /** The path that reads the cookie. Over https it is `/`, because the `__Host-` prefix requires that. */
  readonly path: string
  readonly maxAgeMs: number
}

/** Returns '' if the browser has no flow cookie. */
export function readFlowCookie(config: Config, request: FastifyRequest, cookie: FlowCookie): string {
  return request.cookies[cookieSettings(config, cookie).name] ?? ''
}

export function setFlowCookie(config: Config, reply: FastifyReply, cookie: FlowCookie, secret: string): void {
  const { name, options } = cookieSettings(config, cookie)
  reply.setCookie(name, secret, { ...options, maxAge: cookie.maxAgeMs / 1_000 })
}

export function clearFlowCookie(config: Config, reply: FastifyReply, cookie: FlowCookie): void {
  const { name, options } = cookieSettings(config, cookie)
  reply.clearCookie(name, options)
}

/** `SameSite=Lax`, because the callback is a navigation from another site. */
function cookieSettings({ publicUrl }: Config, { name, path }: FlowCookie) {
  const secure = publicUrl.startsWith('https:')
  const options = { httpOnly: true, sameSite: 'lax', secure, path: secure ? '/' : path } as const
  return { name: secure ? `__Host-${name}` : name, options }
}
