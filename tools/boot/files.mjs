/** Stamps: hashes of the input of an installation or a build, stored next to its result. */
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, userError } from './process.mjs'

/** Hashes paths relative to the clone, so that a copied or moved clone needs no new installation or build. */
export function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

export function filesBelow(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

export function requireWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw userError(
      `The folder ${folder} is read-only for this user. Make it writable, or clone Tributary somewhere else.`,
    )
  }
}
