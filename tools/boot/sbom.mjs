/**
 * The software bill of materials (SBOM) of everything that runs, as CycloneDX JSON. It has neither a serial number nor
 * a timestamp, so that the output of a commit is reproducible. `npm sbom --omit=dev` (npm 11) omits runtime packages
 * that development tools also need.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { findInstalledPath, listRuntimeDependencies, readLock } from './lock.mjs'
import { root } from './process.mjs'

/** @param to a file; `-` is the standard output */
export async function sbom(to = join(root, 'dist', 'sbom.cdx.json')) {
  const text = createBillOfMaterials()
  if (to === '-') return void process.stdout.write(text)
  const file = resolve(to)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(`${relative(process.cwd(), file)}: ${JSON.parse(text).components.length} components`)
}

export function createBillOfMaterials() {
  return `${JSON.stringify(listMaterials(), null, 2)}\n`
}

function listMaterials() {
  const lock = readLock()
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // Stubs are empty and replace packages that are not installed. No runtime code imports testing.
  const places = Object.keys(lock).filter(
    (place) =>
      place !== '' &&
      place !== 'testing' &&
      lock[place].link !== true &&
      lock[place].dev !== true &&
      !place.startsWith('stubs/'),
  )
  // A package that is installed several times is one component.
  const components = new Map(places.map((place) => [idOf(lock, place), describe(lock, place, product)]))
  const dependencies = new Map()
  for (const place of ['', ...places]) {
    const id = idOf(lock, place)
    const needs = place === '' ? [...ownFolders(lock), ...placesOf(lock, place)] : placesOf(lock, place)
    const ids = needs.map((needed) => idOf(lock, needed)).filter((needed) => components.has(needed))
    dependencies.set(id, [...new Set([...(dependencies.get(id) ?? []), ...ids])].sort())
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...describe(lock, '', product), type: 'application', description: product.description } },
    components: [...components.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies: [...dependencies]
      .map(([ref, dependsOn]) => ({ ref, dependsOn }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  }
}

function describe(lock, place, { license }) {
  const { version, optional, integrity, license: own = license } = lock[place]
  const [, group, name] = /^(?:(@[^/]+)\/)?(.*)$/u.exec(nameOf(lock, place))
  return {
    'bom-ref': idOf(lock, place),
    type: 'library',
    ...(group !== undefined && { group }),
    name,
    version,
    scope: optional === true ? 'optional' : 'required',
    ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
    licenses: [own.includes(' ') ? { expression: own } : { license: { id: own } }],
    purl: `pkg:npm/${idOf(lock, place).replace(/^@/u, '%40')}`,
    ...(place.startsWith('vendor/') && { pedigree: { notes: `Only what Tributary uses of it, copied to ${place}.` } }),
  }
}

/** Converts the hash from `sha512-` and base64, as in the lock file, to hexadecimal for CycloneDX. */
function hashOf(integrity) {
  const [, content] = integrity.split('sha512-')
  return { alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }
}

function placesOf(lock, place) {
  return listRuntimeDependencies(lock[place]).flatMap(({ name }) => {
    const found = findInstalledPath(lock, place, name)
    if (found === undefined) return []
    return lock[found].link === true ? [lock[found].resolved] : [found]
  })
}

function ownFolders(lock) {
  return Object.keys(lock).filter((place) => place !== '' && !place.includes('node_modules/'))
}

function idOf(lock, place) {
  return `${nameOf(lock, place)}@${lock[place].version}`
}

/** Workspaces and aliases have a `name`; for any other package the folder is the name. */
function nameOf(lock, place) {
  return lock[place].name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
