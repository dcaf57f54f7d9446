/** The built portal: its precompressed files, and its one page for every address that is not a file. */
import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import '@fastify/cookie'
import type { Config } from '../config/config.ts'
import { ApiFault } from '../http/api-fault.ts'
import { readRouteManifest } from './route-manifest.ts'
import { denyAllContentPolicy } from '../http/http-server.ts'
import { pageHeaders } from './page-headers.ts'

const page = 'index.html'

export async function servePortal(http: FastifyInstance, { config }: { readonly config: Config }): Promise<void> {
  const html = readPage(config)
  if (html !== null) {
    await http.register(fastifyStatic, {
      root: config.webDir,
      preCompressed: true,
      index: false,
      cacheControl: false,
      dotfiles: 'ignore',
      // The page itself is sent below, with the headers for its address.
      allowedPath: (path) => !/\.(?:html|json)$/u.test(path),
      setHeaders: (reply, path) => void reply.headers(fileHeaders(path)),
    })
  }
  const sendPage = createPageSender(config, html ?? '')
  if (html !== null) http.get('/', sendPage)
  http.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPage = isRead && !request.url.startsWith('/api/') && request.headers.accept?.includes('text/html') === true
    if (!isPage || html === null) throw new ApiFault('notFound')
    return sendPage(request, reply)
  })
}

/** The cookie `logged_in` only decides which files are preloaded: a forged one costs its sender a few requests. */
function createPageSender(config: Config, html: string) {
  const findPageStart = readRouteManifest(config.webDir)
  const bodies = new Map<string, PageBody>()
  return (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '', query = ''] = request.url.split(/\?(.*)/su)
    const start = findPageStart(path, query, request.cookies['logged_in'] === 'true')
    const route = start?.route ?? '{}'
    const body = bodies.get(route) ?? compressPage(html.replace(routePlaceholder, () => routeAttribute(route)))
    bodies.set(route, body)
    if (start !== null) void reply.header('link', start.link)
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip'])
    void reply
      .code(200)
      .headers(pageHeaders(config, path, query))
      .type('text/html; charset=utf-8')
      .header('vary', 'accept-encoding')
    return encoding === null ? reply.send(body.plain) : reply.header('content-encoding', encoding).send(body[encoding])
  }
}

interface PageBody {
  readonly plain: string
  readonly br: Buffer
  readonly gzip: Buffer
}

/** Runs at the first request of each route. At its default quality Brotli blocks the event loop ten times as long. */
function compressPage(plain: string): PageBody {
  const br = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } })
  return { plain, br, gzip: gzipSync(plain) }
}

const routePlaceholder = 'data-route="{}"'

function routeAttribute(json: string): string {
  const value = json.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `data-route="${value}"`
}

/** Writes the mode into the page, so that the sign-in page can offer the trial's accounts without a request. */
function readPage({ webDir, mode }: Config): string | null {
  const path = join(webDir, page)
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8').replace(
    'name="tributary-mode" content="production"',
    `name="tributary-mode" content="${mode}"`,
  )
}

/** Files in `assets` have a content hash in their names. The policy of a script applies when it runs as a worker. */
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
