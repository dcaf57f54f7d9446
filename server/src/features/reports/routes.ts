/**
 * The calls for files that Excel and Power BI open on the warehouse. Each reads the catalogue under the login of the
 * caller, so that a file names only what the caller may read.
 */
import { reports } from '@tributary/contract/reports'
import { getWarehouse } from '../../access/warehouse/queries.ts'
import { type ReaderAddress, readerAddressOf } from '../../access/warehouse/servers/reader-address.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import type { FastifyRequest } from 'fastify'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault, badFields } from '../../kernel/http/api-fault.ts'
import type { Config } from '../../kernel/config/config.ts'
import { ownOrigin } from '../../kernel/http/own-origin.ts'
import { setFileNameHeader } from '../../kernel/http/bind.ts'
import { createZip } from '../../kernel/pages/zip.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { tableWorkbook } from './excel/table-workbook.ts'
import { databaseSource, feedSource } from './excel/workbook-sources.ts'
import { checkConnection } from './check-connection.ts'
import { powerBiProject } from './power-bi/project.ts'
import { findOwnLogin, findReportSource, listReadingTokens } from './queries.ts'
import { readFeedSets, readReportTables } from './read-tables.ts'
import type { ReportTable } from './report-model.ts'

/** Reading the catalogue of a large warehouse takes a while, so people wait after many files. */
const fileLimit: ThrottleLimit = { kind: 'report file', free: 60, waitMs: 5_000, isShared: true }
const testLimit: ThrottleLimit = { ...fileLimit, kind: 'report connection test' }
/** Of the date table: years of history, and years that plans may reach into. */
const [yearsBefore, yearsAfter] = [10, 5]

export function reportRoutes(app: AppRoutes): void {
  connectionRoutes(app)
  fileRoutes(app)
}

function connectionRoutes({ bind, services }: AppRoutes): void {
  const { clock, config, store, throttle } = services

  bind(reports.connection, async ({ organisationId, actor, request, signal }) => {
    await withPersonConnection(services, { organisationId, actor, signal }, async () => undefined)
    const { user, database } = await store.within(organisationId, (db) =>
      findOwnLogin(db, organisationId, actor.userId),
    )
    const { host, port, server } = await addressOf(services, organisationId)
    const { ssl } = server.admin
    const sslMode = ssl === undefined || ssl === false ? ('prefer' as const) : ('require' as const)
    const feedUrl = feedAddress(config, request, organisationId)
    return { host, port, database, user, sslMode, feedUrl, ranges: config.publicRanges }
  })

  bind(reports.test, async ({ organisationId, actor, signal }) => {
    await throttle.attempt(testLimit, actor.userId)
    const tables = await readReportTables(services, { organisationId, actor, signal })
    const { login, tokens } = await store.within(organisationId, async (db) => ({
      login: await findOwnLogin(db, organisationId, actor.userId),
      tokens: await listReadingTokens(db, organisationId, actor.userId, isoTime(clock.now())),
    }))
    return checkConnection({ address: await addressOf(services, organisationId), tables, login, tokens })
  })

  bind(reports.tables, async ({ organisationId, actor, signal }) => {
    const tables = await readReportTables(services, { organisationId, actor, signal })
    return tables.flatMap(({ schema, name, purpose, description }) =>
      purpose === 'rights' ? [] : [{ schema, name, purpose, description }],
    )
  })
}

function fileRoutes({ bind, services }: AppRoutes): void {
  const { audit, clock, config, store, throttle } = services

  bind(reports.powerBi, async ({ organisationId, actor, auditContext, reply, signal }) => {
    await throttle.attempt(fileLimit, actor.userId)
    const tables = await readReportTables(services, { organisationId, actor, signal })
    if (tables.every(({ purpose }) => purpose === 'rights')) throw nothingSynchronised()
    const source = await recordDownload(organisationId, auditContext, 'powerBi')
    const { host, port } = await addressOf(services, organisationId)
    const year = new Date(clock.now()).getUTCFullYear()
    const files = powerBiProject({
      organisation: { id: organisationId, name: source.companyName },
      warehouse: { host, port, database: source.databaseName },
      tables,
      years: { first: year - yearsBefore, last: year + yearsAfter },
    })
    setFileNameHeader(reply, 'tributary-power-bi.zip')
    return createZip(files.map(({ path, text }) => ({ name: path, content: Buffer.from(text) })))
  })

  bind(reports.workbook, async ({ organisationId, actor, auditContext, body, reply, request, signal }) => {
    await throttle.attempt(fileLimit, actor.userId)
    const reader = { organisationId, actor, signal }
    const tables = chooseTables(await readReportTables(services, reader), body.tables)
    const sets = body.source === 'feed' ? await readFeedSets(services, reader) : null
    const { companyName, databaseName } = await recordDownload(organisationId, auditContext, 'workbook')
    const { host, port } = await addressOf(services, organisationId)
    setFileNameHeader(reply, 'tributary.xlsx')
    const read =
      sets === null
        ? databaseSource({ server: `${host}:${port}`, database: databaseName })
        : feedSource(feedAddress(config, request, organisationId), sets)
    return tableWorkbook({ organisation: companyName, tables, ...read })
  })

  function recordDownload(
    organisationId: string,
    context: AuditContext<string>,
    file: 'powerBi' | 'workbook',
  ): Promise<{ companyName: string; databaseName: string }> {
    return store.within(organisationId, async (db) => {
      const source = await findReportSource(db, organisationId)
      const object = { type: 'report', id: source.databaseName }
      await audit.record(db, context, { action: 'data.export_downloaded', object, detail: { file } })
      return source
    })
  }
}

/** Where the organisation's warehouse is. It must exist. */
async function addressOf(services: AppServices, organisationId: string): Promise<ReaderAddress> {
  const row = await services.store.within(organisationId, (db) => getWarehouse(db, organisationId))
  return await readerAddressOf(services, row)
}

/** The address of the OData feed. */
function feedAddress(config: Config, request: FastifyRequest, organisationId: string): string {
  return `${ownOrigin(config, request)}/odata/${organisationId}/`
}

function nothingSynchronised(): ApiFault {
  const detail = 'There is no table to report on yet. Run a connector that loads the warehouse, then try again.'
  return new ApiFault('settingsWrong', { values: { detail } })
}

interface TableChoice {
  readonly schema: string
  readonly name: string
}

/** In the order of the choice. A table that is chosen twice is in the workbook once. */
function chooseTables(readable: readonly ReportTable[], chosen: readonly TableChoice[]): readonly ReportTable[] {
  const tables = new Map<string, ReportTable>()
  for (const { schema, name } of chosen) {
    const table = readable.find((each) => each.schema === schema && each.name === name && each.purpose !== 'rights')
    if (table === undefined)
      throw badFields({ tables: `names ${schema}.${name}, which is no table that you may read. Choose it again` })
    tables.set(JSON.stringify([schema, name]), table)
  }
  return [...tables.values()]
}
