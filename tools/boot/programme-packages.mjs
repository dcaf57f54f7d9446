/** Installs what programmes use of other authors, below node_modules. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, userError } from './process.mjs'

/** Installs packages into a virtual environment in `folder`, unless they are there. Returns the path of one of its programs. */
export async function installFromPyPi(requirements, folder, name) {
  const all = [requirements].flat()
  const requirement = all.join(', ')
  const program = join(folder, 'bin', name)
  const marker = join(folder, 'installed')
  if (existsSync(marker)) return program
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
  if (existsSync(marker)) return folder
  console.log(`Installing ${requirement} (once)…`)
  await must('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, requirement])
  writeFileSync(marker, requirement)
  return folder
}

/** Runs a command that has to succeed. */
export async function must(command, args) {
  const code = await run(command, args).catch(() => 1)
  if (code !== 0) throw userError(`${command} failed; its output is above. Correct that, then try again.`)
}
