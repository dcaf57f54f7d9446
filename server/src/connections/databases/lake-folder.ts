/** The folder of the server with the Iceberg tables of an organisation, where the provider has one. */
import { resolve } from 'node:path'
import type { Config } from '../../kernel/config/config.ts'

/** The folder is named for the id of the organisation, so that none reads the tables of another. Undefined where the provider has no such folder. */
export function lakeFolderOf(
  { lakeFolder, dataDir }: Pick<Config, 'dataDir' | 'lakeFolder'>,
  organisationId: string,
): string | undefined {
  return lakeFolder === '' ? undefined : resolve(dataDir, lakeFolder, organisationId)
}
