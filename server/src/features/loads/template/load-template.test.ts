/** The template of a table: its contents, its users, and that it can be loaded. */
import { groups } from '@tributary/contract/groups'
import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { workbookType } from '@tributary/contract/route'
import { planningStructure } from '@tributary/contract/planning-structure'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { structureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import {
  uploadFile,
  LoadClient,
  planForLoads,
  type PlanFixture,
  type TestSheet,
} from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { openTemplate, type OpenTemplate } from '@tributary/testing/server/excel/read-template.ts'
import { templateWorkbook } from './template-workbook.ts'

let app: TestApp
let plan: PlanFixture
let user: LoadClient
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
  user = new LoadClient(app.as.user)
})
afterEach(() => app[Symbol.asyncDispose]())

const n = (written: string): SheetCell => ({ n: written })
const sheet: TestSheet = {
  columns: ['Rates', 'Code', 'Amount', 'Year', 'Day', 'Seen at', 'Is sure'],
  rows: [['full', '0100', n('1.5'), n('2026'), { d: '2026-01-31' }, { d: '2026-01-31T08:00:00' }, true]],
}
const rates: TestSheet = {
  columns: ['Code', 'Rate'],
  rows: [
    ['Low', n('0.07')],
    ['full', n('0.2')],
  ],
}

async function download(who: keyof TestApp['as'], query: object): Promise<OpenTemplate> {
  const session = await app.as[who].session()
  const headers = { host: 'localhost:3000', authorization: `Bearer ${session?.accessToken}` }
  const reply = await app.http.inject({
    method: 'GET',
    url: '/api/loads/template.xlsx',
    query: query as Record<string, string>,
    headers,
  })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, workbookType])
  return await openTemplate(reply.rawPayload)
}

test('[ENG-5] [ISSUE 20 C16] a template has the headings of its table, formats by type, and lists of the values that the user may write', async () => {
  await user.load({ helperTableId: plan.ratesId }, rates)
  await user.load({ versionId: plan.versionId }, sheet)
  await app.as.admin.call(planningStructure.changeMilestone, {
    params: { milestoneId: plan.juneId },
    body: { statusId: statusIds.locked },
  })
  const found = await download('user', { versionId: plan.versionId })
  expect(found.sheets).toEqual([
    { name: 'Budget 2026', state: 'visible' },
    { name: 'Lists', state: 'hidden' },
  ])
  expect(found.columns.map(({ heading, format, rule }) => [heading, format, rule])).toEqual([
    ['Entity', '@', ['One']],
    ['Area', '@', ['Kitchen']],
    ['Subarea', '@', ['Bar']],
    ['Milestone', '@', ['July']],
    ['Rates', '@', ['full', 'Low']],
    ['Code', '@', undefined],
    ['Amount', '#,##0.00##', 'decimal between -999999999999999999 and 999999999999999999'],
    ['Year', 'General', 'decimal between -999999999999999999 and 999999999999999999'],
    ['Day', 'yyyy-mm-dd', 'date between 1 and 2958465'],
    ['Seen at', 'yyyy-mm-dd hh:mm:ss', 'date between 1 and 2958465.99999'],
    ['Is sure', 'General', [true, false]],
  ])
  const event = { actorId: app.idOf('user'), organisationId: app.harbour.id, objectId: plan.versionId }
  expect(await findAuditEvents(app.store, 'data.export_downloaded')).toMatchObject([event])
})

test('[ENG-5] [ISSUE 20 C16] a filled-in template loads without an error, every value as it was entered', async () => {
  await user.load({ helperTableId: plan.ratesId }, rates)
  const first = await user.load({ versionId: plan.versionId }, sheet)
  const template = await download('user', { versionId: plan.versionId })
  const filled = template.fillIn([
    ['One', 'Kitchen', 'Bar', 'June', 'full', '0100', 1.5, 2026, 46_053, 46_053 + 1 / 3, true],
    ['One', 'Kitchen', 'Bar', 'July', 'Low', '0200', -0.1, 2026, 46_053, 46_053.5, false],
  ])
  const { Id: fileId, Name, Sheets } = await uploadFile(app, 'template.xlsx', filled)
  expect(Sheets.map(({ Name: name, IsHidden }) => [name, IsHidden])).toEqual([
    ['Budget 2026', false],
    ['Lists', true],
  ])
  const columns = template.columns.map(({ heading }) => heading)
  const body = { versionId: plan.versionId, source: 'portal', fileId, workbook: Name, sheet: 'Budget 2026', columns }
  const { body: begun } = await app.as.user.call(loads.begin, { body })
  const { Errors, Rows, Columns, Seen } = await user.check(begun.Id)
  expect([Errors, Rows, Columns.filter(({ IsNew, IsWidened }) => IsNew || IsWidened)]).toEqual([[], 2, []])
  const { body: receipt } = await user.commit(begun.Id, Seen)
  expect(receipt.Slices.map(({ Milestone, FormerRows }) => [Milestone, FormerRows])).toEqual([
    ['July', 0],
    ['June', 1],
  ])
  const { body: changes } = await app.as.user.call(loads.changes, { params: { loadId: begun.Id } })
  expect(changes.map(({ Kind, New }) => [Kind, New])).toEqual([
    [
      'added',
      'Rates: Low; Code: 0200; Amount: -0.1; Year: 2026; Day: 2026-01-31; Seen at: 2026-01-31 12:00:00; Is sure: FALSE',
    ],
  ])
  expect(first.Status).toBe('LOADED')
})

