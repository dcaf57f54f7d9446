/** Runs commands under the pinned Node. */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const bin = (name) => join(root, 'node_modules', '.bin', name)

/** An error that is printed without its stack because the user can act on it. */
export function userError(message) {
  return Object.assign(new Error(message), { isForUser: true })
}

/** Path of the pinned Node. If no package for this system exists, path of the running Node if it is new enough. */
export function node() {
  const folder = { win32: 'win' }[process.platform] ?? process.platform
  const pinned = join(
    root,
    'node_modules',
    `node-${folder}-${process.arch}`,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (existsSync(pinned)) return pinned
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 15)) return process.execPath
  throw userError(
    `No Node 24 is packaged for ${process.platform} ${process.arch}. Install Node 24.15 or newer yourself and try again.`,
  )
}

/** Prints the text and adds it to the file that `TRIBUTARY_RESULTS` names, if any. */
export function report(text) {
  console.log(text)
  const results = process.env.TRIBUTARY_RESULTS
  if (results) appendFileSync(results, `${text}\n`)
}

/** Runs a command in the foreground. Resolves with its exit code. */
export function run(command, args, { env = environment(), cwd = root, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: quiet ? 'ignore' : 'inherit',
      shell: process.platform === 'win32' && command === 'npm',
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
}

/** Puts the pinned Node first in PATH and keeps compiled code between starts. */
export function environment(more = {}) {
  return {
    ...process.env,
    PATH: `${dirname(node())}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...more,
  }
}
