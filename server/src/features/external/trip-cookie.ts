/** Binds a trip to the browser that left on it, for as long as the trip lasts. */
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { tripMs } from './queries.ts'

export function readTripCookie(config: Config, request: FastifyRequest): string {
  return request.cookies[cookieOf(config).name] ?? ''
}

export function setTripCookie(config: Config, reply: FastifyReply, browser: string): void {
  const { name, options } = cookieOf(config)
  reply.setCookie(name, browser, { ...options, maxAge: tripMs / 1_000 })
}

export function clearTripCookie(config: Config, reply: FastifyReply): void {
  const { name, options } = cookieOf(config)
  reply.clearCookie(name, options)
}

/** Lax, because the way back begins at another site. */
function cookieOf({ publicUrl }: Config) {
  const secure = publicUrl.startsWith('https:')
  const options = { httpOnly: true, sameSite: 'lax', secure, path: secure ? '/' : '/api/auth/external' } as const
  return { name: secure ? '__Host-tributary_external' : 'tributary_external', options }
}
