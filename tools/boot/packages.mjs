/**
 * Installs npm packages in two steps. `npm start` needs the packages of the workspaces: what the server imports and
 * what builds the pages. Tests, checks and benchmarks also need the development dependencies of the root package.
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { hashOf, readStamp, requireWritable } from './files.mjs'
import { root, run, userError } from './process.mjs'

const modules = join(root, 'node_modules')
const runtimeStamp = join(modules, '.tributary-lock')
const fullStamp = join(modules, '.tributary-lock-development')

/** Installs what `npm start` needs, unless the lock file is unchanged since the last installation. */
export async function installRuntimePackages() {
  const lock = hashOf([join(root, 'package-lock.json')])
  if (readStamp(runtimeStamp) === lock) return
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.log('Installing the packages that Tributary runs with (once)…')
  const needed = workspaces.filter((workspace) => workspace !== 'testing')
  await npm(['ci', ...needed.map((workspace) => `--workspace=${workspace}`)])
  writeFileSync(runtimeStamp, lock)
}

/** Installs everything. Only adds the development packages if the runtime packages are installed. */
export async function installAllPackages() {
  const lock = hashOf([join(root, 'package-lock.json')])
  if (readStamp(fullStamp) === lock) return
  const isRuntimeThere = readStamp(runtimeStamp) === lock
  console.log(isRuntimeThere ? 'Installing the packages for development (once)…' : 'Installing all packages (once)…')
  // `npm install` would add to packages of another lock file; `npm ci` starts from an empty folder.
  await npm(isRuntimeThere ? ['install', '--no-save'] : ['ci'])
  writeFileSync(runtimeStamp, lock)
  writeFileSync(fullStamp, lock)
}

async function npm(args) {
  requireWritable(root)
  const started = Date.now()
  const code = await run('npm', [...args, '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'], {
    env: npmEnvironment(),
  })
  if (code !== 0)
    throw userError(
      'The packages could not be installed; the messages of npm are above. Check the network and the free space on the disk, then try again.',
    )
  removeNodeHeaders()
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`)
}

/** Saves 67 MB. The headers are for compiling native add-ons, which no package here does. */
function removeNodeHeaders() {
  for (const name of readdirSync(modules).filter((name) => /^node-(?:linux|win)-/u.test(name)))
    rmSync(join(modules, name, 'include'), { recursive: true, force: true })
}

/**
 * Removes variables of an outer `npm start`, and NODE_ENV=production, which would omit the packages that build the
 * pages. More threads than cores slow npm down by a tenth, because it writes twenty thousand small files.
 */
function npmEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle)_|^NODE_ENV$/u.test(name))
  return { ...Object.fromEntries(kept), UV_THREADPOOL_SIZE: String(availableParallelism()) }
}
