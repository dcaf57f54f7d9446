/**
 * Packs a release: one archive with the server, the built portal and task pane, the packages for this system, and the
 * licence notices. It starts with `node server/src/main.ts` on a machine with Node 24, as a trial or in production.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { assemble } from '../../deploy/image/assemble.mjs'
import { installRuntimePackages } from './packages.mjs'
import { buildPages } from './pages.mjs'
import { root, run, userError } from './process.mjs'

export async function pack() {
  await installRuntimePackages()
  await buildPages()
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `tributary-${version}`
  const dist = join(root, 'dist')
  mkdirSync(dist, { recursive: true })
  const archive = join(dist, `${name}-${process.platform}-${process.arch}.tgz`)
  const parent = mkdtempSync(join(dist, 'pack-'))
  try {
    const { packages } = assemble(join(parent, name), { withTrialDatabase: true })
    writeFileSync(join(parent, name, 'README.md'), describeRelease(version))
    const code = await run('tar', ['-czf', archive, '-C', parent, name])
    if (code !== 0) throw userError('The release could not be packed; the messages of tar are above.')
    const megabytes = (statSync(archive).size / 1e6).toFixed(1)
    console.log(`${relative(process.cwd(), archive)}: ${packages} packages, ${megabytes} MB`)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

function describeRelease(version) {
  return `# Tributary ${version}

Built for ${process.platform} ${process.arch}. Requires Node 24.15 or newer.

Start a trial with demonstration data, then open the address that it prints:

    node server/src/main.ts

To run in production, set \`TRIBUTARY_MODE=production\`. The start lists the settings that are missing.
The command line is \`node deploy/image/tributary.mjs help\`.

\`LICENSE\` is the licence of Tributary, \`NOTICES\` has those of the software in it, \`sbom.cdx.json\` lists that software.
`
}
