/** Records of a planning structure made for one journey, so that none disturbs another. */
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import type { PermissionGroup } from '@tributary/contract/groups'
import { apiAs, roleId } from './people.ts'

/** Ends every name of one journey. */
export function mark(): string {
  return `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`
}

interface Made {
  readonly Id: string
  readonly Name: string
}

/** What an administrator of 'Harbour Trading' makes through the API; every name ends with the mark. */
export async function builder(request: APIRequestContext, ofMark: string, emailAddress = 'admin@demo.example') {
  const api = await apiAs(request, emailAddress)
  const add = (path: string) => (name: string) => api.post<Made>(path, { name: `${name} ${ofMark}` })
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
      api.post<Made>('/milestones', { name: `${name} ${ofMark}`, versionId }),
    link: (areaId: string, subareaId: string) => api.post('/subareas/link-to-area', { areaId, subareaId }),
    groupNamed: async (name: string) =>
      (await api.get<PermissionGroup[]>('/permission-groups?archived=true')).find((group) => group.Name === name),
    /** Somebody whose first name ends with the mark. */
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

/** Counts the keys that are pressed beside typing. */
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

/** As from the skip link: the next Tab goes to the first thing of the page. */
export async function toContent(page: Page): Promise<void> {
  await page.locator('#main').focus()
}

/** Two steps of the wizard have a pane of the same name, so the next one must be drawn before anything is picked. */
export async function wizardStep(page: Page, name: 'Next' | 'Back') {
  const current = page.locator('[aria-current=step]')
  const left = (await current.textContent()) ?? ''
  await page.getByRole('button', { name, exact: true }).click()
  await expect(current).not.toHaveText(left)
}
