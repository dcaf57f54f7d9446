/** The tools of the job: where things are, the pinned Node, the packages, and running a command under them. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const bin = (name) => join(root, 'node_modules', '.bin', name)

/** An error that is told in one line. */
export function refusal(line) {
  return Object.assign(new Error(line), { line })
}

/** Installs the packages where the lock file is not the one that was installed last. */
export async function bringPackages() {
  const lock = hashOf([join(root, 'package-lock.json')])
  const stamp = join(root, 'node_modules', '.tributary-lock')
  if (read(stamp) === lock) return
  requireWritable(root)
  console.log('Installing the packages (once)…')
  const code = await run('npm', ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'], {
    env: cleanEnvironment(),
  })
  if (code !== 0)
    throw refusal(
      'The packages could not be installed; what npm said is above. Check the network and the free space on the disk, then try again.',
    )
  writeFileSync(stamp, lock)
}

/** Builds the portal and the task pane, each where its sources have changed since its last build. */
export async function buildPages() {
  await build('web', 'portal', ['public', 'index.html', 'plugins'])
  await buildTaskPane()
}

export function buildTaskPane() {
  return build('addin', 'task pane', ['index.html', 'dialog.html'])
}

async function build(folder, what, pages) {
  const own = ['src', 'vite.config.ts', ...pages].map((name) => join(root, folder, name))
  const shared = ['contract/src', 'client/src', 'tools/precompress.ts', 'package-lock.json'].map((path) =>
    join(root, path),
  )
  const hash = hashOf([...own, ...shared].flatMap(filesBelow))
  const stamp = join(root, folder, 'dist', '.tributary-sources')
  if (read(stamp) === hash) return
  requireWritable(join(root, folder))
  console.log(`Building the ${what}…`)
  const code = await run(node(), [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel=warn'], {
    cwd: join(root, folder),
  })
  if (code !== 0) throw refusal(`The ${what} could not be built; what went wrong is above.`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
}

/** The Node that the packages pin, else the one we run on where that is new enough. */
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
  throw refusal(
    `No Node 24 is packaged for ${process.platform} ${process.arch}. Install Node 24.15 or newer yourself and try again.`,
  )
}

/** Runs a command in the foreground and answers its exit code. */
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

/** The pinned Node first in PATH, compiled code kept between starts. */
export function environment(more = {}) {
  return {
    ...process.env,
    PATH: `${dirname(node())}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
    ...more,
  }
}

/** A nested npm must not take over what the outer one was called with, nor leave out what builds the portal. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_|^NODE_ENV$/.test(name))
  return Object.fromEntries(kept)
}

function requireWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw refusal(
      `The folder ${folder} is read-only for this user. Make it writable, or clone Tributary somewhere else.`,
    )
  }
}

/** Paths count relative to the clone, so that a copied or moved clone keeps what it has installed and built. */
function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function filesBelow(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
