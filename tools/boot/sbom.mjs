/**
 * The list of everything that Tributary is made of when it runs, as CycloneDX JSON. The same commit gives the same bytes, so it has
 * neither a number nor a time of its own. Not by `npm sbom --omit=dev`: that leaves out what a tool of ours needs, too (npm 11).
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { findPlace, listNeeds, readLock } from './lock.mjs'
import { root } from './workshop.mjs'

/** @param to a file; `-` is the standard output */
export async function sbom(to = join(root, 'dist', 'sbom.cdx.json')) {
  const list = makeList()
  const text = `${JSON.stringify(list, null, 2)}\n`
  if (to === '-') return void process.stdout.write(text)
  const file = resolve(to)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  console.log(`${relative(process.cwd(), file)}: ${list.components.length} components`)
}

function makeList() {
  const lock = readLock()
  const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // Nothing that runs imports testing.
  const places = Object.keys(lock).filter(
    (place) => place !== '' && place !== 'testing' && lock[place].link !== true && lock[place].dev !== true,
  )
  // The same package may lie in several places; it is one thing that it is made of.
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
  }
}

/** The lock file has it in base64 and with its name, the list in hexadecimal figures. */
function hashOf(integrity) {
  const [, content] = integrity.split('sha512-')
  return { alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }
}

function placesOf(lock, place) {
  return listNeeds(lock[place]).flatMap(({ name }) => {
    const found = findPlace(lock, place, name)
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

/** Ours have a name of their own; of another package the folder is the name, unless it goes by an alias. */
function nameOf(lock, place) {
  return lock[place].name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
