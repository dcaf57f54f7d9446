/** A production start loads no simulator and no test support. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmptyDatabase } from '@tributary/testing/server/app/test-database.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { afterAll, expect, test } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'tributary-lazy-trial-'))
afterAll(() => rmSync(home, { recursive: true }))

/** Appends the address of each module that the process resolves to the file that LOADED names. */
const recorder = `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ resolve(specifier, context, next) {
  const resolved = next(specifier, context)
  appendFileSync(process.env.LOADED, resolved.url + '\\n')
  return resolved
} })`

/**
 * Runs Node until its output contains `ready`, or until it exits. Returns the modules of this repository that it
 * loaded.
 */
async function loadedBy(args: readonly string[], env: Readonly<Record<string, string>>, ready: string) {
  const loaded = join(home, randomBytes(4).toString('hex'))
  writeFileSync(loaded, '')
  const recording = ['--import', `data:text/javascript,${encodeURIComponent(recorder)}`]
  const child = spawn(process.execPath, [...recording, ...args], {
    env: { PATH: process.env['PATH'] ?? '', LOADED: loaded, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output += part.toString()
      if (output.includes(ready)) child.kill('SIGTERM')
    })
  await once(child, 'close')
  expect(output).toContain(ready)
  const root = new URL('../../../', import.meta.url).href
  const modules = readFileSync(loaded, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith(root))
  return modules.map((url) => url.slice(root.length)).filter((path) => !path.startsWith('node_modules/'))
}

const isForTrialOrTests = (path: string) => /^(?:sims|testing)\//.test(path)

test('a production start loads no module of sims or testing', async () => {
  const { user, password, host, port, database } = await createEmptyDatabase()
  const env = {
    TRIBUTARY_MODE: 'production',
    TRIBUTARY_DATA_DIR: home,
    PORT: String(await findFreePort()),
    DATABASE_URL: `postgres://${String(user)}:${String(password)}@${String(host)}:${String(port)}/${String(database)}?sslmode=disable`,
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example.com',
    TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64'),
    TRIBUTARY_SMTP_URL: 'smtp://127.0.0.1:1',
  }
  const loaded = await loadedBy([join(import.meta.dirname, '../main.ts')], env, 'Tributary is ready')
  expect(loaded).toContain('server/src/start.ts')
  expect(loaded.filter(isForTrialOrTests)).toEqual([])
})

test('the recorder sees that the trial loads the simulators', async () => {
  const script = `await import(${JSON.stringify(join(import.meta.dirname, 'start-trial.ts'))}); console.log('imported')`
  const loaded = await loadedBy(['--input-type=module', '--eval', script], {}, 'imported')
  expect(loaded.filter(isForTrialOrTests)).toContain('sims/src/xero/server.ts')
})
