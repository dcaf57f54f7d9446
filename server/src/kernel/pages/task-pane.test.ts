import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveAddin } from './task-pane.ts'
import { createHttp } from '../http/http-server.ts'
import { servePortal } from './portal.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const own = resolve(import.meta.dirname, '../../../../addin')

let app: TestApp
let http: FastifyInstance
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-addin-'))
  for (const name of ['icons', 'manifest']) symlinkSync(join(own, name), join(folder, name))
  for (const name of ['dist/assets', 'web']) mkdirSync(join(folder, name), { recursive: true })
  const files = {
    'dist/index.html': 'the pane',
    'dist/dialog.html': 'the dialog',
    'dist/assets/pane-abc123.js': 'plain',
    'dist/assets/pane-abc123.js.br': 'packed',
    'web/index.html': 'the portal',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  app = await testApp()
  const parts = { ...app.services, config: { ...app.services.config, webDir: join(folder, 'web') } }
  http = await createHttp(parts)
  await serveAddin(http, parts, folder)
  await servePortal(http, parts)
})
afterAll(async () => {
  await http.close()
  await app[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  return http.inject({ url, headers: { host: 'localhost:3000', ...headers } })
}

async function rulesOf(url: string): Promise<readonly string[]> {
  return String((await get(url)).headers['content-security-policy']).split('; ')
}

describe('the task pane', () => {
  test('runs our own files and Office.js from Microsoft’s address, and speaks to nobody but us', async () => {
    for (const [url, text] of Object.entries({
      '/addin/': 'the pane',
      '/addin/index.html': 'the pane',
      '/addin/dialog.html': 'the dialog',
    })) {
      const { body, headers, statusCode } = await get(url)
      expect([url, statusCode, body, headers['cache-control']]).toEqual([url, 200, text, 'no-store'])
      expect(await rulesOf(url)).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self' https://appsforoffice.microsoft.com",
          "connect-src 'self'",
          "frame-src 'none'",
          "base-uri 'none'",
          "form-action 'self'",
        ]),
      )
    }
  })

  test('is shown within Microsoft’s pages over https and no others; the dialog, which takes the password, within none', async () => {
    const ancestors = (rules: readonly string[]) =>
      rules
        .find((rule) => rule.startsWith('frame-ancestors'))
        ?.split(' ')
        .slice(1) ?? []
    const hosts = ancestors(await rulesOf('/addin/'))
    for (const host of hosts)
      expect(host).toMatch(
        /^https:\/\/(?:\*\.)?[\w.]*\b(?:live\.com|sharepoint\.com|office\.com|microsoft365\.com|cloud\.microsoft|microsoft\.com)$/u,
      )
    expect(hosts).toEqual(
      expect.arrayContaining([
        'https://*.officeapps.live.com',
        'https://*.sharepoint.com',
        'https://*.cloud.microsoft',
      ]),
    )
    expect(hosts).not.toContain('https://*.live.com')
    expect(ancestors(await rulesOf('/addin/dialog.html'))).toEqual(["'none'"])
  })

  test('can be handed the session by the dialog, which therefore keeps its opener; nothing else does', async () => {
    expect((await get('/addin/dialog.html')).headers['cross-origin-opener-policy']).toBe('unsafe-none')
    expect((await get('/addin/')).headers['cross-origin-opener-policy']).toBe('same-origin')
  })

  test('comes with files that are kept for good, and packed for whoever can unpack them', async () => {
    const { body, headers } = await get('/addin/assets/pane-abc123.js', { 'accept-encoding': 'gzip, br' })
    expect([body, headers['content-encoding'], headers['cache-control']]).toEqual([
      'packed',
      'br',
      'public, max-age=31536000, immutable',
    ])
    expect((await get('/addin/assets/pane-abc123.js')).body).toBe('plain')
  })

  test('has icons that other sites may show and whose keeping is not spoken of, as Excel asks', async () => {
    for (const size of [16, 32, 64, 80, 128]) {
      const { headers, rawPayload } = await get(`/addin/icons/icon-${size}.png`)
      expect(headers).toMatchObject({ 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' })
      expect(headers).not.toHaveProperty('cache-control')
      expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([size, size])
    }
  })
})

test('what is missing below the task pane is not found, and is never a page of the portal', async () => {
  for (const url of [
    '/addin/nothing',
    '/addin/assets/missing.js',
    '/addin/icons/icon.svg',
    '/addin/manifest/manifest.xml',
    '/addin/..%2fpackage.json',
  ])
    expect([url, (await get(url, { accept: 'text/html' })).statusCode]).toEqual([url, 404])
  expect((await get('/addins', { accept: 'text/html' })).body).toBe('the portal')
})

test('without a built task pane its address is not found, and the portal is as ever', async () => {
  const bare = await createHttp(app.services)
  rmSync(join(folder, 'dist'), { recursive: true })
  await serveAddin(bare, app.services, folder)
  const asked = { url: '/addin/', headers: { host: 'localhost:3000', accept: 'text/html' } }
  expect((await bare.inject(asked)).statusCode).toBe(404)
  expect((await bare.inject({ ...asked, url: '/addin/manifest.xml' })).statusCode).toBe(200)
  await bare.close()
})
