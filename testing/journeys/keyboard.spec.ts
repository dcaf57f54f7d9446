/** Main jobs by keyboard alone. Other journeys do so for signing up, connecting a source, runs, people and approvals. */
import writeWorkbook from 'write-excel-file/node'
import { apiAs, linkFor, newPerson, password, roleId } from './people.ts'
import { makePlan, type Plan } from './plan.ts'
import { expect, test } from './portal.ts'
import { tabTo } from './tab-to.ts'

test('[UX-HOME-21] by keyboard alone a person gets from the invitation to signed in', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  const admin = await apiAs(request, 'admin@other.example')
  const person = newPerson('Anahera')
  await admin.post('/invitations', { ...person, lastName: 'Tester', roleId: await roleId(admin) })
  await page.goto(await linkFor(request, person, /invite/i))
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(password)
  await tabTo(page, page.getByLabel('Confirm password', { exact: true }))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/signin?registration=success**')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/home')
})

test('[UX-HOME-23] by keyboard alone a planner loads a sheet', async ({ page, portal, request }) => {
  const plan = await makePlan(request)
  await portal.signIn('user', '/excel/loads')
  const choosing = page.waitForEvent('filechooser')
  await tabTo(page, page.getByRole('button', { name: 'Choose a file' }))
  await page.keyboard.press('Enter')
  await (await choosing).setFiles(await workbook(plan))
  await tabTo(page, page.getByLabel('Table', { exact: true }))
  await page.keyboard.type(plan.version)
  await tabTo(page, page.getByRole('button', { name: 'Check', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 row can be loaded.')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Load 1 row' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: `Receipt for ${plan.version}` })).toBeVisible()
})

async function workbook(plan: Plan) {
  const [entity, area, subarea, milestone] = plan.row(1)
  const rows = [
    ['Entity', 'Area', 'Subarea', 'Milestone', 'Amount'],
    [entity, area, subarea, milestone, 1.5],
  ]
  const data = rows.map((row) => row.map((value) => ({ value })))
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { name: 'plan.xlsx', mimeType, buffer: await writeWorkbook(data, { sheet: 'Plan' }).toBuffer() }
}
