/** The manifests of the task pane, filled in with the address at which this installation is reached. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { productVersion } from '../product-version.ts'
import { storedZip } from './zip.ts'

export interface Manifests {
  /** For every Excel that knows add-ins. */
  readonly xml: string
  /** The unified one of Microsoft 365, by itself and packed with its icons as it is uploaded. */
  readonly json: string
  readonly zip: Buffer
}

/** @param folder of the add-in: the templates lie in `manifest`, the icons in `icons`. */
export function makeManifests(folder: string, publicUrl: string): Manifests {
  const values = { id: idOf(publicUrl), version: productVersion(), origin: publicUrl, host: new URL(publicUrl).host }
  const filled = (name: string) =>
    readFileSync(join(folder, 'manifest', name), 'utf8').replaceAll(
      /\{(id|version|origin|host)\}/gu,
      (_, key: keyof typeof values) => values[key],
    )
  const icon = (name: string) => readFileSync(join(folder, 'icons', name))
  const json = filled('manifest.json')
  const zip = storedZip([
    { name: 'manifest.json', content: Buffer.from(json) },
    { name: 'color.png', content: icon('icon-192.png') },
    { name: 'outline.png', content: icon('outline-32.png') },
  ])
  return { xml: filled('manifest.xml'), json, zip }
}

/** Of the namespace of addresses in RFC 9562. */
const addresses = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')

/** The same for one installation always, another for every other one, so that two can stand beside each other in one Excel. */
function idOf(publicUrl: string): string {
  const hash = createHash('sha1').update(addresses).update(`${publicUrl}/addin/`).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-')
}
