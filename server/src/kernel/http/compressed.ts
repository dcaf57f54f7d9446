import { constants } from 'node:zlib'
import type { FastifyCompressOptions } from '@fastify/compress'

/**
 * For routes that answer JSON, which travels packed. Its length tells a stranger nothing: what a call answers is for the bearer of a
 * token, which no other site can make a browser send. Never for events, which packing would hold back.
 */
export const packed: FastifyCompressOptions = {
  encodings: ['br', 'gzip'],
  threshold: 2_048,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
}
