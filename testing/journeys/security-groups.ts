/** Shared by the journeys of security groups. */
import type { Page } from '@playwright/test'
import { type structureBuilder, wizardStep } from './structure.ts'

export const list = '/excel/security/security-groups'
export const next = (page: Page) => wizardStep(page, 'Next')
export const back = (page: Page) => wizardStep(page, 'Back')

/** Creates an area with two subareas, another with one of them, and a version with two milestones. */
export async function createPlan(made: Awaited<ReturnType<typeof structureBuilder>>) {
  const [hotel, villa] = [await made.area('Hotel'), await made.area('Villa')]
  const [bar, kitchen] = [await made.subarea('Bar'), await made.subarea('Kitchen')]
  await made.link(hotel.Id, bar.Id)
  await made.link(hotel.Id, kitchen.Id)
  await made.link(villa.Id, bar.Id)
  const budget = await made.version('Budget')
  const [draft, final] = [await made.milestone(budget.Id, 'Draft'), await made.milestone(budget.Id, 'Final')]
  return { hotel, villa, bar, kitchen, budget, draft, final }
}

export async function pick(page: Page, pane: RegExp, role: 'radio' | 'checkbox', name: string) {
  const group = page.getByRole('group', { name: pane })
  await group.getByRole('searchbox').fill(name)
  await group.getByRole(role, { name }).click()
}
