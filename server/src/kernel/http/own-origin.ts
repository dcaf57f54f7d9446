import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

/** The origin at which callers reach this server. In a trial it has several names, of which the caller's is known to be its own. */
export function ownOrigin(config: Pick<Config, 'mode' | 'publicUrl'>, request: FastifyRequest): string {
  return config.mode === 'trial' ? `${request.protocol}://${request.host}` : config.publicUrl
}
