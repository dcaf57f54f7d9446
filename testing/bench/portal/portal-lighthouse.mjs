/**
 * Runs Lighthouse on sign-in and every signed-in route. Installs it next to this file and starts the product on a new
 * data folder. `node testing/bench/portal/portal-lighthouse.mjs /excel /home` scores some of them.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = join(import.meta.dirname, 'lighthouse')
if (!existsSync(join(folder, 'node_modules')))
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: 'inherit' })

const home = mkdtempSync(join(tmpdir(), 'tributary-lighthouse-'))
const port = 40_000 + (process.pid % 10_000)
const address = `http://localhost:${port}`
const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/src/main.ts'], {
  env: { ...process.env, PORT: String(port), TRIBUTARY_DATA_DIR: home },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  while (
    !(await fetch(`${address}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (server.exitCode !== null) throw new Error('The product did not start; its output is above.')
    await sleep(100)
  }
  const scoring = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(folder, 'run.mjs'), address, ...process.argv.slice(2)],
    { stdio: 'inherit' },
  )
  const [code] = await once(scoring, 'exit')
  process.exitCode = code ?? 1
} finally {
  if (server.kill('SIGTERM')) await once(server, 'exit')
  rmSync(home, { recursive: true, force: true })
}
