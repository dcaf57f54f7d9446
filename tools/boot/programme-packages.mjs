/** Installs what programmes use of other authors, below node_modules. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, root, run, userError } from './process.mjs'

/** Installs packages into a virtual environment in `folder`, unless they are there. Returns the path of one of its programs. */
export async function installFromPyPi(requirements, folder, name) {
  const all = [requirements].flat()
  const requirement = all.join(', ')
  const program = join(folder, 'bin', name)
  const marker = join(folder, 'installed')
  if (isInstalled(marker, requirement)) return program
  console.log(`Installing ${requirement} (once)…`)
  const venvCode = await run('python3', ['-m', 'venv', '--clear', folder]).catch(() => 1)
  if (venvCode !== 0)
    throw userError(
      `${requirement} needs Python 3.10 or newer with its module venv. On Debian: sudo apt-get install -y python3-venv`,
    )
  const pipCode = await run(join(folder, 'bin', 'pip'), ['install', '--quiet', ...all])
  if (pipCode !== 0)
    throw userError(
      `${requirement} could not be installed; the output of pip is above. Check the network, then try again.`,
    )
  writeFileSync(marker, requirement)
  return program
}

/** Installs a package into a folder of the cache, unless it is there. Returns the folder, which has `node_modules` in it. */
export async function installFromNpm(requirement, name) {
  const folder = join(root, 'node_modules', '.cache', name)
  const marker = join(folder, 'installed')
  if (isInstalled(marker, requirement)) return folder
  console.log(`Installing ${requirement} (once)…`)
  await must('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, requirement])
  writeFileSync(marker, requirement)
  return folder
}

/**
 * Installs the program of a Go module into a folder of the cache, unless it is there. Returns its path.
 * @param more environment variables of Go
 */
export async function installFromGo(module, name, more = {}) {
  const folder = join(root, 'node_modules', '.cache', name)
  const program = join(folder, /([^/]+)@/u.exec(module)[1])
  const marker = join(folder, 'installed')
  if (isInstalled(marker, module)) return program
  console.log(`Installing ${module} (once)…`)
  mkdirSync(folder, { recursive: true })
  const code = await run('go', ['install', module], { env: environment({ GOBIN: folder, ...more }) }).catch(() => 1)
  if (code !== 0)
    throw userError(
      `${module} could not be installed. It needs Go 1.22 or newer, from https://go.dev/dl, and the network.`,
    )
  writeFileSync(marker, module)
  return program
}

/** The marker holds what was installed, so that a changed version is installed again. */
function isInstalled(marker, requirement) {
  return existsSync(marker) && readFileSync(marker, 'utf8') === requirement
}

/** Runs a command that has to succeed. */
export async function must(command, args) {
  const code = await run(command, args).catch(() => 1)
  if (code !== 0) throw userError(`${command} failed; its output is above. Correct that, then try again.`)
}
