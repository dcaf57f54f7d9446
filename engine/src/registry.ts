/** The one list of sources and targets: a new one is a folder and a line here, or a description in the folder `apis/catalogue`. */
import type { Source } from './ports/source.ts'
import { describedSources } from './apis/catalogue/catalogue.ts'
import { odataServiceSource } from './apis/custom/odata-service.ts'
import { restApiSource } from './apis/custom/rest-api.ts'
import { cin7Source } from './apis/cin7/source.ts'
import { mysqlSource } from './databases/mysql/source/source.ts'
import { postgresSource } from './databases/postgres/source/source.ts'
import { sqlServerSource } from './databases/sqlserver/source/source.ts'
import { unicontaSource } from './apis/uniconta/source.ts'
import { xeroSource } from './apis/xero/source.ts'
import type { Target } from './ports/target.ts'
import { icebergTarget } from './databases/iceberg/target.ts'
import { mysqlTarget } from './databases/mysql/target.ts'
import { postgresTarget } from './databases/postgres/target.ts'
import { sqlServerTarget } from './databases/sqlserver/target.ts'

export const sources: readonly Source[] = [
  postgresSource,
  mysqlSource,
  sqlServerSource,
  cin7Source,
  unicontaSource,
  xeroSource,
  ...describedSources,
  restApiSource,
  odataServiceSource,
]
export const targets: readonly Target[] = [postgresTarget, mysqlTarget, sqlServerTarget, icebergTarget]
