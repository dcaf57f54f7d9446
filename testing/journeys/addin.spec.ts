/** The task pane in a simulated Excel: sign in, choose, check, load, fix, undo. */
import { AxeBuilder } from '@axe-core/playwright'
import type { APIRequestContext, FrameLocator, Page, Route } from '@playwright/test'
import { redraw, tags } from './accessible.ts'
import { codeFor, makePerson, password, type Person, roleId, apiAs, newPerson } from './people.ts'
import { makePlan, type Plan } from './plan.ts'
import { expect, test } from './portal.ts'
import { day, type Excel, openExcel, type SheetRows } from './excel/host-page.ts'
import { queryVersionTable } from './version-table.ts'

const admin = 'admin@other.example'
const headings = ['Entity', 'Area', 'Subarea', 'Milestone', 'Month', 'Amount']

// The dialog checks whether this browser is already signed in; a 401 means that it is not.
test.beforeEach(({ page, portal }) => {
  portal.expectFailedCalls()
  page.on('popup', (dialog) =>
    dialog.on('console', (message) => {
      if (message.type() === 'error')
        expect(message.text(), 'the console of the dialog').toMatch(/^Failed to load resource/u)
    }),
  )
})

/** A planner of a separate organisation, so that no other test changes the password of its warehouse. */
async function makePlanner(request: APIRequestContext, person?: Person) {
  const planner = person ?? (await makePerson(request, 'Petra'))
  return { planner, plan: await makePlan(request, { admin, people: new RegExp(`^${planner.emailAddress}$`, 'u') }) }
}

async function personWithCodes(request: APIRequestContext): Promise<Person> {
  const person = newPerson('Cleo')
  const api = await apiAs(request, admin)
  const { Id } = await api.post<{ Id: string }>('/users', {
    ...person,
    lastName: 'Tester',
    password,
    roleId: await roleId(api),
  })
  await api.post(`/users/${Id}`, { requireMultiFactorAuthentication: true })
  return person
}

function sheetOf(rows: readonly ReturnType<Plan['row']>[]): SheetRows {
  return [
    headings,
    ...rows.map(([entity, area, subarea, milestone, month, amount]) => [
      entity,
      area,
      subarea,
      milestone,
      day(month.toISOString().slice(0, 10)),
      amount,
    ]),
  ]
}

async function signIn(
  page: Page,
  pane: FrameLocator,
  { emailAddress }: Person,
  code?: () => Promise<string>,
): Promise<void> {
  const opening = page.waitForEvent('popup')
  await pane.getByRole('button', { name: 'Sign in', exact: true }).click()
  const dialog = await opening
  await dialog.getByLabel('Email address').fill(emailAddress)
  await dialog.getByLabel('Password').fill(password)
  const closing = dialog.waitForEvent('close')
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  if (code !== undefined) {
    await expect(dialog.getByRole('heading', { name: 'Enter your code' })).toBeVisible()
    await dialog.getByLabel('Verification code').fill(await code())
    await dialog.getByRole('button', { name: 'Verify' }).click()
  }
  await closing
  await expect(pane.getByRole('heading', { name: 'What goes where' })).toBeVisible()
}

/** Checks the sheet without loading it. */
async function check({ pane }: Excel, { version }: Plan): Promise<void> {
  await pane.getByRole('combobox', { name: 'Table' }).selectOption({ label: version })
  await pane.getByRole('button', { name: 'Preview' }).click()
  await pane.getByRole('button', { name: /^Check [\d,]+ rows?$/u }).click()
  await expect(pane.getByRole('heading', { name: 'The check' })).toBeVisible()
}

const expectScreen = (pane: FrameLocator, title: string | RegExp) =>
  expect(pane.getByRole('heading', { level: 1, name: title })).toBeVisible()

