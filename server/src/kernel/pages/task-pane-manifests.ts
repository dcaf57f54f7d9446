/** Creates the manifests of the task pane from templates and the public address of this installation. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { productVersion } from '../product-version.ts'
import { createZip } from './zip.ts'

export interface TaskPaneManifests {
  /** The add-in only manifest, for every Excel that supports add-ins. */
  readonly xml: string
  /** The unified manifest of Microsoft 365. */
  readonly json: string
  /** The unified manifest with its icons, ready for upload. */
  readonly zip: Buffer
}

/** @param folder the add-in's folder, with templates in `manifest` and icons in `icons`. */
export function createManifests(folder: string, publicUrl: string): TaskPaneManifests {
  const values = { id: idOf(publicUrl), version: productVersion(), origin: publicUrl, host: new URL(publicUrl).host }
  const fillTemplate = (name: string) =>
    readFileSync(join(folder, 'manifest', name), 'utf8').replaceAll(
      /\{(id|version|origin|host)\}/gu,
      (_, key: keyof typeof values) => values[key],
    )
  const readIcon = (name: string) => readFileSync(join(folder, 'icons', name))
  const json = fillTemplate('manifest.json')
  const zip = createZip([
    { name: 'manifest.json', content: Buffer.from(json) },
    { name: 'color.png', content: readIcon('icon-192.png') },
    { name: 'outline.png', content: readIcon('outline-32.png') },
  ])
  return { xml: fillTemplate('manifest.xml'), json, zip }
}

/** The UUID of the URL namespace in RFC 9562. */
const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')

/** A UUID of version 5 for the public address, so that one Excel can use the task panes of several installations. */
function idOf(publicUrl: string): string {
  const hash = createHash('sha1').update(urlNamespace).update(`${publicUrl}/addin/`).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-')
}
