/** The one list of sources and targets: a new one is a folder and a line here. */
import type { Source } from './source.ts'
import { cin7Source } from './sources/cin7/source.ts'
import { mysqlSource } from './sources/mysql/source.ts'
import { postgresSource } from './sources/postgres/source.ts'
import { sqlServerSource } from './sources/sqlserver/source.ts'
import { unicontaSource } from './sources/uniconta/source.ts'
import { xeroSource } from './sources/xero/source.ts'
import type { Target } from './target.ts'
import { mysqlTarget } from './targets/mysql/target.ts'
import { postgresTarget } from './targets/postgres/target.ts'
import { sqlServerTarget } from './targets/sqlserver/target.ts'

export const sources: readonly Source[] = [postgresSource, mysqlSource, sqlServerSource, cin7Source, unicontaSource, xeroSource]
export const targets: readonly Target[] = [postgresTarget, mysqlTarget, sqlServerTarget]
