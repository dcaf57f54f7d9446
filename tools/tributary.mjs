#!/usr/bin/env node
/** The command line from a clone, under the pinned Node. Plain JavaScript and built-ins only, as in boot.mjs. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installRuntimePackages } from './boot/packages.mjs'
import { buildPages } from './boot/pages.mjs'
import { environment, node, root } from './boot/process.mjs'

const args = process.argv.slice(2)

try {
  if (!existsSync(join(root, 'node_modules'))) await installRuntimePackages()
  if (args[0] === 'demo') await installRuntimePackages().then(buildPages)
  process.exitCode = await run(['--disable-warning=ExperimentalWarning', join(root, 'server/src/cli.ts'), ...args])
} catch (error) {
  console.error(error.isForUser ? error.message : (error.stack ?? String(error)))
  process.exitCode = 1
}

/**
 * Runs in the current folder because file arguments are relative to it; the data folder of the trial is in the clone.
 */
function run(args) {
  const env = environment({ TRIBUTARY_DATA_DIR: resolve(root, process.env.TRIBUTARY_DATA_DIR ?? 'data') })
  const child = spawn(node(), args, { env, stdio: 'inherit' })
  // The terminal sends Ctrl-C to the child as well. A second signal would skip the clean stop.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', (code) => done(code ?? 1))
  })
}
