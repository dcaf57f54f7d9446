/** Starts the product and exits with it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { installRuntimePackages } from './packages.mjs'
import { buildPages, buildTaskPane } from './pages.mjs'
import { environment, node, root } from './process.mjs'

/** A small young generation keeps the memory of a trial low, because it runs on a person's own computer. */
const modestMemory = '--max-semi-space-size=4'

/** The server prepares its database while the pages are built, and then waits for them. */
export async function start() {
  await installRuntimePackages()
  const pages = buildPages()
  const child = spawnServer([modestMemory, 'server/src/main.ts', '--wait-for-pages'], ['ipc'])
  const report = (isBuilt) => child.connected && child.send(isBuilt)
  pages.then(
    () => report(true),
    () => report(false),
  )
  const code = await exitCodeOf(child)
  await pages
  return code
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
  const code = await exitCodeOf(spawnServer(['--watch', '--watch-preserve-output', 'server/src/main.ts']))
  vite.kill('SIGTERM')
  return code
}

/**
 * Forwards signals to the server, which stops cleanly and determines the exit code. The server stops if this process
 * ends, so that even `kill -9` leaves no orphan.
 */
function spawnServer(args, channels = []) {
  const child = spawn(node(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: environment(),
    stdio: ['inherit', 'inherit', 'inherit', ...channels],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  return child
}

function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