test('[ENG-5] [ISSUE 20 C16] every table has a template; without columns it says where to enter the headings', async () => {
  const [helper, version] = [
    await download('user', { helperTableId: plan.ratesId }),
    await download('user', { versionId: plan.versionId }),
  ]
  expect([helper.columns, version.columns.map(({ heading }) => heading)]).toEqual([
    [],
    ['Entity', 'Area', 'Subarea', 'Milestone'],
  ])
  const says = 'A heading that you enter here becomes a new column of the table when you load the sheet.'
  expect([helper.prompt, version.prompt]).toEqual([
    { where: 'A1:AX1', says },
    { where: 'E1:BB1', says },
  ])
})

test('[ENG-5] [ISSUE 20 C16] the values of a helper table are listed only for people who may use it', async () => {
  await user.load({ helperTableId: plan.ratesId }, rates)
  await user.load({ versionId: plan.versionId }, { columns: ['Rates', 'Amount'], rows: [['full', n('1')]] })
  const listed = async () =>
    (await download('user', { versionId: plan.versionId })).columns.find(({ heading }) => heading === 'Rates')?.rule
  expect(await listed()).toEqual(['full', 'Low'])
  await app.as.admin.send('PUT', `/api/users/${app.idOf('user')}/helperTables`, { body: { ids: [] } })
  expect(await listed()).toBeUndefined()
})

test('[ENG-5] [ISSUE 20 C16] templates have the same access rules as loads, for each role and for other organisations', async () => {
  const make = structureCalls(app)
  const [closedId, otherId] = [await make.version('Closed'), await make.version('Not granted')]
  await app.as.admin.call(groups.grantMilestone, {
    body: { groupId: plan.groupId, versionId: closedId, milestoneId: await make.milestone('Only', closedId) },
  })
  await app.as.admin.call(planningStructure.changeVersion, {
    params: { versionId: closedId },
    body: { statusId: statusIds.locked },
  })
  const tables = [
    { versionId: plan.versionId },
    { helperTableId: plan.ratesId },
    { versionId: closedId },
    { versionId: otherId },
    {},
  ]
  const statuses: Record<string, number[]> = {}
  for (const who of ['superadmin', 'provideradmin', 'admin', 'user', 'guest', 'otherAdmin', 'visitor'] as const)
    for (const table of tables) {
      const about = { source: 'portal', workbook: 'w', sheet: 's', columns: ['A'] }
      const load = await app.as[who].send<{ message: string }>('POST', '/api/loads', { body: { ...table, ...about } })
      const query = new URLSearchParams(table as Record<string, string>).toString()
      const template = await app.as[who].send<{ message: string } | undefined>(
        'GET',
        `/api/loads/template.xlsx?${query}`,
      )
      const isDone = load.status === 201
      expect([who, table, template.status]).toEqual([who, table, isDone ? 200 : load.status])
      if (!isDone) expect([who, table, template.body?.message]).toEqual([who, table, load.body.message])
      statuses[who] = [...(statuses[who] ?? []), template.status]
    }
  expect(statuses).toMatchObject({
    admin: [200, 200, 422, 422, 400],
    user: [200, 200, 422, 422, 400],
    guest: Array(5).fill(403),
    otherAdmin: [404, 404, 404, 404, 400],
    visitor: Array(5).fill(401),
  })
})

test('[ENG-5] [ISSUE 20 C16] headings and values round-trip unchanged; only characters that Excel refuses in a sheet name are replaced', async () => {
  const texts = ['<b>&"', '_x0041_', ' spaced ', '漢字 🙂', '=1+1', "it's", 'tab\there']
  const columns = texts.map(
    (heading) => ({ heading, type: 'text', isMeasure: false, list: { values: texts, error: heading } }) as const,
  )
  const bytes = templateWorkbook({ name: "'Plan: [all]/2026' and more than thirty-one", columns })
  const { Sheets } = await uploadFile(app, 'template.xlsx', bytes)
  expect(Sheets.map(({ Name, FirstRows }) => [Name, FirstRows])).toEqual([
    ["-Plan- -all--2026' and more tha", [texts]],
    ['Lists', [texts, ...texts.map((text) => texts.map(() => text))]],
  ])
  const names = ['lists', 'History', '??', ''].map((name) => templateWorkbook({ name, columns: [] }))
  const read = await Promise.all(names.map(async (each) => (await openTemplate(each)).sheets[0]?.name))
  expect(read).toEqual(['lists data', 'History data', '--', 'data'])
})
