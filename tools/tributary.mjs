#!/usr/bin/env node
/** The command line from a clone, under the pinned Node. Plain JavaScript and built-ins only, as in boot.mjs. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bringPackages, buildPages, environment, node, root } from './boot/workshop.mjs'

const asked = process.argv.slice(2)

try {
  if (!existsSync(join(root, 'node_modules', 'commander'))) await bringPackages()
  if (asked[0] === 'demo') await bringPackages().then(buildPages)
  process.exitCode = await run(['--disable-warning=ExperimentalWarning', join(root, 'server/src/cli.ts'), ...asked])
} catch (error) {
  console.error(error.line ?? error.stack ?? String(error))
  process.exitCode = 1
}

/** In the folder where people stand, for files are named from there; but the trial's data lie in the clone. */
function run(args) {
  const env = environment({ TRIBUTARY_DATA_DIR: resolve(root, process.env.TRIBUTARY_DATA_DIR ?? 'data') })
  const child = spawn(node(), args, { env, stdio: 'inherit' })
  // Ctrl-C reaches the child from the terminal itself; twice would mean 'at once'.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', (code) => done(code ?? 1))
  })
}
