import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveAddin } from './task-pane.ts'
import { createHttp } from '../http/http-server.ts'
import { servePortal } from './portal.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

const addinFolder = resolve(import.meta.dirname, '../../../../addin')

let app: TestApp
let http: FastifyInstance
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-addin-'))
  for (const name of ['icons', 'manifest']) symlinkSync(join(addinFolder, name), join(folder, name))
  for (const name of ['dist/assets', 'web']) mkdirSync(join(folder, name), { recursive: true })
  const files = {
    'dist/index.html': 'the pane',
    'dist/dialog.html': 'the dialog',
    'dist/assets/pane-abc123.js': 'plain',
    'dist/assets/pane-abc123.js.br': 'compressed',
    'web/index.html': 'the portal',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  app = await testApp()
  const services = { ...app.services, config: { ...app.services.config, webDir: join(folder, 'web') } }
  http = await createHttp(services)
  await serveAddin(http, services, folder)
  await servePortal(http, services)
})
afterAll(async () => {
  await http.close()
  await app[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  return http.inject({ url, headers: { host: 'localhost:3000', ...headers } })
}

async function policyOf(url: string): Promise<readonly string[]> {
  return String((await get(url)).headers['content-security-policy']).split('; ')
}

describe('the task pane', () => {
  test('may load its own scripts and Office.js from Microsoft’s origin, and connects only to its own origin', async () => {
    for (const [url, text] of Object.entries({
      '/addin/': 'the pane',
      '/addin/index.html': 'the pane',
      '/addin/dialog.html': 'the dialog',
    })) {
      const { body, headers, statusCode } = await get(url)
      expect([url, statusCode, body, headers['cache-control']]).toEqual([url, 200, text, 'no-store'])
      expect(await policyOf(url)).toEqual(
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

  test('can be framed by Microsoft’s https origins only; the dialog, which takes the password, cannot be framed', async () => {
    const ancestorsOf = (rules: readonly string[]) =>
      rules
        .find((rule) => rule.startsWith('frame-ancestors'))
        ?.split(' ')
        .slice(1) ?? []
    const hosts = ancestorsOf(await policyOf('/addin/'))
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
    expect(ancestorsOf(await policyOf('/addin/dialog.html'))).toEqual(["'none'"])
  })

  test('receives the session from the dialog, which alone keeps its opener', async () => {
    expect((await get('/addin/dialog.html')).headers['cross-origin-opener-policy']).toBe('unsafe-none')
    expect((await get('/addin/')).headers['cross-origin-opener-policy']).toBe('same-origin')
  })

  test('has immutable files that are sent compressed to clients that accept it', async () => {
    const { body, headers } = await get('/addin/assets/pane-abc123.js', { 'accept-encoding': 'gzip, br' })
    expect([body, headers['content-encoding'], headers['cache-control']]).toEqual([
      'compressed',
      'br',
      'public, max-age=31536000, immutable',
    ])
    expect((await get('/addin/assets/pane-abc123.js')).body).toBe('plain')
  })

  test('has icons that other sites may load, without Cache-Control, as Excel requires', async () => {
    for (const size of [16, 32, 64, 80, 128]) {
      const { headers, rawPayload } = await get(`/addin/icons/icon-${size}.png`)
      expect(headers).toMatchObject({ 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' })
      expect(headers).not.toHaveProperty('cache-control')
      expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([size, size])
    }
  })
})

test('a missing file below /addin is a 404 and never the page of the portal', async () => {
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

test('without a built task pane its page is a 404, and its manifests are still served', async () => {
  const unbuilt = await createHttp(app.services)
  rmSync(join(folder, 'dist'), { recursive: true })
  await serveAddin(unbuilt, app.services, folder)
  const request = { url: '/addin/', headers: { host: 'localhost:3000', accept: 'text/html' } }
  expect((await unbuilt.inject(request)).statusCode).toBe(404)
  expect((await unbuilt.inject({ ...request, url: '/addin/manifest.xml' })).statusCode).toBe(200)
  await unbuilt.close()
})
