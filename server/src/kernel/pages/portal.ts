/** The built portal: its files, packed in advance, and its one page for every address that is not a file. */
import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import '@fastify/cookie'
import type { Config } from '../config/config.ts'
import { ApiFault } from '../http/api-fault.ts'
import { readFirstFiles } from './critical-assets.ts'
import { denyAllContentPolicy } from '../http/http-server.ts'
import { pageHeaders } from './page-headers.ts'

const page = 'index.html'

export async function servePortal(http: FastifyInstance, { config }: { readonly config: Config }): Promise<void> {
  const html = readPage(config)
  const firstFiles = readFirstFiles(config.webDir)
  const packed = html === null ? {} : { br: brotliCompressSync(html), gzip: gzipSync(html) }
  if (html !== null) {
    await http.register(fastifyStatic, {
      root: config.webDir,
      preCompressed: true,
      index: false,
      cacheControl: false,
      dotfiles: 'ignore',
      // The page itself goes out below, with what its address allows.
      allowedPath: (path) => !/\.(?:html|json)$/u.test(path),
      setHeaders: (reply, path) => void reply.headers(fileHeaders(path)),
    })
  }
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '', query = ''] = request.url.split(/\?(.*)/su)
    const first = firstFiles(path, request.cookies['logged_in'] === 'true')
    if (first !== null) void reply.header('link', first)
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip'])
    void reply
      .code(200)
      .headers(pageHeaders(config, path, query))
      .type('text/html; charset=utf-8')
      .header('vary', 'accept-encoding')
    return encoding === null ? reply.send(html) : reply.header('content-encoding', encoding).send(packed[encoding])
  }
  if (html !== null) http.get('/', sendPage)
  http.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPage = isRead && !request.url.startsWith('/api/') && request.headers.accept?.includes('text/html') === true
    if (!isPage || html === null) throw new ApiFault('notFound')
    return sendPage(request, reply)
  })
}

/** The page says which mode it is in, so that the sign-in screen can offer the trial's accounts without asking first. */
function readPage({ webDir, mode }: Config): string | null {
  const path = join(webDir, page)
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8').replace(
    'name="tributary-mode" content="production"',
    `name="tributary-mode" content="${mode}"`,
  )
}

/** Files under `assets` carry a hash of their content in their names. A script's own policy holds where it runs as a worker. */
function fileHeaders(path: string): Record<string, string> {
  const isScript = /\.js(?:\.br|\.gz)?$/u.test(path)
  return {
    'cache-control': path.includes(`${sep}assets${sep}`)
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=300',
    'content-security-policy': isScript
      ? "default-src 'none'; script-src 'self'; frame-ancestors 'none'"
      : denyAllContentPolicy,
  }
}
