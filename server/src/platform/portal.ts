/** The built portal: its files, packed in advance, and its one page for every address that is not a file. */
import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiFault } from './fault.ts'
import type { Parts } from './parts.ts'

const page = 'index.html'

export async function servePortal(http: FastifyInstance, { config }: Parts): Promise<void> {
  const html = readPage(config)
  if (html !== null) {
    await http.register(fastifyStatic, {
      root: config.webDir,
      preCompressed: true,
      index: false,
      cacheControl: false,
      setHeaders: (reply, path) => void reply.headers(headersOf(path)),
    })
  }
  const sendPage = (reply: FastifyReply) => reply.code(200).headers(headersOf(page)).type('text/html; charset=utf-8').send(html)
  if (html !== null) http.get('/', (_request, reply) => sendPage(reply))
  http.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' && !request.url.startsWith('/api/') && request.headers.accept?.includes('text/html') === true
    if (!isPage || html === null) throw new ApiFault('notFound')
    return sendPage(reply)
  })
}

/** The page says which mode it is in, so that the sign-in screen can offer the trial's accounts without asking first. */
function readPage({ webDir, mode }: Parts['config']): string | null {
  const path = join(webDir, page)
  if (!existsSync(path)) return null
  return readFileSync(path, 'utf8').replace('name="tributary-mode" content="production"', `name="tributary-mode" content="${mode}"`)
}

/** Files under `assets` carry a hash of their content in their names; a page must be asked for anew each time. */
function headersOf(path: string): Record<string, string> {
  if (/\.html(?:\.br|\.gz)?$/u.test(path)) return { 'cache-control': 'no-store', 'content-security-policy': pagePolicy }
  return { 'cache-control': path.includes(`${sep}assets${sep}`) ? 'public, max-age=31536000, immutable' : 'public, max-age=300' }
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'none'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ')
