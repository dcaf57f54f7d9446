/** The capabilities that the portal shows to each role. server/src/tests/capabilities-by-role.test.ts tests the API. */
import { may, roleLevels, type Capability, type RoleName } from '@tributary/contract/capabilities'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './portal.ts'

/** In the order of the journey. */
const checkedCapabilities = [
  'seeAdminMenu',
  'seeExcel',
  'chooseRunMode',
  'reloadTables',
  'seeConnectorUsers',
  'editConnector',
  'deleteConnector',
  'addConnector',
  'disconnectConnector',
  'seeConnectorKey',
  'editSchedule',
  'seeAllLicences',
  'editAlerts',
  'assignConnectorOrganisations',
  'seeTokens',
  'seeAdminDashboard',
  'seeGlobalConfiguration',
  'editUsers',
  'editMicrosoftId',
  'editStructure',
  'deleteStructure',
  'configureTables',
  'loadTables',
] as const satisfies readonly Capability[]
type CheckedCapability = (typeof checkedCapabilities)[number]
type VisibleCapabilities = Partial<Record<CheckedCapability, boolean>>

for (const role of Object.keys(roleLevels) as RoleName[]) {
  const has = checkedCapabilities.filter((capability) => may(roleLevels[role], capability))
  const lacks = checkedCapabilities.filter((capability) => !has.includes(capability))
  test(`[ROLE-1] the portal offers ${role} ${has.join(', ')}${lacks.length === 0 ? '' : `; and not ${lacks.join(', ')}`}`, async ({
    page,
    portal,
  }) => {
    await portal.signIn(role)
    const seen: VisibleCapabilities = {
      ...(await onHome(page)),
      ...(await onDashboard(page)),
      ...(await onManagement(page)),
      ...(await onAccounting(page)),
      ...(await onAdministration(page)),
      ...(await onUsers(page)),
      ...(await onAreas(page)),
    }
    expect(seen).toEqual(
      Object.fromEntries(checkedCapabilities.map((capability) => [capability, has.includes(capability)])),
    )
  })
}

/** Needs no wait, because the page has loaded completely. */
const isThere = async (locator: Locator) => (await locator.count()) > 0
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
const refusal = (page: Page) => page.getByText('You do not have permission to see this.')

async function onHome(page: Page): Promise<VisibleCapabilities> {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('link', { name: /PostgreSQL/u })).toBeVisible()
  return {
    seeAdminMenu: await isThere(navigation.getByRole('link', { name: 'Admin', exact: true })),
    seeExcel: await isThere(navigation.getByRole('link', { name: 'Excel', exact: true })),
  }
}

async function onDashboard(page: Page): Promise<VisibleCapabilities> {
  await page.goto('/connectors/postgres/refresh')
  const card = page.getByRole('article', { name: 'Web shop' })
  await expect(button(card, /^(?:Refresh|Incremental)$/u)).toBeVisible()
  return {
    chooseRunMode: await isThere(button(card, 'Full')),
    reloadTables: await isThere(button(card, 'Only some tables, or from a date')),
  }
}

async function onManagement(page: Page): Promise<VisibleCapabilities> {
  await page.goto('/connectors/postgres/manage')
  const card = page.getByRole('article', { name: 'Web shop' })
  await expect(card).toBeVisible()
  const seen: VisibleCapabilities = {
    seeConnectorUsers: await isThere(button(card, 'Manage users')),
    editConnector: await isThere(button(card, 'Edit')),
    deleteConnector: await isThere(button(card, 'Delete')),
    addConnector: await isThere(button(page, 'Add connector')),
    disconnectConnector: await isThere(button(page, 'Disconnect all')),
  }
  const dialog = page.getByRole('dialog')
  if (seen.editConnector === true) {
    await button(card, 'Edit').click()
    await expect(dialog.getByRole('heading', { name: 'Schedule' })).toBeVisible()
  }
  return {
    ...seen,
    seeConnectorKey: await isThere(button(dialog, 'Copy key')),
    editSchedule: await isThere(dialog.getByLabel('Runs', { exact: true })),
    seeAllLicences: await isThere(dialog.getByRole('heading', { name: 'Licences' })),
    editAlerts: await isThere(dialog.getByRole('heading', { name: 'Alerts' })),
    assignConnectorOrganisations: await isThere(dialog.getByRole('heading', { name: /^Shar/u })),
  }
}

async function onAccounting(page: Page): Promise<VisibleCapabilities> {
  await page.goto('/connectors/xero/refresh')
  const sections = page.getByRole('navigation', { name: 'Xero Connectors sections' })
  await expect(sections.getByRole('link', { name: 'Refresh', exact: true })).toBeVisible()
  const links = ['Refresh V2', 'Configure V2'].map((name) => isThere(sections.getByRole('link', { name, exact: true })))
  return { seeTokens: (await Promise.all(links)).every(Boolean) }
}

async function onAdministration(page: Page): Promise<VisibleCapabilities> {
  await page.goto('/admin/dashboard')
  const copy = button(page, 'Copy organisation id')
  await expect(copy.or(refusal(page))).toBeVisible()
  return {
    seeAdminDashboard: await isThere(copy),
    seeGlobalConfiguration: await isThere(page.getByRole('link', { name: 'Global Configuration', exact: true })),
  }
}

async function onUsers(page: Page): Promise<VisibleCapabilities> {
  await page.goto('/admin/security/users')
  const card = page.getByRole('article', { name: 'Ulla Berg' })
  await expect(card.or(refusal(page))).toBeVisible()
  const mayEdit = await isThere(button(page, 'Add user'))
  const dialog = page.getByRole('dialog')
  if (mayEdit) {
    await button(card, 'Edit').click()
    await expect(dialog.getByLabel('First name')).toBeVisible()
  }
  return { editUsers: mayEdit, editMicrosoftId: await isThere(dialog.getByLabel('Microsoft Id')) }
}

async function onAreas(page: Page): Promise<VisibleCapabilities> {
  await page.goto('/excel/areas')
  const table = page.getByRole('table', { name: 'Areas' })
  await expect(table.getByRole('row').nth(1).or(refusal(page))).toBeVisible()
  const sections = page.getByRole('navigation', { name: 'Areas sections' })
  return {
    editStructure: await isThere(button(table, 'Edit')),
    deleteStructure: await isThere(button(table, 'Delete')),
    configureTables: await isThere(sections.getByRole('link', { name: 'Configure', exact: true })),
    loadTables: await isThere(sections.getByRole('link', { name: 'Load', exact: true })),
  }
}
