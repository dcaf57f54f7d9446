/** The structure map, what it finds missing, and the editors that it leads to. */
import type { StructureMap } from '@tributary/contract/structure-map'
import { expectAccessible } from './accessible.ts'
import { apiAs, password, signInToNewOrganisation } from './people.ts'
import { expect, test } from './portal.ts'
import { keyboard, structureBuilder, toContent, uniqueSuffix } from './structure.ts'

test('[GATE-1] [UX-EXCEL-8] /excel/map opens the structure map, whose figures are those of the API', async ({
  page,
  portal,
  request,
}) => {
  await portal.signIn('otherAdmin', '/excel/map')
  await expect(page.getByRole('heading', { level: 1, name: 'Structure map' })).toBeVisible()
  const map = await (await apiAs(request, 'admin@other.example')).get<StructureMap>('/structure-map')
  await expect(page.getByRole('region', { name: 'People' })).toContainText(String(map.People))
  const steps = page.getByRole('list', { name: 'Steps from areas to people' }).locator('> li')
  await expect(steps).toHaveCount(7)
})

test('[UX-EXCEL-9] the map leads to the subareas that are in no area, which are linked one after the other', async ({
  page,
  portal,
  request,
}) => {
  const of = uniqueSuffix()
  portal.expectFailedCalls()
  const { emailAddress } = await signInToNewOrganisation(page, request)
  const made = await structureBuilder(request, of, { emailAddress, password })
  const [area, bar, attic] = [await made.area('Hotel'), await made.subarea('Bar'), await made.subarea('Attic')]
  await page.goto('/excel/map')
  await page.getByRole('region', { name: 'Links' }).getByRole('link', { name: '2 subareas in no area' }).click()
  const subareas = page.getByRole('group', { name: /^Subareas/ })
  await expect(subareas.getByRole('button', { name: 'Without areas' })).toHaveAttribute('aria-pressed', 'true')
  for (const { Name } of [bar, attic]) {
    await subareas.getByRole('searchbox').fill(Name)
    await subareas.getByRole('radio', { name: Name }).click()
    await page.getByRole('searchbox', { name: 'Search areas' }).fill(of)
    await page.getByRole('checkbox', { name: area.Name }).click()
    await page.getByRole('button', { name: 'Create Link' }).click()
    await expect(page.getByText(`${Name} is saved.`)).toBeAttached()
    if (Name === attic.Name) break
    await expect(page.getByRole('searchbox', { name: 'Search subareas' })).toBeFocused()
    await subareas.getByRole('searchbox').fill(Name)
    await expect(subareas.getByRole('radio', { name: Name })).toHaveCount(0)
  }
  await page.goto(`/excel/subarea-areas?search=${of}`)
  for (const { Name } of [bar, attic]) await expect(page.getByRole('row', { name: Name })).toContainText(area.Name)
})

test('[UX-EXCEL-8] the map is walked with the keyboard alone', async ({ page, portal, request }) => {
  await (await structureBuilder(request, uniqueSuffix())).subarea('Alone')
  await portal.signIn('admin', '/excel/map')
  await expect(page.getByRole('list', { name: 'Steps from areas to people' })).toBeVisible()
  const { press } = keyboard(page)
  await toContent(page)
  await press('Tab')
  await expect(page.getByRole('link', { name: 'Go to the next step' })).toBeFocused()
  await press('Tab')
  await expect(page.getByRole('link', { name: /\d areas?$/ })).toBeFocused()
  await press('Enter')
  await page.waitForURL('**/excel/areas')
})

for (const width of [360, 768, 1280]) {
  test(`[UX-EXCEL-8] the map fits a screen of ${width} pixels, its steps in the order of the chain`, async ({
    page,
    portal,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await portal.signIn('admin', '/excel/map')
    const cards = page.getByRole('list', { name: 'Steps from areas to people' }).getByRole('region')
    await expect(cards).toHaveCount(7)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()))
    const places = boxes.map((box) => ({ x: Math.round(box?.x ?? 0), y: Math.round(box?.y ?? 0) }))
    // From top to bottom where there is one column, otherwise never backwards.
    if (width < 1280) expect(places.map(({ y }) => y)).toEqual(places.map(({ y }) => y).toSorted((a, b) => a - b))
    else expect(new Set(places.map(({ x }) => x)).size).toBe(4)
  })
}

test('[UX-EXCEL-1] the wizard begins at its lists: they begin in the upper half of the screen, below one header line', async ({
  page,
  portal,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await portal.signIn('admin', '/excel/security/security-groups?group=new&step=area')
  const firstArea = page
    .getByRole('group', { name: /^Areas/ })
    .getByRole('radio')
    .first()
  await expect(firstArea).toBeVisible()
  const y = async (of: ReturnType<typeof page.getByRole>) => (await of.boundingBox())?.y ?? 0
  expect(await y(firstArea)).toBeLessThan(400)
  const steps = page.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  const tops = await Promise.all((await steps.all()).map(async (step) => Math.round(await y(step))))
  expect(new Set(tops).size).toBe(1)
  const name = page.getByRole('textbox', { name: 'Security Group Name' })
  expect(Math.abs((await y(name)) - (tops[0] ?? 0))).toBeLessThan(12)
  // The button that continues is in sight without scrolling.
  await expect(page.getByRole('button', { name: 'Next' })).toBeInViewport()
})

const emptyPages: readonly (readonly [path: string, nextStep: string])[] = [
  ['map', 'Go to the next step'],
  ['subareas/link', 'Add subareas'],
  ['loads', 'Open the structure map'],
  ['security/security-groups', 'Open the structure map'],
  ['security/security-groups?group=new&step=area', 'Add areas'],
  ['security/user-security-groups?edit=new', 'Add security groups'],
  ['user-entities', 'Add entities'],
]

test('[UX-EXCEL-10] the Excel pages of a new organisation lead to the next step, and have no accessibility violation', async ({
  page,
  portal,
  request,
}) => {
  portal.expectFailedCalls()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signInToNewOrganisation(page, request)
  for (const [path, nextStep] of emptyPages) {
    await page.goto(`/excel/${path}`)
    await expect(page.locator('main').getByRole('link', { name: nextStep })).toBeVisible()
    await expectAccessible(page)
  }
})
