/** Starts the product and exits with it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installRuntimePackages } from './packages.mjs'
import { buildPages, buildTaskPane } from './pages.mjs'
import { environment, node, root } from './process.mjs'

/** A small young generation keeps the memory of a trial low, because it runs on a person's own computer. */
const modestMemory = '--max-semi-space-size=4'

export async function start() {
  await installRuntimePackages()
  await buildPages()
  return serve([modestMemory, 'server/src/main.ts'])
}

/**
 * The server restarts on a change, and Vite serves the portal with hot reload. The task pane is built once at the
 * start.
 */
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
 * Forwards signals to the server, which stops cleanly and determines the exit code. The server stops if this process
 * ends, so that even `kill -9` leaves no orphan.
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