test('[ENG-5] [VER-3] a planner signs in with a code, loads 2,000 rows that the database then holds exactly, and undoes the load', async ({
  page,
  request,
}) => {
  const { planner, plan } = await makePlanner(request, await personWithCodes(request))
  const amounts = Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? 0.1 * at : -at / 3))
  const excel = await openExcel(page, sheetOf(amounts.map((amount) => plan.row(amount))))
  const { pane } = excel
  await expect(pane.getByText('‘Plan’ has 2,001 rows and 6 columns.')).toBeVisible()
  await signIn(page, pane, planner, () => codeFor(request, planner))
  await check(excel, plan)
  await expect(pane.getByText('2,000 rows can be loaded.')).toBeVisible()
  await pane.getByRole('button', { name: 'Load 2,000 rows' }).click()
  await expectScreen(pane, `Receipt for ${plan.version}`)
  const { rows, days } = await queryVersionTable(plan, async (query) => ({
    rows: (await query('select "Amount"::text as "Amount" from TABLE')).map(({ Amount }) => Number(Amount)),
    days: await query('select distinct "Month"::text as "Month", "Entity" from TABLE'),
  }))
  expect(rows.toSorted(byNumber)).toEqual(amounts.toSorted(byNumber))
  expect(days).toEqual([{ Month: '2026-01-31', Entity: plan.row(1)[0] }])

  await pane.getByRole('button', { name: 'Undo', exact: true }).click()
  await pane.getByRole('button', { name: 'Undo the load' }).click()
  await expect(pane.getByText('Undone.')).toBeVisible()
  expect(await queryVersionTable(plan, (query) => query('select 1 from TABLE'))).toEqual([])
})

test('[VER-3] problems are marked in the sheet, found by a click, and disappear when they are fixed', async ({
  page,
  request,
}) => {
  const { planner, plan } = await makePlanner(request)
  const rows = Array.from({ length: 1_500 }, (_, at) => plan.row(at))
  rows[1_200] = plan.row(1, { area: 'Attic' })
  rows[1_300] = plan.row(2, { milestone: 'Final' })
  const excel = await openExcel(page, sheetOf(rows))
  const { pane } = excel
  await excel.type('F7', '#REF!')
  await signIn(page, pane, planner)
  await check(excel, plan)
  await expect(pane.getByText('3 problems to fix.')).toBeVisible()
  await expect(pane.getByText(/There is no area ‘Attic /u)).toBeVisible()
  await expect(pane.getByText(/The milestone ‘Final .*’ is locked/u)).toBeVisible()
  await expect(pane.getByRole('button', { name: /^Load/u })).toHaveCount(0)
  await pane.getByRole('button', { name: 'Go to B1202' }).click()
  await expect(excel.cell('B1202')).toHaveAttribute('aria-selected', 'true')
  await expect(excel.cell('B1202')).toHaveCSS('background-color', 'rgb(255, 199, 206)')
  await expect(excel.cell('B1202')).toHaveAttribute('title', /^Tributary: There is no area/u)

  const [right] = sheetOf([plan.row(1)]).slice(1)
  for (const [address, column] of [
    ['B1202', 1],
    ['D1302', 3],
    ['F7', 5],
  ] as const)
    await excel.type(address, right?.[column] as string)
  await pane.getByRole('button', { name: 'Read the sheet again' }).click()
  await expect(pane.getByText('1,500 rows can be loaded.')).toBeVisible()
  expect(await excel.read(({ active }) => active.fills.size + active.noteTexts.size)).toBe(0)
  await pane.getByRole('button', { name: 'Load 1,500 rows' }).click()
  await expectScreen(pane, /^Receipt/u)
})

test('[ENG-5] the pane offers only permitted choices, and a user without tables sees whom to ask', async ({
  page,
  request,
}) => {
  const { planner, plan } = await makePlanner(request)
  const { pane } = await openExcel(page, [
    ['Month', 'Amount'],
    [day('2026-01-31'), 1],
  ])
  await signIn(page, pane, planner)
  await pane.getByRole('combobox', { name: 'Table' }).selectOption({ label: plan.version })
  const options = (label: string) => pane.getByLabel(label, { exact: true }).getByRole('option').allTextContents()
  expect((await options('Area')).join()).not.toContain('Attic')
  expect((await options('Milestone')).join()).not.toContain('Final')
  await pane.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page, pane, await makePerson(request, 'Nils'))
  await expect(pane.getByText('There is no table that you may use.')).toBeVisible()
  await expect(pane.getByText(/An administrator gives access in the portal, under Excel, Security/u)).toBeVisible()
  await expect(pane.getByRole('button', { name: 'Preview' })).toBeDisabled()
})

