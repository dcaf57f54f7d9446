/** Reads package-lock.json: the installed packages, and which of them a dependency resolves to. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './process.mjs'

/** The packages by path from the root, such as `node_modules/zod`; workspaces by their folders. */
export function readLock() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/** @returns `{ name, isOptional }` of each runtime dependency of a package */
export function listRuntimeDependencies({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  const optional = new Set(Object.keys(optionalDependencies ?? {}))
  const names = new Set([...Object.keys(dependencies ?? {}), ...optional, ...peers])
  return [...names].map((name) => ({ name, isOptional: optional.has(name) }))
}

/** Resolves a dependency as Node does: in the importing package, then one folder up, and so on. */
export function findInstalledPath(lock, from, name) {
  for (let folder = from; ; folder = parentOf(folder)) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (lock[path] !== undefined) return path
    if (folder === '') return undefined
  }
}

/** The folder that contains the package: another package, a workspace, or '' for the root. */
function parentOf(folder) {
  const at = folder.lastIndexOf('node_modules/')
  return at <= 0 ? '' : folder.slice(0, at - 1)
}
