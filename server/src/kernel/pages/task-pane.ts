/** Serves the task pane for Excel: its two pages, their files, its icons and its manifests. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { createManifests } from './task-pane-manifests.ts'
import { ApiFault } from '../http/api-fault.ts'
import { denyAllContentPolicy } from '../http/http-server.ts'
import { reportPath } from './page-headers.ts'

const addinFolder = resolve(import.meta.dirname, '../../../../addin')

/** @param folder the add-in's folder: `dist` has the build output, `icons` and `manifest` are sources. */
export async function serveAddin(
  http: FastifyInstance,
  { config }: { readonly config: Config },
  folder = addinFolder,
): Promise<void> {
  await http.register(
    async (scope) => {
      // Overrides the portal's handler, which would answer with its page.
      scope.setNotFoundHandler(() => {
        throw new ApiFault('notFound')
      })
      serveManifests(scope, config.publicUrl, folder)
      await serveIcons(scope, join(folder, 'icons'))
      const built = join(folder, 'dist')
      if (existsSync(join(built, 'index.html'))) await serveBuilt(scope, built)
    },
    { prefix: '/addin' },
  )
}

function serveManifests(scope: FastifyInstance, publicUrl: string, folder: string): void {
  const { xml, json, zip } = createManifests(folder, publicUrl)
  const caching = { 'cache-control': 'public, max-age=300' }
  scope.get('/manifest.xml', (_, reply) => reply.headers(caching).type('application/xml; charset=utf-8').send(xml))
  scope.get('/manifest.json', (_, reply) => reply.headers(caching).type('application/json; charset=utf-8').send(json))
  scope.get('/manifest.zip', (_, reply) => reply.headers(caching).type('application/zip').send(zip))
}

/** Excel loads the icons from its own origin, and shows a placeholder for an icon with a `Cache-Control` header. */
async function serveIcons(scope: FastifyInstance, root: string): Promise<void> {
  await scope.register(fastifyStatic, {
    root,
    prefix: '/icons/',
    index: false,
    decorateReply: false,
    cacheControl: false,
    allowedPath: (path) => path.endsWith('.png'),
    setHeaders: (reply) =>
      void reply.header('cross-origin-resource-policy', 'cross-origin').removeHeader('cache-control'),
  })
}

async function serveBuilt(scope: FastifyInstance, root: string): Promise<void> {
  const pane = readFileSync(join(root, 'index.html'), 'utf8')
  const dialog = readFileSync(join(root, 'dialog.html'), 'utf8')
  for (const path of ['/', '/index.html'])
    scope.get(path, (_, reply) => reply.headers(pageHeaders(officeHosts)).type('text/html; charset=utf-8').send(pane))
  scope.get('/dialog.html', (_, reply) =>
    reply
      .headers(pageHeaders("'none'"))
      // Excel on the web opens the dialog from its own origin. Without its opener the dialog could not pass the session
      // on.
      .header('cross-origin-opener-policy', 'unsafe-none')
      .type('text/html; charset=utf-8')
      .send(dialog),
  )
  await scope.register(fastifyStatic, {
    root,
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    allowedPath: (path) => !path.endsWith('.html'),
    setHeaders: (reply, path) => void reply.headers(fileHeaders(path)),
  })
}

/**
 * The origins that frame the pane in Excel on the web; all its ancestors must be listed. On a desktop there is no
 * frame.
 */
const officeHosts = [
  'https://*.officeapps.live.com',
  'https://*.sharepoint.com',
  'https://onedrive.live.com',
  'https://*.office.com',
  'https://*.microsoft365.com',
  'https://*.cloud.microsoft',
  'https://teams.microsoft.com',
].join(' ')

function pageHeaders(ancestors: string): Record<string, string> {
  return { 'cache-control': 'no-store', 'content-security-policy': pagePolicy(ancestors) }
}

/** Microsoft allows Office.js from its own origin only. Office.js and Fluent's components insert inline styles. */
function pagePolicy(ancestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self' https://appsforoffice.microsoft.com",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${ancestors}`,
    `report-uri ${reportPath}`,
  ].join('; ')
}

/** Files in `assets` have a content hash in their names. */
function fileHeaders(path: string): Record<string, string> {
  const isHashed = path.includes(`${sep}assets${sep}`)
  return {
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    'content-security-policy': denyAllContentPolicy,
  }
}
