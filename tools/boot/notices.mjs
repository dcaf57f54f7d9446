/** The licence notices of a release: one section per licence text, with the packages that it covers. */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findClosure } from '../../deploy/image/closure.mjs'
import { readLock } from './lock.mjs'
import { root } from './process.mjs'

const licenceFile = /^(?:licen[cs]e|notice|copying|third.?party)[^/]*$/iu
const rule = `\n${'-'.repeat(80)}\n`

/** Covers the packages of the server and those that are bundled in the portal and the task pane. */
export function writeNotices({ withTrialDatabase = false } = {}) {
  const lock = readLock()
  const packagesOfText = new Map()
  for (const place of listPlaces(withTrialDatabase)) {
    const { name = nameOf(place), version, license } = lock[place]
    const text = readLicences(place) ?? `Published under ${license} without a licence text.`
    const packages = packagesOfText.get(text) ?? new Set()
    packagesOfText.set(text, packages.add(`${name} ${version} (${license})`))
  }
  const sections = [...packagesOfText].map(([text, packages]) => `${[...packages].sort().join('\n')}\n\n${text}`)
  return ['Tributary contains the following software under the licences below.\n', ...sections.sort()].join(rule)
}

function listPlaces(withTrialDatabase) {
  const closures = ['server', 'web', 'addin'].map((workspace) => findClosure(workspace, { withTrialDatabase }))
  const vendored = closures.flatMap(({ workspaces }) => [...workspaces].filter((place) => place.startsWith('vendor/')))
  return new Set([...closures.flatMap(({ packages }) => [...packages]), ...vendored])
}

/** All licence files of a package as one text; undefined if it has none. */
function readLicences(place) {
  const folder = join(root, place)
  const files = readdirSync(folder).filter((name) => licenceFile.test(name) && statSync(join(folder, name)).isFile())
  const texts = files
    .filter((name) => !/\.[cm]?[jt]s$/u.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

function nameOf(place) {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}
