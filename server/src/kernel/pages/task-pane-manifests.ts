/** Creates the manifests of the task pane from templates and the public address of this installation. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameUuid, urlNamespace } from '../text/name-uuid.ts'
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
  // A UUID of the public address, so that one Excel can use the task panes of several installations.
  const id = nameUuid(urlNamespace, `${publicUrl}/addin/`)
  const values = { id, version: productVersion(), origin: publicUrl, host: new URL(publicUrl).host }
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