test('[ENG-5] a load that is cancelled half-way leaves nothing, and a chunk whose response was lost is not stored twice', async ({
  page,
  request,
}) => {
  const { planner, plan } = await makePlanner(request)
  const excel = await openExcel(page, sheetOf(Array.from({ length: 1_500 }, (_, at) => plan.row(at))))
  const { pane } = excel
  await signIn(page, pane, planner)
  const second = '**/api/loads/*/chunks/2'
  await page.route(second, () => {})
  await pane.getByRole('combobox', { name: 'Table' }).selectOption({ label: plan.version })
  await pane.getByRole('button', { name: 'Preview' }).click()
  await pane.getByRole('button', { name: 'Check 1,500 rows' }).click()
  await expect(pane.getByText('1,000 of 1,500 rows')).toBeVisible()
  const cancelling = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await pane.getByRole('button', { name: 'Cancel' }).click()
  expect((await cancelling).ok()).toBe(true)
  await expectScreen(pane, 'What goes where')
  const [cancelled] = await plan.api.get<{ Status: string }[]>(`/loads?versionId=${plan.versionId}`)
  expect(cancelled?.Status).toBe('CANCELLED')

  await page.unroute(second)
  let answersLost = 0
  const loseAnswer = async (route: Route) => {
    await route.fetch()
    answersLost += 1
    await route.abort()
  }
  await page.route(second, loseAnswer, { times: 1 })
  await check(excel, plan)
  await expect(pane.getByText('1,500 rows can be loaded.')).toBeVisible()
  expect(answersLost).toBe(1)
})

test('[HELP-2] the pane has no accessibility violation at Excel’s width, in light and in dark', async ({
  page,
  request,
}) => {
  test.slow()
  const { planner, plan } = await makePlanner(request)
  const excel = await openExcel(page, sheetOf([plan.row(1), plan.row(2, { area: 'Attic' })]))
  const { pane } = excel
  await expectScreen(pane, 'Load this sheet into your database')
  await expectAccessible(page)
  await signIn(page, pane, planner)
  await pane.getByRole('combobox', { name: 'Table' }).selectOption({ label: plan.version })
  await expectAccessible(page)
  await pane.getByRole('button', { name: 'Preview' }).click()
  await expectAccessible(page)
  await pane.getByRole('button', { name: 'Check 2 rows' }).click()
  await expect(pane.getByText('1 problem to fix.')).toBeVisible()
  await expectAccessible(page)
  await excel.type('B3', plan.row(1)[1])
  await pane.getByRole('button', { name: 'Read the sheet again' }).click()
  await expect(pane.getByText('2 rows can be loaded.')).toBeVisible()
  await expectAccessible(page)
  await pane.getByRole('button', { name: 'Load 2 rows' }).click()
  await expectScreen(pane, /^Receipt/u)
  await expectAccessible(page)
  await pane.getByRole('button', { name: 'Load another sheet' }).click()
  await pane.getByRole('button', { name: 'History' }).click()
  await expect(pane.getByRole('button', { name: `${plan.version} Loaded` })).toBeVisible()
  await expectAccessible(page)
})

test('[ENG-5] the portal offers the manifests with its own address', async ({ page, portal, request, baseURL }) => {
  await portal.signIn('user', '/excel/loads')
  const panel = page.getByRole('region', { name: 'Excel add-in' })
  await expect(panel.getByRole('listitem')).toHaveCount(3)
  const downloading = page.waitForEvent('download')
  await panel.getByRole('link', { name: 'Manifest (.xml)', exact: true }).click()
  expect((await downloading).suggestedFilename()).toBe('tributary-manifest.xml')
  const xml = await (await request.get('/addin/manifest.xml')).text()
  const [, pane] = /<SourceLocation DefaultValue="([^"]+)"/u.exec(xml) ?? []
  expect(pane).toBe(`${baseURL}/addin/`)
  expect((await request.get('/addin/manifest.zip')).headers()['content-type']).toBe('application/zip')
  await page.goto('/addin/')
  await expect(page.getByRole('heading', { name: 'This page belongs inside Excel' })).toBeVisible()
})

async function expectAccessible(page: Page): Promise<void> {
  const pane = page.frames().find((frame) => frame.url().endsWith('/addin/'))
  if (pane === undefined) throw new Error('There is no pane.')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await redraw(pane)
    const axe = new AxeBuilder({ page }).include(['iframe', 'html'])
    // Only the colours differ in the dark theme.
    const { violations } = await (
      colorScheme === 'light' ? axe.withTags(tags) : axe.withRules(['color-contrast'])
    ).analyze()
    expect(
      violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
    ).toEqual([])
    const over = await pane.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(over, `no sideways scrolling, ${colorScheme}`).toBe(0)
  }
}

function byNumber(a: number, b: number): number {
  return a - b
}
