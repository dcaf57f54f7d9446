/** Creates records of the planning structure over HTTP as an administrator. */
import type { TestApp } from '../app/test-app.ts'

export interface StructureCalls {
  area(name: string): Promise<string>
  subarea(name: string): Promise<string>
  version(name: string): Promise<string>
  milestone(name: string, versionId: string): Promise<string>
  helperTable(name: string): Promise<string>
  entity(name: string): Promise<string>
  group(name: string): Promise<string>
}

/** Each call returns the id of the created record. */
export function structureCalls(app: TestApp): StructureCalls {
  const add = async (path: string, body: object): Promise<string> => {
    const reply = await app.as.admin.send<{ Id?: string }>('POST', `/api${path}`, { body })
    if (reply.body.Id === undefined) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    return reply.body.Id
  }
  return {
    area: (name) => add('/areas', { name }),
    subarea: (name) => add('/subareas', { name }),
    version: (name) => add('/versions', { name }),
    milestone: (name, versionId) => add('/milestones', { name, versionId }),
    helperTable: (name) => add('/helperTables', { name }),
    entity: (name) => add('/entities', { name }),
    group: (name) => add('/permission-groups', { name }),
  }
}
