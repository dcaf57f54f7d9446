/** Opens the catalog that the settings describe. */
import { Fault } from '../../../ports/faults.ts'
import type { ConnectionContext } from '../../../ports/source.ts'
import type { IcebergCatalog } from '../catalog/catalog.ts'
import { FolderCatalog } from '../catalog/folder-catalog.ts'
import { authorizeBy } from '../catalog/rest/rest-auth.ts'
import { RestCatalog } from '../catalog/rest/rest-catalog.ts'
import { RestConnection } from '../catalog/rest/rest-connection.ts'
import { HttpSession } from '../http/http-session.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { IcebergSettings, RestCatalogTarget } from './settings.ts'

export async function openCatalog({ catalog }: IcebergSettings, context: ConnectionContext): Promise<IcebergCatalog> {
  return catalog.kind === 'folder' ? openFolder(context) : openRest(catalog, context)
}

async function openRest(settings: RestCatalogTarget, context: ConnectionContext): Promise<IcebergCatalog> {
  const http = new HttpSession(context)
  try {
    const { uri, warehouse, signIn, storage } = settings
    const connection = await RestConnection.open(
      { uri, warehouse, usesVendedCredentials: storage.kind === 'vended' },
      http,
      authorizeBy(signIn, uri, context),
    )
    return new RestCatalog(connection, (table) => openStorage(storage, table, { context, http }))
  } catch (error) {
    http[Symbol.dispose]()
    throw error
  }
}

async function openFolder({ lakeFolder, clock }: ConnectionContext): Promise<IcebergCatalog> {
  if (lakeFolder === undefined) throw folderRefused()
  return FolderCatalog.open(lakeFolder, clock)
}

function folderRefused(): Fault {
  return new Fault('settings', {
    code: 'iceberg.folder_refused',
    notice:
      'A folder of the server cannot hold Iceberg tables here. Enter the address of a catalog that begins with https://.',
    field: 'target.connectionString.uri',
  })
}
