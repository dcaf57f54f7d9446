/** Finds connectors by name, and runs by condition. */
import type { APIRequestContext } from '@playwright/test'
import type { Connector } from '@tributary/contract/connectors'
import type { Run } from '@tributary/contract/runs'
import { apiAs } from './people.ts'

export async function findConnector(request: APIRequestContext, name: string): Promise<Connector> {
  const { get } = await apiAs(request, 'superadmin@demo.example')
  for (const { Id } of await get<{ Id: string }[]>('/organisations')) {
    const found = (await get<Connector[]>(`/tributary/clients/${Id}/connectors`)).find(({ Name }) => Name === name)
    if (found !== undefined) return found
  }
  throw new Error(`There is no connector ${name}.`)
}

/** Returns the address of the latest run of the connector that meets the condition. */
export async function findRun(
  request: APIRequestContext,
  name: string,
  isWanted: (run: Run) => boolean,
): Promise<string> {
  const { get } = await apiAs(request, 'admin@demo.example')
  const [organisation] = await get<{ Id: string }[]>('/organisations')
  const { Id, Type } = await findConnector(request, name)
  const found = (
    await get<Run[]>(`/tributary/clients/${organisation?.Id}/connectors/${Id}/runs?page=1&pageSize=1000`)
  ).find(isWanted)
  if (found === undefined) throw new Error(`${name} has no such run.`)
  return `/connectors/${Type}/refresh?connector=${Id}&run=${found.Id}`
}
