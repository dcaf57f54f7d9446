/** Creates planning structure records for one journey, so that journeys do not disturb each other. */
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { PermissionGroup } from '@tributary/contract/groups'
import { apiAs, roleId } from './people.ts'

/** Returns a suffix for all names of one journey. */
export function uniqueSuffix(): string {
  return `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
}

interface CreatedRecord {
  readonly Id: string
  readonly Name: string
}

/** Creates records by API calls as an administrator. Every name ends with the suffix. */
export async function structureBuilder(
  request: APIRequestContext,
  ofMark: string,
  administrator: string | { readonly emailAddress: string; readonly password: string } = 'admin@demo.example',
) {
  const api = await (typeof administrator === 'string'
    ? apiAs(request, administrator)
    : apiAs(request, administrator.emailAddress, administrator.password))
  const add = (path: string) => (name: string) => api.post<CreatedRecord>(path, { name: `${name} ${ofMark}` })
  const addArea = add('/areas')
  const addSubarea = add('/subareas')
  const addVersion = add('/versions')
  const addGroup = add('/permission-groups')
  return {
    api,
    area: addArea,
    subarea: addSubarea,
    version: addVersion,
    helperTable: add('/helperTables'),
    entity: add('/entities'),
    group: addGroup,
    milestone: (versionId: string, name: string) =>
      api.post<CreatedRecord>('/milestones', { name: `${name} ${ofMark}`, versionId }),
    link: (areaId: string, subareaId: string) => api.post('/subareas/link-to-area', { areaId, subareaId }),
    groupNamed: async (name: string) =>
      (await api.get<PermissionGroup[]>('/permission-groups?archived=true')).find((group) => group.Name === name),
    /** Creates a user whose first name ends with the suffix. */
    async user(firstName: string) {
      const person = {
        firstName: `${firstName}${ofMark}`,
        lastName: 'Tester',
        emailAddress: `${firstName.toLowerCase()}.${ofMark}@people.example`,
      }
      const { Id } = await api.post<{ Id: string }>('/users', {
        ...person,
        password: 'lantern-over-42-harbours',
        roleId: await roleId(api),
      })
      return { Id, name: `${person.firstName} ${person.lastName}` }
    },
  }
}

/** Counts key presses in addition to typing. */
export function keyboard(page: Page) {
  let presses = 0
  return {
    async press(key: string, times = 1) {
      for (let time = 0; time < times; time += 1) await page.keyboard.press(key)
      presses += times
    },
    type: (text: string) => page.keyboard.type(text),
    presses: () => presses,
  }
}

/** Focuses the content like the skip link, so that the next Tab reaches its first element. */
export async function toContent(page: Page): Promise<void> {
  await page.locator('#main').focus()
}

/** Waits for the next step of the wizard, because two steps have a pane with the same name. */
export async function wizardStep(page: Page, name: 'Next' | 'Back') {
  const current = page.locator('[aria-current=step]')
  const left = (await current.textContent()) ?? ''
  await page.getByRole('button', { name, exact: true }).click()
  await expect(current).not.toHaveText(left)
}
