import { constants } from 'node:zlib'
import type { FastifyCompressOptions } from '@fastify/compress'

/**
 * Compression of JSON replies. It does not open the BREACH attack, because a reply needs a bearer token, which no other site can make a
 * browser send. Not for event streams: the compressor would hold events back.
 */
export const jsonCompression: FastifyCompressOptions = {
  encodings: ['br', 'gzip'],
  threshold: 2_048,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
}
