/** Builds the portal and the task pane, each if its sources have changed since its last build. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow, hashOf, readStamp, requireWritable } from './files.mjs'
import { node, root, run, userError } from './process.mjs'

export async function buildPages() {
  await Promise.all([build('web', 'portal', ['public', 'index.html', 'plugins', '../docs']), buildTaskPane()])
}

export function buildTaskPane() {
  return build('addin', 'task pane', ['index.html', 'dialog.html'])
}

async function build(folder, what, pages) {
  const own = ['src', 'vite.config.ts', ...pages].map((name) => join(root, folder, name))
  const shared = ['contract/src', 'client/src', 'vendor', 'tools/precompress.ts', 'package-lock.json'].map((path) =>
    join(root, path),
  )
  const hash = hashOf([...own, ...shared].flatMap(filesBelow))
  const stamp = join(root, folder, 'dist', '.tributary-sources')
  if (readStamp(stamp) === hash) return
  requireWritable(join(root, folder))
  console.log(`Building the ${what}…`)
  const started = Date.now()
  const code = await run(node(), [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel=warn'], {
    cwd: join(root, folder),
  })
  if (code !== 0) throw userError(`The ${what} could not be built; the errors of Vite are above.`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
  console.log(`Built the ${what} in ${Math.round((Date.now() - started) / 1000)} s.`)
}
