/**
 * The calls for files that Excel and Power BI open on the warehouse. Each reads the catalogue under the login of the
 * caller, so that a file names only what the caller may read.
 */
import { reports } from '@tributary/contract/reports'
import type { AppRoutes } from '../../app-services.ts'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import type { AuditContext } from '../../kernel/audit-context.ts'
import { ApiFault, badFields } from '../../kernel/http/api-fault.ts'
import { setFileNameHeader } from '../../kernel/http/bind.ts'
import { createZip } from '../../kernel/pages/zip.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { tableWorkbook } from './excel/table-workbook.ts'
import { warehouseRows } from './m-language.ts'
import { checkConnection } from './check-connection.ts'
import { powerBiProject } from './power-bi/project.ts'
import { findOwnLogin, findReportSource } from './queries.ts'
import { readReportTables } from './read-tables.ts'
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
  const { store, throttle, warehouse } = services

  bind(reports.connection, async ({ organisationId, actor, signal }) => {
    await withPersonConnection(services, { organisationId, actor, signal }, async () => undefined)
    const { user, database } = await store.within(organisationId, (db) =>
      findOwnLogin(db, organisationId, actor.userId),
    )
    const { host, port, admin } = warehouse
    const sslMode = admin.ssl === undefined || admin.ssl === false ? ('prefer' as const) : ('require' as const)
    return { host, port, database, user, sslMode }
  })

  bind(reports.test, async ({ organisationId, actor, signal }) => {
    await throttle.attempt(testLimit, actor.userId)
    const tables = await readReportTables(services, { organisationId, actor, signal })
    const login = await store.within(organisationId, (db) => findOwnLogin(db, organisationId, actor.userId))
    return checkConnection({ warehouse, tables, login })
  })

  bind(reports.tables, async ({ organisationId, actor, signal }) => {
    const tables = await readReportTables(services, { organisationId, actor, signal })
    return tables.flatMap(({ schema, name, purpose, description }) =>
      purpose === 'rights' ? [] : [{ schema, name, purpose, description }],
    )
  })
}

function fileRoutes({ bind, services }: AppRoutes): void {
  const { audit, clock, store, throttle, warehouse } = services

  bind(reports.powerBi, async ({ organisationId, actor, auditContext, reply, signal }) => {
    await throttle.attempt(fileLimit, actor.userId)
    const tables = await readReportTables(services, { organisationId, actor, signal })
    if (tables.every(({ purpose }) => purpose === 'rights')) throw nothingSynchronised()
    const source = await recordDownload(organisationId, auditContext, 'powerBi')
    const year = new Date(clock.now()).getUTCFullYear()
    const files = powerBiProject({
      organisation: { id: organisationId, name: source.companyName },
      warehouse: { host: warehouse.host, port: warehouse.port, database: source.databaseName },
      tables,
      years: { first: year - yearsBefore, last: year + yearsAfter },
    })
    setFileNameHeader(reply, 'tributary-power-bi.zip')
    return createZip(files.map(({ path, text }) => ({ name: path, content: Buffer.from(text) })))
  })

  bind(reports.workbook, async ({ organisationId, actor, auditContext, body, reply, signal }) => {
    await throttle.attempt(fileLimit, actor.userId)
    const tables = chooseTables(await readReportTables(services, { organisationId, actor, signal }), body.tables)
    const source = await recordDownload(organisationId, auditContext, 'workbook')
    const server = `${warehouse.host}:${warehouse.port}`
    setFileNameHeader(reply, 'tributary.xlsx')
    return tableWorkbook({
      organisation: source.companyName,
      tables,
      rowsOf: (table) => warehouseRows({ server, database: source.databaseName }, table),
      credentials: [
        '3. Excel asks how to sign in. Choose Database, and enter the user and password from Connect your reports in Tributary.',
        'If Excel says that it needs a provider, install Npgsql, the PostgreSQL provider for Windows, once on this computer.',
      ],
    })
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
