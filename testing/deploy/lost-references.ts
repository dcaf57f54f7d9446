/** Finds references to files that a reduced tree lacks and the complete tree has. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const specifiers = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*["']([^"'\n]+)["']/gu
const ofTypes = /\b(?:import|export)\s+type\b[^;'"]*["'][^"'\n]+["']/gu
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gu

/** @returns lines such as `node_modules/a/index.js: ./b.js` */
export function listLostReferences(tree: string, whole: string): readonly string[] {
  const scripts = readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:[cm]?js|ts)$/u.test(entry.name))
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
  return [...listLostEntries(tree, whole), ...scripts.flatMap((script) => lostOf(script, tree, whole))]
}

function lostOf(script: string, tree: string, whole: string): readonly string[] {
  const text = readFileSync(join(tree, script), 'utf8').replaceAll(comments, '').replaceAll(ofTypes, '')
  const named = new Set([...text.matchAll(specifiers)].map(([, specifier = '']) => specifier))
  return [...named]
    .filter((specifier) => isLost({ script, specifier, tree, whole }))
    .map((specifier) => `${script}: ${specifier}`)
}

/** The files that packages export to Node by `main` and `exports`. */
function listLostEntries(tree: string, whole: string): readonly string[] {
  const manifests = readdirSync(tree, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('package.json'),
  )
  return manifests.flatMap((manifest) => {
    const { main = './index', exports } = JSON.parse(readFileSync(join(tree, manifest), 'utf8')) as {
      readonly main?: string
      readonly exports?: unknown
    }
    const entries = exports === undefined ? [main] : targetsOf(exports)
    const lost = entries.filter((entry) => {
      const path = join(dirname(manifest), entry)
      return !entry.includes('*') && isModule(join(whole, path)) && !isModule(join(tree, path))
    })
    return lost.map((entry) => `${manifest}: ${entry}`)
  })
}

/**
 * Follows the conditions that Node uses. A name that begins with a dot is a path; one such path is only for browsers.
 */
function targetsOf(exports: unknown): readonly string[] {
  if (typeof exports === 'string') return [exports]
  if (typeof exports !== 'object' || exports === null) return []
  const ofNode = Object.entries(exports).filter(([key]) =>
    /^(?:\.|\d|node$|node-addons$|import$|require$|module-sync$|default$)/u.test(key),
  )
  const isFirst = new Set<string>()
  for (const [key] of ofNode) {
    if (!key.startsWith('.')) isFirst.add(key)
    // Node ignores conditions after one that always applies.
    if (key === 'node' || key === 'default') break
  }
  return ofNode.filter(([key]) => /^[.\d]/u.test(key) || isFirst.has(key)).flatMap(([, value]) => targetsOf(value))
}

interface Reference {
  readonly script: string
  readonly specifier: string
  readonly tree: string
  readonly whole: string
}

function isLost({ script, specifier, tree, whole }: Reference): boolean {
  if (/^(?:\.|\.\.)(?:\/|$)/u.test(specifier)) {
    const path = join(dirname(script), specifier)
    return isModule(join(whole, path)) && !isModule(join(tree, path))
  }
  const [name] = /^(?:@[\w.-]+\/)?[a-z\d][\w.-]*/u.exec(specifier) ?? []
  return name !== undefined && hasPackage(whole, script, name) && !hasPackage(tree, script, name)
}

/** Tries the extensions of CommonJS. An ES module names the complete file, which is tried first. */
function isModule(path: string): boolean {
  const files = ['', '.js', '.cjs', '.mjs', '.json', '.node', '/index.js', '/index.cjs', '/package.json'].map(
    (ending) => path + ending,
  )
  return files.some((file) => existsSync(file) && statSync(file).isFile())
}

function hasPackage(root: string, script: string, name: string): boolean {
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    if (existsSync(join(root, folder, 'node_modules', name, 'package.json'))) return true
    if (folder === '.') return false
  }
}
