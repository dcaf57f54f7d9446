/** The lock file: what is installed, and which of it one of its packages means by a name. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './process.mjs'

/** By their places from the root, such as `node_modules/zod`; ours by their folders. */
export function readLock() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/** @returns `{ name, isOptional }` of each thing that a package needs when it runs */
export function listNeeds({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta?.[name]?.optional !== true)
  const optional = new Set(Object.keys(optionalDependencies ?? {}))
  const names = new Set([...Object.keys(dependencies ?? {}), ...optional, ...peers])
  return [...names].map((name) => ({ name, isOptional: optional.has(name) }))
}

/** As Node looks for it: within the package that asks, then one folder up, and so on. */
export function findPlace(lock, from, name) {
  for (let folder = from; ; folder = parentOf(folder)) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (lock[place] !== undefined) return place
    if (folder === '') return undefined
  }
}

/** What the package lies in: another package, one of ours, or the root. */
function parentOf(folder) {
  const at = folder.lastIndexOf('node_modules/')
  return at <= 0 ? '' : folder.slice(0, at - 1)
}
