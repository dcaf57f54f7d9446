import { constants } from 'node:zlib'
import type { FastifyCompressOptions } from '@fastify/compress'

/**
 * Compression for JSON replies. No BREACH attack by length: replies need a bearer token, which another site cannot make a
 * browser send. Never for events, because compression would buffer them.
 */
export const compressed: FastifyCompressOptions = {
  encodings: ['br', 'gzip'],
  threshold: 2_048,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
}
