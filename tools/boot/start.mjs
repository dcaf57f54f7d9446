/** Starts the product, and ends with it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installRuntimePackages } from './packages.mjs'
import { buildPages, buildTaskPane } from './pages.mjs'
import { environment, node, root } from './process.mjs'

/** What is made and thrown away fills a few megabytes instead of dozens before it is collected: a trial shares somebody's own computer. */
const modestMemory = '--max-semi-space-size=4'

export async function start() {
  await installRuntimePackages()
  await buildPages()
  return serve([modestMemory, 'server/src/main.ts'])
}

/** The server restarts on a change; the portal is served by Vite with hot reload. The server serves the task pane, as built at the start. */
export async function dev() {
  await installRuntimePackages()
  await buildTaskPane()
  const vite = spawn(node(), [join(root, 'node_modules/vite/bin/vite.js')], {
    cwd: join(root, 'web'),
    env: environment(),
    stdio: 'inherit',
  })
  const code = await serve(['--watch', '--watch-preserve-output', 'server/src/main.ts'])
  vite.kill('SIGTERM')
  return code
}

/**
 * Signals go on to the server, which stops cleanly and decides the exit code. The server in turn watches that we are
 * alive, so that not even `kill -9` of this process leaves an orphan.
 */
function serve(args) {
  const child = spawn(node(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: environment(),
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
