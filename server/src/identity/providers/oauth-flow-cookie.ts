/** Binds a trip to another site to the browser that left on it, for as long as the trip lasts. */
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config/config.ts'

export interface FlowCookie {
  readonly name: string
  /** The pages that read it; over https every one, because the `__Host-` prefix wants that. */
  readonly path: string
  readonly lifeMs: number
}

/** '' for a browser that is on no trip. */
export function readFlowCookie(config: Config, request: FastifyRequest, cookie: FlowCookie): string {
  return request.cookies[cookieOf(config, cookie).name] ?? ''
}

export function setFlowCookie(config: Config, reply: FastifyReply, cookie: FlowCookie, browser: string): void {
  const { name, options } = cookieOf(config, cookie)
  reply.setCookie(name, browser, { ...options, maxAge: cookie.lifeMs / 1_000 })
}

export function clearFlowCookie(config: Config, reply: FastifyReply, cookie: FlowCookie): void {
  const { name, options } = cookieOf(config, cookie)
  reply.clearCookie(name, options)
}

/** Lax, because the way back begins at another site. */
function cookieOf({ publicUrl }: Config, { name, path }: FlowCookie) {
  const secure = publicUrl.startsWith('https:')
  const options = { httpOnly: true, sameSite: 'lax', secure, path: secure ? '/' : path } as const
  return { name: secure ? `__Host-${name}` : name, options }
}
