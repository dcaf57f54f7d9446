/** Tables of Apache Iceberg on object storage as a target. */
import type { Target } from '../../ports/target.ts'
import { checkLake } from './settings/check-lake.ts'
import { section } from './settings/fields.ts'
import { openCatalog } from './settings/open-catalog.ts'
import { type IcebergSettings, parseSettings } from './settings/settings.ts'
import { facts } from './target/facts.ts'
import { measuredRule } from './table/position-deletions.ts'
import { OpenLakeTarget } from './target/open-target.ts'

export const icebergTarget: Target<IcebergSettings> = {
  kind: 'iceberg',
  title: 'Apache Iceberg',
  facts,
  section,
  parse: parseSettings,
  open: (settings, context) =>
    OpenLakeTarget.open(
      {
        namespace: settings.namespace,
        unknownValues: settings.unknownValues ?? 'reject',
        partitionBy: settings.partitionBy,
        ...(settings.changedRows === 'deletedByPosition' && { deletionRule: measuredRule }),
        openCatalog: (around) => openCatalog(settings, around),
        check: () => checkLake(settings, context),
      },
      context,
    ),
  reading: null,
}
