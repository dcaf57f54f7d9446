/** The task pane for Excel: its two pages, their files, its icons, and the manifests that tell Excel about it. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { makeManifests } from './task-pane-manifests.ts'
import { ApiFault } from '../http/api-fault.ts'
import { denyAllContentPolicy } from '../http/http-server.ts'
import { reportPath } from './page-headers.ts'

const ownFolder = resolve(import.meta.dirname, '../../../../addin')

/** @param folder of the add-in: `dist` is what was built, `icons` and `manifest` are as they were written. */
export async function serveAddin(
  http: FastifyInstance,
  { config }: { readonly config: Config },
  folder = ownFolder,
): Promise<void> {
  await http.register(
    async (scope) => {
      // What is missing here is no page of the portal.
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
  const { xml, json, zip } = makeManifests(folder, publicUrl)
  const kept = { 'cache-control': 'public, max-age=300' }
  scope.get('/manifest.xml', (_, reply) => reply.headers(kept).type('application/xml; charset=utf-8').send(xml))
  scope.get('/manifest.json', (_, reply) => reply.headers(kept).type('application/json; charset=utf-8').send(json))
  scope.get('/manifest.zip', (_, reply) => reply.headers(kept).type('application/zip').send(zip))
}

/** Excel fetches them from its own site, and takes a drawing of its own for one that says how long it may be kept. */
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
      // Excel on the web opens the dialog from its own site; cut off from its opener it could not hand over the session.
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

/** Where Excel on the web shows a pane: each page around it must be among them. On a desktop nothing is around it. */
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

/** Office.js may come from Microsoft's address only; it and Fluent's components write styles into the page. */
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

/** Files under `assets` carry a hash of their content in their names. */
function fileHeaders(path: string): Record<string, string> {
  const isHashed = path.includes(`${sep}assets${sep}`)
  return {
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    'content-security-policy': denyAllContentPolicy,
  }
}
