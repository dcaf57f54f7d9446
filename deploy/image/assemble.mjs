#!/usr/bin/env node
/**
 * Assembles the production folder: sources, built pages, run-time packages, licence notices and the bill of materials. Used by the
 * Dockerfile, by `npm run pack`, and on a machine without either:
 * `node tools/boot.mjs install && node tools/boot.mjs pages && node deploy/image/assemble.mjs /opt/tributary`.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeNotices } from '../../tools/boot/notices.mjs'
import { root } from '../../tools/boot/process.mjs'
import { createBillOfMaterials } from '../../tools/boot/sbom.mjs'
import { findClosure } from './closure.mjs'
import { isExcluded } from './excluded-files.mjs'

/** Built pages, and the manifest that registers the Excel task pane. */
const built = ['web/dist', 'addin/dist', 'addin/icons', 'addin/manifest']
const others = ['LICENSE', 'deploy/image/healthcheck.mjs']
/** Executable: called through a symbolic link. */
const command = 'deploy/image/tributary.mjs'

/** Returns the number of packages and bytes. `withTrialDatabase` adds the embedded PostgreSQL, which a trial needs. */
export function assemble(target, { withTrialDatabase = false } = {}) {
  requireEmpty(target)
  for (const folder of built) requireBuilt(folder)
  const { workspaces, packages, links } = findClosure('server', { withTrialDatabase })
  for (const workspace of workspaces) copyOwn(workspace, target)
  for (const path of [...built, ...others, command]) copy(path, target, (name) => !name.startsWith('.tributary-'))
  chmodSync(join(target, command), 0o755)
  for (const place of packages) copyPackage(place, target)
  for (const [place, workspace] of links) linkWorkspace(join(target, place), join(target, workspace))
  writeFileSync(join(target, 'NOTICES'), writeNotices({ withTrialDatabase }), { mode: 0o644 })
  writeFileSync(join(target, 'sbom.cdx.json'), createBillOfMaterials(), { mode: 0o644 })
  return { packages: packages.size, bytes: bytesBelow(target) }
}

function requireEmpty(target) {
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`${target} is not empty. Choose an empty or a new folder.`)
}

function requireBuilt(folder) {
  if (!existsSync(join(root, folder)))
    throw new Error(`${folder} has not been built. Run node tools/boot.mjs pages first.`)
}

function copyOwn(workspace, target) {
  copy(workspace, target, (path) => {
    const inside = path.split('/')
    return !inside.includes('node_modules') && !/\.(?:test|d)\.tsx?$|^tsconfig/u.test(path)
  })
}

function copyPackage(place, target) {
  copy(place, target, (path) => !path.split('/').includes('node_modules') && !isExcluded(place, path))
}

/** @param keeps predicate on the path within the folder, with slashes */
function copy(path, target, keeps) {
  const from = join(root, path)
  if (statSync(from).isFile()) return put(from, join(target, path))
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const inside = relative(from, file).replaceAll('\\', '/')
    if (keeps(inside)) put(file, join(target, path, inside))
  }
}

/** Readable by all, writable only by the owner, independent of the build machine's umask. */
function put(from, to) {
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 })
  cpSync(from, to)
  chmodSync(to, (statSync(from).mode & 0o100) === 0 ? 0o644 : 0o755)
}

function linkWorkspace(link, workspace) {
  mkdirSync(dirname(link), { recursive: true, mode: 0o755 })
  symlinkSync(relative(dirname(link), workspace), link, 'dir')
}

function bytesBelow(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
    join(entry.parentPath, entry.name),
  )
  return files.reduce((sum, file) => (lstatSync(file).isFile() ? sum + lstatSync(file).size : sum), 0)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , target] = process.argv
  if (target === undefined) throw new Error('Name the target folder: node deploy/image/assemble.mjs FOLDER')
  const { packages, bytes } = assemble(resolve(target))
  process.stdout.write(`${target}: ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB\n`)
}
