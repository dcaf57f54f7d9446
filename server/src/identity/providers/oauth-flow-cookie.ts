/** Binds a trip to another site to the browser that left on it, for as long as the trip lasts. */
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config/config.ts'

export interface TripCookie {
  readonly name: string
  /** The pages that read it; over https every one, because the `__Host-` prefix wants that. */
  readonly path: string
  readonly lifeMs: number
}

/** '' for a browser that is on no trip. */
export function readTripCookie(config: Config, request: FastifyRequest, cookie: TripCookie): string {
  return request.cookies[spelt(config, cookie).name] ?? ''
}

export function setTripCookie(config: Config, reply: FastifyReply, cookie: TripCookie, browser: string): void {
  const { name, options } = spelt(config, cookie)
  reply.setCookie(name, browser, { ...options, maxAge: cookie.lifeMs / 1_000 })
}

export function clearTripCookie(config: Config, reply: FastifyReply, cookie: TripCookie): void {
  const { name, options } = spelt(config, cookie)
  reply.clearCookie(name, options)
}

/** Lax, because the way back begins at another site. */
function spelt({ publicUrl }: Config, { name, path }: TripCookie) {
  const secure = publicUrl.startsWith('https:')
  const options = { httpOnly: true, sameSite: 'lax', secure, path: secure ? '/' : path } as const
  return { name: secure ? `__Host-${name}` : name, options }
}
